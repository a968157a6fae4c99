#!/usr/bin/env bash
# Our penalty grains beside LIGGGHTS, LAMMPS and YADE, from the same settled beds (grains.py):
#
#   make bench-peers PEER=grains                                    # beds of 1,800, 50,000 and 500,000 spheres
#   make bench-peers PEER=grains ARGS="--counts 1800,50000"
set -euo pipefail
cd "$(dirname "$0")/../.."

if [[ ${SETUP:-yes} != no ]]; then
  tools/setup.sh grain-peers || echo "grains: not everything could be installed; going on with what there is"
fi
python=/usr/bin/python3  # the one that sees Debian's packages
[[ -x $python ]] || python=python3
"$python" bench/peers/grains.py --program "${PROGRAM:-build/bin/hardpan}" "$@"
