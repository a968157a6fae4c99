#!/usr/bin/env python3
"""The folders are the architecture: a module may include only modules above it, siblings never meet.

Reads every #include "hardpan/..." below hardpan/ and compares it with the layers of ARCHITECTURE.md.
"""
import pathlib
import re
import sys

# From the bottom up. Modules on one line are siblings: they do not include each other.
LAYERS = [
    ["core"], ["math"], ["geometry"], ["material"], ["solve"],
    ["multibody", "grains", "meshfree", "fem", "terrain"],
    ["couple"], ["vehicle"], ["lab"], ["record"], ["scenario"], ["app"],
]
EXCEPTIONS = {("terrain", "meshfree")}  # the adaptive ground is made of meshfree bodies
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}


def complaints(root: pathlib.Path):
    for path in sorted(root.rglob("*")):
        if path.suffix not in {".h", ".cpp"}:
            continue
        module = path.relative_to(root).parts[0]
        if module not in LEVEL:
            yield f"{path}: module '{module}' is not in the layer list of {pathlib.Path(__file__).name}"
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
            if not match or match[1] == "hardpan_commit.h":
                continue
            parts = match[1].split("/")
            if parts[0] != "hardpan" or len(parts) != 3:
                yield f'{path}:{number}: write #include "hardpan/<module>/<file>.h", not "{match[1]}"'
            elif parts[1] not in LEVEL:
                yield f"{path}:{number}: unknown module '{parts[1]}'"
            elif parts[1] != module and LEVEL[parts[1]] >= LEVEL[module] and (module, parts[1]) not in EXCEPTIONS:
                yield f"{path}:{number}: '{module}' may not include '{parts[1]}'"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "hardpan")
    found = list(complaints(root))
    print("\n".join(found) if found else f"include graph: no upward includes below {root}/")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
