#!/usr/bin/env bash
# Siconos beside pgs and apgd on problems of contacts alone (bench/siconos):
#
#   make bench-peers PEER=siconos                                        # piles of 27, 125 and 512 spheres
#   make bench-peers PEER=siconos ARGS="0.002 runs/a/problem-999.txt"    # what `hardpan run --dump` wrote, after its step
set -euo pipefail
cd "$(dirname "$0")/../.."

[[ ${SETUP:-yes} == no ]] || tools/setup.sh bench
generator=()
if [[ ! -f build-bench/CMakeCache.txt ]] && command -v ninja >/dev/null; then generator=(-G Ninja); fi
cmake -S . -B build-bench ${generator[@]+"${generator[@]}"} -DCMAKE_BUILD_TYPE=Release -DHARDPAN_TESTS=OFF \
  -DHARDPAN_BENCH=ON >/dev/null
if ! cmake --build build-bench --target help | grep hardpan_bench_siconos >/dev/null; then
  echo "siconos: not found (libsiconos-numerics-dev), so there is nothing to compare with"
  exit 0
fi
cmake --build build-bench --target hardpan_bench_siconos -j "${JOBS:-$(nproc)}"
build-bench/bin/hardpan_bench_siconos "$@"
