#!/usr/bin/env python3
"""tools/include_graph.py must refuse made-up trees with each kind of mistake, and accept a good one."""
import pathlib
import subprocess
import sys
import tempfile

TOOL = pathlib.Path(__file__).resolve().parents[1] / "tools" / "include_graph.py"
CASES = [  # file, its include, what the complaint must say ("" for none)
    ("math/a.h", "hardpan/core/b.h", ""),
    ("math/a.h", "hardpan/math/b.h", ""),
    ("terrain/a.cpp", "hardpan/meshfree/b.h", ""),
    ("core/a.h", "hardpan/math/b.h", "'core' may not include 'math'"),
    ("grains/a.cpp", "hardpan/fem/b.h", "'grains' may not include 'fem'"),
    ("meshfree/a.cpp", "hardpan/terrain/b.h", "'meshfree' may not include 'terrain'"),
    ("solve/a_test.cpp", "hardpan/app/b.h", "'solve' may not include 'app'"),
    ("math/a.h", "b.h", "write #include"),
    ("math/a.h", "../core/b.h", "write #include"),
    ("math/a.h", "hardpan/nowhere/b.h", "unknown module 'nowhere'"),
    ("nowhere/a.h", "hardpan/core/b.h", "module 'nowhere' is not in the layer list"),
]


def main():
    failures = 0
    for name, include, expected in CASES:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True)
            path.write_text(f'#include <vector>\n#include "{include}"\n')
            result = subprocess.run([sys.executable, TOOL, folder], capture_output=True, text=True)
        refused = result.returncode == 1
        if refused != bool(expected) or expected not in result.stdout:
            failures += 1
            print(f"{name} including {include}: expected '{expected or 'no complaint'}', got exit code "
                  f"{result.returncode} and:\n{result.stdout}{result.stderr}")
    print(f"{len(CASES)} trees, {failures} judged wrongly")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
