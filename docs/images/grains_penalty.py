#!/usr/bin/env python3
"""The pictures of docs/models/grains-penalty.md, from what the tests of the law measure. Standard library only.

    HARDPAN_CURVES=/tmp build/bin/hardpan_tests --gtest_filter='GrainMotion.Curves*'
    docs/images/grains_penalty.py /tmp
"""
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tests/reference"))
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True
from grain_oblique import rebound  # noqa: E402
from plot import Plot  # noqa: E402

def table(path):
    return [[float(v) for v in line.split()] for line in path.read_text().splitlines()]


def clipped(e):
    """Restitution of hooke when the normal force may not pull: mass and stiffness 1."""
    zeta = -math.log(e) / math.hypot(math.log(e), math.pi)
    x, v, h = 0.0, 1.0, 1e-4
    while True:
        x += h * v
        force = x + 2 * zeta * v
        if x <= 0 or (v < 0 and force <= 0):
            return -v
        v -= h * force


def restitution(rows):
    ticks = [0, 0.2, 0.4, 0.6, 0.8, 1]
    plot = Plot("Restitution of an impact, step t_c/200", "asked for", "measured", ticks, ticks, (90, 60))
    plot.line("equal", [(0, 0), (1, 1)], "#999", width=1)
    plot.line("if the force might not pull (hooke)", [(r[0], clipped(r[0])) for r in rows], "#b35900", "6 4")
    plot.dots("hooke", [(r[0], r[1]) for r in rows], "#1f77b4", True)
    plot.dots("hertz", [(r[0], r[2]) for r in rows], "#111", False)
    plot.write("grains-restitution.svg")


def oblique(rows):
    psi = [r[0] for r in rows]
    kappa = 1.4 / 1.7
    plot = Plot("Oblique impact of a sphere on a plane, nu 0.3, hertz, e = 1", "psi_1 = kappa v_t/(mu v_n) before",
                "psi_2 after", list(range(8)), list(range(-4, 5)), (90, 318))
    columns = [("none", "#999", "2 3"), ("pseudo, step t_c/50", "#b35900", "6 4"),
               ("none, with dampers (e = 0.7)", "#999", "8 3"), ("displacement", "#2a9d4a", "6 4"),
               ("incremental", "#1f77b4", "")]
    for k, (label, colour, dash) in enumerate(columns, 1):
        plot.line(label, [(r[0], r[k]) for r in rows], colour, dash)
    plot.line("Mindlin &amp; Deresiewicz", [(p, rebound(kappa, p, 300)) for p in psi], "#111", width=1.5)
    plot.write("grains-oblique.svg")


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    restitution(table(folder / "restitution.txt"))
    oblique(table(folder / "oblique.txt"))
