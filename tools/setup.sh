#!/usr/bin/env bash
# Installs what a task needs, and nothing when it is all there.
#
#   tools/setup.sh [--dry-run] build|test|ci|browser|bench|fuzz|peers|grain-peers...
#
# Made for Debian 12 (and its relatives). Elsewhere it looks for the tools and says what is needed.
set -euo pipefail

usage() { echo "usage: tools/setup.sh [--dry-run] build|test|ci|browser|bench|fuzz|peers|grain-peers..." >&2; exit 2; }

# Packages in `optional` make builds faster, or add the pages for browsers (nodejs, npm). They are installed along
# with the others, but lacking them alone is never a reason to run apt.
required=() optional=()
add_group() {
  case $1 in
    build) required+=(g++ cmake libeigen3-dev libfmt-dev libyaml-cpp-dev nlohmann-json3-dev
                      libcli11-dev libhdf5-dev zlib1g-dev libqhull-dev libcivetweb-dev)
           optional+=(ninja-build ccache mold nodejs npm ca-certificates) ;;
    test)  add_group build; required+=(libgtest-dev librapidcheck-dev python3 python3-h5py) ;;
    ci)    add_group test;  required+=(clang-format git nodejs npm ca-certificates chromium fonts-dejavu-core) ;;
    browser) required+=(chromium fonts-dejavu-core) ;;  # for browser tests and pictures
    bench) add_group build  # three peers
           required+=(libbenchmark-dev libmumps-seq-dev libbullet-dev libsiconos-numerics-dev pkgconf) ;;
    peers) required+=(liggghts) ;;  # programs of others that `make validate` runs beside ours
    grain-peers) add_group peers; required+=(lammps yade openmpi-bin python3-h5py python3-scipy) ;;  # make bench-peers
    fuzz)  add_group build; required+=(clang libclang-rt-dev) ;;  # the second one holds libFuzzer
    *)     echo "setup: unknown group '$1'" >&2; usage ;;
  esac
}

dry_run=no
[[ ${1:-} == --dry-run ]] && { dry_run=yes; shift; }
[[ $# -gt 0 ]] || usage
for group in "$@"; do add_group "$group"; done

# Node.js, npm and Chromium often come from elsewhere than Debian: what counts is the command.
installed() {
  case $1 in
    nodejs)       command -v node >/dev/null || command -v nodejs >/dev/null ;;
    npm|chromium) command -v "$1" >/dev/null ;;
    *)            installed_package "$1" ;;
  esac
}
installed_package() { [[ $(dpkg-query -W -f='${db:Status-Status} ' "$1" 2>/dev/null) == *"installed "* ]]; }
missing_of() { local p; for p in "$@"; do installed "$p" || echo "$p"; done | sort -u; }
at_least() { [[ $(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n1) == "$1" ]]; }  # at_least WANTED FOUND

# Too old a compiler or CMake gives pages of obscure errors: say it in one line.
check_versions() {
  local found bad=0 compiler=${CXX:-g++}
  if [[ " ${required[*]} " == *" cmake "* ]]; then
    found=$(cmake --version 2>/dev/null | sed -n '1s/[^0-9]*//p' || true)
    at_least 3.25 "${found:-0}" || { echo "setup: needs cmake 3.25 or newer, found ${found:-none}" >&2; bad=1; }
    found=$("$compiler" -dumpfullversion 2>/dev/null || true)
    if [[ -z $found ]] && ! command -v "$compiler" >/dev/null; then
      echo "setup: needs g++ 12 or newer, found no $compiler" >&2; bad=1
    elif [[ -n $found ]] && "$compiler" --version | grep -q 'Free Software Foundation' && ! at_least 12 "$found"; then
      echo "setup: needs g++ 12 or newer, found $compiler $found (set CXX to a newer one)" >&2; bad=1
    fi
  fi
  return $bad
}

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  if check_versions; then
    # What else is lacking, cmake's find_package names.
    exit 0
  fi
  cat >&2 <<TEXT
setup: this is no Debian system, so nothing was installed. Install the equivalents of these Debian packages:
  ${required[*]}
  (optional: ${optional[*]:-none})
TEXT
  exit 1
fi

mapfile -t missing < <(missing_of "${required[@]}")
if [[ ${#missing[@]} -eq 0 ]]; then
  check_versions
  exit
fi
mapfile -t extra < <(missing_of ${optional[@]+"${optional[@]}"})

if [[ $(id -u) -eq 0 ]]; then
  root=(env)
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
  root=(sudo -n env)
elif command -v sudo >/dev/null && [[ -t 0 && -t 2 ]]; then
  root=(sudo env)
else
  root=()
fi
if [[ $dry_run == yes || ${#root[@]} -eq 0 ]]; then
  echo "apt-get install --no-install-recommends ${missing[*]} ${extra[*]}"
  [[ $dry_run == yes ]] && exit 0
  echo "setup: packages are missing and this user may not install them. Run the line above as root, then try again." >&2
  exit 1
fi

apt_get() {
  "${root[@]}" DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 apt-get -q -o DPkg::Lock::Timeout=600 -o Acquire::Retries=3 "$@"
}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
quietly() { "$@" >"$log" 2>&1 </dev/null; }

updated=no
update() {
  echo "setup: reading the package lists (apt-get update)"
  updated=yes
  quietly apt_get update || { tail -n 5 "$log" >&2; echo "setup: apt-get update failed; trying with the lists there are" >&2; }
}

echo "setup: installing ${missing[*]} ${extra[*]}"
quietly apt_get install --simulate --no-install-recommends "${missing[@]}" || update  # empty or incomplete lists
known=()
for package in ${extra[@]+"${extra[@]}"}; do
  if apt-cache show "$package" >/dev/null 2>&1; then known+=("$package"); fi
done
install() { quietly apt_get install -y --no-install-recommends "${missing[@]}" ${known[@]+"${known[@]}"}; }
if ! install; then
  # Stale lists name files that the mirror has dropped: read the lists again, once.
  { [[ $updated == no ]] && update && install; } || {
    tail -n 15 "$log" >&2
    echo "setup: apt-get could not install ${missing[*]} (its last lines are above)" >&2
    exit 1
  }
fi
check_versions
