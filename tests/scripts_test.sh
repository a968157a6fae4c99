#!/usr/bin/env bash
# Every script of ours parses; shellcheck looks closer where it is installed.
set -euo pipefail
cd "$(dirname "$0")/.."

mapfile -t shell < <(find tools tests bench .ci -type f \( -name '*.sh' -o -path .ci/run \) 2>/dev/null | sort)
for script in "${shell[@]}"; do bash -n "$script"; done
if command -v shellcheck >/dev/null; then shellcheck --severity=warning "${shell[@]}"; fi
mapfile -t python < <(find tools tests bench python -type f -name '*.py' 2>/dev/null | sort)
for script in "${python[@]}"; do
  python3 -c 'import ast, sys; ast.parse(open(sys.argv[1], encoding="utf-8").read(), sys.argv[1])' "$script"
done
echo "${#shell[@]} shell scripts and ${#python[@]} Python scripts parse"
