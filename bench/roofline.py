#!/usr/bin/env python3
"""How far soft grains are from what one core can do: operations and bytes of a sphere and step, beside the rates that the
same core reaches when it does nothing else. Needs objdump (binutils, which compilers bring along).

    make bench-roofline [ARGS="--picture docs/images/roofline-grains.svg"]

Operations are counted, not estimated: ten steps of a bed of 1,800 spheres are gone instruction by instruction
(bench/roofline/count.h), six million of them, and objdump says what each one does. An instruction that works on eight numbers
counts as eight, whether all of them are needed or not. Takes two minutes.
"""
import argparse
import collections
import dataclasses
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
UNITS = ["none", "AVX2", "AVX-512"]
WIDTHS = {"zmm": 64, "ymm": 32, "xmm": 16}  # bytes

ARITHMETIC = {"multiplications": r"mul", "additions and differences": r"add|sub", "maxima and minima": r"max|min",
              "comparisons": r"u?comi|cmp", "divisions": r"div", "roots": r"sqrt"}
# Whose rates count for them; all others go the way of additions.
LIKE = {"multiplications": "multiplication", "divisions": "division", "roots": "root"}
OTHERS = {"lanes": "moves between lanes and registers, masks", "loads": "loads", "stores": "stores", "fetched": "lines fetched in advance",
          "whole": "addresses, whole numbers, branches"}
LANES = r"v?(perm|unpck|shuf|insert|extract|align|broadcast|movddup|p?blend|movh|movl)"
MASKS = r"k(mov|or|and|andn|xor|xnor|not|test|unpck|shift|add)"
PARTS = {"forces of pairs": r"PairWork", "forces of walls": r"WallWork|push_walls", "touches of walls": r"find_closed|WallFinder",
         "motion of the spheres": r"on_\w+<hardpan::grains::leap", "contacts and lists": r"Contacts::|PairList|CellGrid|list_pairs",
         "loads: passed on, taken": r"take_passed|pass_on|_Function_handler|System::"}


# ---- what an instruction does

def operands(text):
    """Of an instruction as objdump writes it; commas in brackets do not separate."""
    return re.split(r",(?![^(]*\))", text) if text else []


def bytes_in_memory(name, arguments, wide):
    """Of an instruction on so wide a register that reads or writes memory: some take or leave a part of it."""
    if not re.search(r"broadcast|extract|insert", name) and "{1to" not in ",".join(arguments):
        return wide
    return 32 if re.search(r"(32x8|64x4)$", name) else 16 if re.search(r"(32x4|64x2|128)$", name) else 8


def what_it_does(name, arguments):
    """Kind, numbers, bytes read and written; bytes of vector registers only."""
    widths = [WIDTHS[found] for found in re.findall(r"%([xyz]mm)\d", ",".join(arguments))]
    if not widths:
        return ("fetched" if name.startswith("prefetch") else "lanes" if re.match(MASKS, name) else "whole"), 0, 0, 0
    wide = 8 if re.search(r"s[ds]$", name) else max(widths)
    in_memory = [k for k, argument in enumerate(arguments) if "(" in argument]
    stores = bool(in_memory) and in_memory[-1] == len(arguments) - 1
    size = bytes_in_memory(name, arguments, wide) if in_memory else 0
    read, written = (0, size) if stores else (size, 0)
    for kind, pattern in ARITHMETIC.items():
        if re.match(rf"v?({pattern})\w*[ps][ds]$", name):
            return kind, wide // 8, read, written
    if re.match(LANES, name):
        return "lanes", 0, read, written
    return "stores" if stores else "loads" if in_memory else "lanes", 0, read, written


def disassembled(program):
    """(address, function, name, operands) of all instructions."""
    text = subprocess.run(["objdump", "-d", "-C", "--no-show-raw-insn", program], capture_output=True, text=True,
                          check=True).stdout
    function = ""
    for line in text.splitlines():
        if header := re.match(r"^[0-9a-f]+ <(.*)>:$", line):
            function = header[1]
        elif found := re.match(r"^\s+([0-9a-f]+):\s+(?:(?:lock|rep|repz|data16|bnd|notrack) )*(\S+)\s*([^#<]*)", line):
            yield found[1], function, found[2], operands(found[3].strip())


@dataclasses.dataclass
class Counted:
    instructions: collections.Counter  # by kinds
    numbers: collections.Counter  # by kinds of arithmetic
    parts: collections.Counter  # instructions by parts of the step
    arithmetic: collections.Counter  # numbers by parts
    read: int = 0
    written: int = 0


def counted(result, program):
    found = Counted(*(collections.Counter() for _ in range(4)))
    for address, function, name, arguments in disassembled(program):
        times = result["run"].get(address, 0)
        if not times:
            continue
        kind, numbers, read, written = what_it_does(name, arguments)
        part = next((part for part, pattern in PARTS.items() if re.search(pattern, function)), "all else")
        found.instructions[kind] += times
        found.numbers[kind] += times * numbers
        found.parts[part] += times
        found.arithmetic[part] += times * numbers
        found.read += times * read
        found.written += times * written
    if found.instructions.total() != sum(result["run"].values()):
        sys.exit("roofline: objdump does not know all instructions that were run")
    found.parts["all else"] += result["elsewhere"]
    return found


# ---- tables

def in_words(size):
    return f"{int(size) >> 10} kB" if int(size) < 1 << 20 else f"{int(size) >> 20} MB"


def table(head, rows):
    print(f"| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for row in rows:
        print(f"| {' | '.join(row)} |")
    print()


def arithmetic_table(found, result, each):
    """Returns what it takes at least, ns, by kinds."""
    rates, least, rows = result["numbers_per_ns"], {}, []
    for kind in ARITHMETIC:
        numbers, rate = found.numbers[kind] / each, rates[LIKE.get(kind, "addition")]
        least[kind] = numbers / rate
        rows.append([kind, f"{found.instructions[kind] / each:.2f}", f"{numbers:.1f}", f"{rate:.1f}", f"{least[kind]:.2f}"])
    slow = {"divisions", "roots"}  # nothing else goes on in the unit
    quick = sum(found.numbers[kind] for kind in ARITHMETIC if kind not in slow) / each
    everything = sum(least[kind] for kind in slow) + quick / rates["both"]
    rows.append(["all, multiplications beside additions", f"{sum(found.instructions[kind] for kind in ARITHMETIC) / each:.2f}",
                 f"{found.numbers.total() / each:.1f}", f"{rates['both']:.1f}", f"{everything:.2f}"])
    table(["arithmetic", "instructions", "numbers", "numbers at most per ns", "so at least, ns"], rows)
    return {"all arithmetic": everything} | least


def bytes_table(found, result, each):
    """Likewise, by where the bytes are."""
    pairs = result["pairs"] / result["spheres"]
    # Of a sphere, 9 of 12 numbers change, of a contact all but its places and those of its loads.
    read, written = result["ball"] + pairs * result["contact"], 72 + pairs * (result["contact"] - 16)
    (first, stored), *others = result["changed_per_ns"].items()
    least = {"loads": found.read / each / result["read_per_ns"], "stores": 2 * found.written / each / stored}
    rows = [["loaded by instructions, first cache", f"{found.read / each:.0f}", "", f"{result['read_per_ns']:.0f}",
             f"{least['loads']:.2f}"],
            [f"stored by instructions, {in_words(first)}", "", f"{found.written / each:.0f}", f"{stored / 2:.0f}",
             f"{least['stores']:.2f}"]]
    for size, rate in others:
        name = f"spheres and contacts once, {in_words(size)}"
        least[name] = (read + written) / rate
        rows.append([name, f"{read:.0f}", f"{written:.0f}", f"{rate:.0f}", f"{least[name]:.2f}"])
    table(["bytes", "read", "written", "at most per ns", "so at least, ns"], rows)
    return least


def report(result, program, picture):
    found = counted(result, program)
    each = result["spheres"] * result["steps"]
    measured, clock = result["ns"] / each, result["cycles_per_ns"]
    print(f"{result['bed']}: {measured:.1f} ns per sphere and step, the best of many turns; {result['pairs'] / result['spheres']:.2f} "
          f"contacts with others and {result['on_walls'] / result['spheres']:.2f} with walls for a sphere; vector unit "
          f"{UNITS[result['unit']]}; {clock:.2f} cycles per ns; {result['looks']} looks for contacts among {result['steps']} steps\n")
    bars = {"measured": measured} | arithmetic_table(found, result, each)
    instructions = found.parts.total() / each
    rows = [[name, f"{found.instructions[kind] / each:.1f}"] for kind, name in OTHERS.items()]
    rows += [["in libraries", f"{result['elsewhere'] / each:.1f}"], ["all, with arithmetic", f"{instructions:.1f}"],
             ["in a cycle", f"{instructions / (measured * clock):.2f}"]]
    table(["instructions", "of a sphere and step"], rows)
    table(["part", "instructions", "numbers in arithmetic"],
          [[part, f"{times / each:.1f}", f"{found.arithmetic[part] / each:.1f}"] for part, times in found.parts.most_common()])
    bars |= bytes_table(found, result, each)
    if picture:
        draw(bars, picture)


def draw(bars, file):
    longest, line = max(bars.values()), 22
    text = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 {line * len(bars) + 36}" font-family="sans-serif" '
            'font-size="13">', '<rect width="100%" height="100%" fill="white"/>',
            '<text x="10" y="20" fill="#333">ns of a sphere and step, if this alone took time</text>']
    for k, (name, ns) in enumerate(bars.items()):
        y, width = 30 + line * k, 400 * ns / longest
        text.append(f'<text x="270" y="{y + 15}" text-anchor="end" fill="#333">{name}</text>'
                    f'<rect x="280" y="{y + 2}" width="{width:.1f}" height="17" fill="{"#b5541c" if k == 0 else "#5b7f95"}"/>'
                    f'<text x="{286 + width:.1f}" y="{y + 15}" fill="#333">{ns:.1f}</text>')
    pathlib.Path(file).write_text("\n".join(text) + "\n</svg>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=str(ROOT / "build-bench/bin/hardpan_bench_roofline"))
    parser.add_argument("--picture", help="write the bars as SVG")
    options, rest = parser.parse_known_args()
    done = subprocess.run([options.program, *rest], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit("roofline: nothing was measured")
    report(json.loads(done.stdout), options.program, options.picture)


if __name__ == "__main__":
    main()
