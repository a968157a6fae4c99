#!/usr/bin/env bash
# Does a fresh clone work on a fresh Debian 12 that has nothing but git and make? For maintainers: needs root,
# debootstrap, 4 GB of disk and a package mirror. Tests the last commit, not the working tree.
#
#   tests/fresh_debian.sh [TARGET...]      make targets, each alone in a fresh system; default: run test
#
# Packages come from where this machine's come from: its sources, keys, certificates and proxy settings are copied in.
# WORK=folder keeps the systems there (base/ is used again by the next call); default is a folder that is removed.
set -euo pipefail
repo=$(git -C "$(dirname "$0")" rev-parse --show-toplevel)
targets=("$@")
[[ ${#targets[@]} -gt 0 ]] || targets=(run test)

[[ $(id -u) -eq 0 ]] || { echo "fresh_debian: needs root" >&2; exit 2; }
command -v debootstrap >/dev/null || { echo "fresh_debian: needs debootstrap (apt-get install debootstrap)" >&2; exit 2; }
unshare --mount --pid --fork true 2>/dev/null || { echo "fresh_debian: may not make mount namespaces here" >&2; exit 2; }

if [[ -n ${WORK:-} ]]; then
  mkdir -p "$WORK"
  work=$(realpath "$WORK")
else
  work=$(mktemp -d /var/tmp/hardpan-fresh-XXXXXX)
fi
child=""
# shellcheck disable=SC2317  # called by the trap
clean_up() {
  if [[ -n $child ]]; then kill -9 "$child" 2>/dev/null && sleep 1; fi  # --kill-child takes all inside with it
  # Nothing is ever mounted in our own namespace (see `inside`), so no /dev of the host can be hit.
  [[ -n ${WORK:-} ]] || rm -rf --one-file-system "$work"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

# The first Debian archive in the host's sources, in either format.
mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null |
  awk '$1 == "URIs:" {print $2} $1 == "deb" {for (i = 2; i <= NF; ++i) if ($i ~ /:\/\//) {print $i; break}}' |
  grep -E '/debian/?$' | head -n1 || true)
mirror=${mirror:-http://deb.debian.org/debian}

make_base() {
  local include=git,make proxy
  [[ $mirror == https:* ]] && include+=,ca-certificates
  proxy=$(apt-config shell p Acquire::http::Proxy | sed -n "s/^p='\(.*\)'$/\1/p")
  if [[ -n $proxy && $proxy != DIRECT ]]; then export http_proxy=${http_proxy:-$proxy}; fi
  rm -rf --one-file-system "$work/base.new"
  debootstrap --variant=minbase --include=$include bookworm "$work/base.new" "$mirror" >"$work/debootstrap.log" 2>&1 || {
    tail -n 20 "$work/debootstrap.log"
    echo "fresh_debian: debootstrap failed" >&2
    exit 1
  }
  local etc=$work/base.new/etc
  cp -L /etc/resolv.conf "$etc/resolv.conf"
  rm -f "$etc/apt/sources.list"
  cp -L /etc/apt/sources.list "$etc/apt/" 2>/dev/null || true
  for folder in sources.list.d keyrings trusted.gpg.d; do
    [[ -d /etc/apt/$folder ]] && cp -rL "/etc/apt/$folder/." "$etc/apt/$folder/"
  done
  apt-config dump | grep -E '^Acquire::(http|https)(::|.*Proxy)' >"$etc/apt/apt.conf.d/90host" || true
  if [[ -r /etc/ssl/certs/ca-certificates.crt ]]; then cp -L /etc/ssl/certs/ca-certificates.crt "$etc/host-certificates.crt"; fi
  rm -rf "$work/base.new/var/lib/apt/lists"/*  # as on a machine whose lists were never read
  mv "$work/base.new" "$work/base"
}

# Runs a command inside a system, as `child`. Mounts live in a namespace of their own and end with it, even after kill -9.
inside() {
  local system=$1
  shift
  # shellcheck disable=SC2016  # expands in the inner shell
  unshare --mount --pid --fork --kill-child bash -euc '
    mount --make-rprivate /
    mount -t proc proc "$1/proc"
    mount --rbind /dev "$1/dev"
    exec chroot "$@"' - "$system" "$@" </dev/null &
  child=$!
  local code=0
  wait "$child" || code=$?
  child=""
  return $code
}

now() { date +%s.%N; }
seconds() { awk -v a="$1" -v b="$2" 'BEGIN {printf "%.0f", b - a}'; }

start=$(now)
if [[ ! -d $work/base ]]; then make_base; fi
echo "== a minimal Debian 12 with git and make: $(seconds "$start" "$(now)") s"

report="" failed=0
for target in "${targets[@]}"; do
  system=$work/$target
  rm -rf --one-file-system "$system"
  cp -a "$work/base" "$system"
  git clone -q --no-local "$repo" "$system/root/hardpan"
  git -C "$system/root/hardpan" checkout -q --detach "$(git -C "$repo" rev-parse HEAD)"
  echo "== make $target"
  start=$(now) result=passed
  inside "$system" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb ${http_proxy:+http_proxy="$http_proxy"} \
    NODE_EXTRA_CA_CERTS=/etc/host-certificates.crt \
    make -C /root/hardpan --no-print-directory "$target" > >(tee "$work/$target.log") 2>&1 || { result=FAILED; failed=1; }
  report+="$(printf 'make %-12s %s in %s s on %s cores' "$target" "$result" "$(seconds "$start" "$(now)")" "$(nproc)")"$'\n'
  rm -rf --one-file-system "$system"
done
printf '== fresh Debian 12, commit %s\n%s' "$(git -C "$repo" rev-parse --short HEAD)" "$report"
exit $failed
