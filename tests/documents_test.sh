#!/usr/bin/env bash
# The generated pages are those of this program (`make docs` writes them), and the tutorial shows the scenarios that are run; no document has gaps.
set -euo pipefail
program=$1

diff -u docs/reference/scenario.md <("$program" manual) || { echo "docs/reference/scenario.md is old: make docs"; exit 1; }
diff -u docs/reference/scenario.schema.json <("$program" schema) || { echo "the schema is old: make docs"; exit 1; }

# Each YAML block of the tutorial stands, line by line, in one of its scenarios.
python3 - <<'PYTHON'
import pathlib, re, sys
files = [path.read_text() for path in pathlib.Path("scenarios/tutorial").glob("*.yaml")]
blocks = re.findall(r"```yaml\n(.*?)```", pathlib.Path("docs/tutorial.md").read_text(), re.S)
missing = [block for block in blocks if not any(block in text for text in files)]
if not blocks or missing:
    sys.exit("docs/tutorial.md shows what scenarios/tutorial does not run:\n" + "\n".join(missing))
print(f"{len(blocks)} blocks of the tutorial are run")
PYTHON

# Words that stand for something still to be written, alone on a line (BENCH_TABLE) or anywhere (TODO).
left=$(grep -rnE --include='*.md' '\b(TODO|FIXME|XXX|TBD)\b|^[A-Z]+_[A-Z_]+$' \
  *.md docs hardpan scenarios || true)
[ -z "$left" ] || { echo "the documents are not finished:"; echo "$left"; exit 1; }
