#!/usr/bin/env python3
"""The pictures of docs/models/meshfree.md, from figures that its cases gave. Standard library only.

    docs/images/meshfree.py FOLDER      # with triaxial.txt and footing-N.txt
"""
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True
from plot import Plot  # noqa: E402

BLUE, RED, GREEN, GREY = "#1f77b4", "#b35900", "#2a7f2a", "#999"

# Of a free cube of 8 x 8 x 8 particles, nu 0.25, E = rho = L = 1.
EXACT = [1.807] * 2 + [2.424] * 3 + [2.473] * 3 + [2.808] * 3 + [2.810] * 3
SPECTRUM = {
    0: [1.202, 1.202, 1.202, 1.538, 1.538, 1.538, 1.737, 1.737, 1.739, 1.739, 1.739, 1.739, 1.739, 1.739],
    0.15: [1.274, 1.274, 1.274, 1.586, 1.586, 1.586, 1.775, 1.775, 1.894, 1.894, 1.894, 2.011, 2.011, 2.011],
    100: [1.891, 1.891, 2.475, 2.475, 2.475, 2.483, 2.483, 2.483, 2.927, 2.927, 3.145, 3.145, 3.145, 3.244],
}
# Error of S_zz over rho g H, bottom to top, worst particle of each layer, 3 x 3 x 11.
COLUMN = {
    0: [-0.0057, -0.0212, 0.0179, -0.0069, 0.0043, -0.0016, 0.0033, -0.0023, 0.0133, 0.0061, -0.0152],
    0.15: [0.0067, 0.0116, 0.0129, 0.0042, 0.0040, -0.0013, 0.0017, -0.0025, -0.0074, -0.0033, -0.0156],
    1: [0.0071, 0.0075, 0.0089, 0.0032, 0.0038, 0.0003, -0.0007, -0.0023, -0.0058, -0.0077, -0.0131],
    100: [0.0050, 0.0055, 0.0047, 0.0022, 0.0022, 0.0005, -0.0011, -0.0019, -0.0041, -0.0061, -0.0063],
}
# Speed of a standing wave over that of sound, by particles per wave.
WAVE = {
    0: [(4, 0.63493), (6, 0.82641), (8, 0.89747), (10, 0.93176), (12, 0.95153), (16, 0.97170)],
    0.15: [(4, 0.99794), (6, 1.03908), (8, 0.99588), (10, 1.00593), (12, 1.00049), (16, 1.00087)],
}


def spectrum():
    plot = Plot("Angular frequencies of a free cube, 8 x 8 x 8 particles", "number of the mode, rigid ones left out",
                "frequency, E = rho = L = 1", list(range(0, 15, 2)), [1, 1.5, 2, 2.5, 3, 3.5], (90, 60))
    plot.line("exact (Ritz)", list(enumerate(EXACT, 1)), GREY)
    for (alpha, values), colour, full in zip(SPECTRUM.items(), (RED, BLUE, GREEN), (False, True, True)):
        plot.dots(f"alpha {alpha:g}", list(enumerate(values, 1)), colour, full)
    plot.write("meshfree-spectrum.svg")


def column():
    plot = Plot("Column under its own weight: error of the stress", "height, m", "% of rho g H",
                [0, 0.2, 0.4, 0.6, 0.8, 1], [-3, -2, -1, 0, 1, 2, 3], (500, 60))
    for (alpha, values), colour in zip(COLUMN.items(), (RED, BLUE, GREEN, "#111")):
        plot.line(f"alpha {alpha:g}", [(0.1 * k, 100 * v) for k, v in enumerate(values)], colour)
    plot.write("meshfree-column.svg")


def wave():
    plot = Plot("Speed of a standing wave over that of sound", "particles per wave", "",
                [4, 6, 8, 10, 12, 14, 16], [0.6, 0.7, 0.8, 0.9, 1, 1.1], (480, 330))
    steps = [4 + 0.1 * k for k in range(121)]
    plot.line("sin(k d)/(k d)", [(n, math.sin(2 * math.pi / n) / (2 * math.pi / n)) for n in steps], GREY, "6 4")
    plot.dots("alpha 0", WAVE[0], RED, False)
    plot.dots("alpha 0.15", WAVE[0.15], BLUE, True)
    plot.write("meshfree-wave.svg")


def triaxial(folder):
    rows = [[float(v) for v in line.split()] for line in (folder / "triaxial.txt").read_text().splitlines()]
    plot = Plot("Triaxial compression at 100 kPa", "axial strain, %", "axial stress, kPa",
                [0, 2, 4, 6, 8, 10, 12, 14, 16], [0, 50, 100, 150, 200, 250, 300], (300, 350))
    plot.line("", [(0, 261.31), (16, 261.31)], GREY, "6 4", 1)
    plot.line("closed forms: 261.3 and 244.8", [(0, 244.8), (16, 244.8)], GREY, "6 4", 1)
    for cap, label, colour in ((0, "cone", RED), (1, "cone and cap", BLUE)):
        plot.line(label, [(100 * r[1], r[2]) for r in rows if r[0] == cap], colour)
    plot.write("meshfree-triaxial.svg")


def footing(folder):
    plot = Plot("Strip footing on cohesive soil without weight", "sinkage, % of the width", "pressure over k",
                [0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3], [0, 1, 2, 3, 4, 5, 6], (420, 330))
    plot.line("2 + pi", [(0, 2 + math.pi), (0.3, 2 + math.pi)], GREY, "6 4")
    for n, colour in ((10, RED), (14, BLUE), (20, GREEN)):
        path = folder / f"footing-{n}.txt"
        if path.is_file():
            words = [line.split() for line in path.read_text().splitlines() if line.startswith("sink")]
            plot.line(f"{n} particles per width", [(0, 0)] + [(100 * float(w[1]), float(w[5])) for w in words], colour)
    plot.write("meshfree-footing.svg")


if __name__ == "__main__":
    given = pathlib.Path(sys.argv[1])
    spectrum(), column(), wave(), triaxial(given), footing(given)
