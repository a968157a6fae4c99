#!/usr/bin/env bash
# Installs a build to a temporary prefix, moves it (an install must not depend on its place), and builds and runs
# examples/cpp against it as a user of the library would.
#
#   tests/install_test.sh SOURCE BUILD COMPILER GENERATOR VERSION
set -euo pipefail
source=$1 build=$2 compiler=$3 generator=$4 version=$5

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset DESTDIR

cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/prefix"

# -DCMAKE_BUILD_TYPE: what the library was built with does not bind its users.
cmake -S "$source/examples/cpp" -B "$work/build" -G "$generator" -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
grep -q "^Hardpan_DIR:PATH=$work/prefix/" "$work/build/CMakeCache.txt" || { echo "find_package took another Hardpan"; exit 1; }
cmake --build "$work/build"

if grep -rlF -e "$source" -e "$build" "$work/prefix" --include='*.cmake' --include='*.h'; then
  echo "the installed files above name the source or build folder"
  exit 1
fi

"$work/build/example" | tee "$work/output"
grep -qF "$version" "$work/output" || { echo "the example did not print the version $version"; exit 1; }

if [[ -x $work/prefix/bin/hardpan ]]; then
  (cd "$work" && prefix/bin/hardpan --version | grep -F "$version") || { echo "hardpan --version does not say $version"; exit 1; }
fi
