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
sys.dont_write_bytecode = True
from grain_oblique import rebound  # noqa: E402

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 480, 62, 20, 40, 50


class Plot:
    """Axes at given ticks; lines, dots, and a legend at a given place."""

    def __init__(self, title, x_label, y_label, x_ticks, y_ticks, legend):
        self.x, self.y, self.legend, self.entries = x_ticks, y_ticks, legend, 0
        self.out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
                    'font-family="sans-serif" font-size="13" fill="#222">',
                    f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
                    f'<text x="{LEFT}" y="24" font-size="15">{title}</text>']
        for v in x_ticks:
            x = self.at(v, 0)[0]
            self.rule(x, TOP, x, HEIGHT - BOTTOM)
            self.text(x, HEIGHT - BOTTOM + 18, f"{v:g}", "middle")
        for v in y_ticks:
            y = self.at(0, v)[1]
            self.rule(LEFT, y, WIDTH - RIGHT, y)
            self.text(LEFT - 8, y + 4, f"{v:g}", "end")
        self.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, x_label, "middle")
        middle = (TOP + HEIGHT - BOTTOM) / 2
        self.out.append(f'<text transform="translate(18 {middle}) rotate(-90)" text-anchor="middle">{y_label}</text>')

    def at(self, x, y):
        across = (x - self.x[0]) / (self.x[-1] - self.x[0])
        up = (y - self.y[0]) / (self.y[-1] - self.y[0])
        return LEFT + across * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM)

    def rule(self, x1, y1, x2, y2):
        self.out.append(f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="#ddd"/>')

    def text(self, x, y, text, anchor="start"):
        self.out.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{text}</text>')

    def name(self, label, shape):
        x, y = self.legend[0], self.legend[1] + 20 * self.entries
        self.entries += 1
        self.out.append(shape(x, y))
        self.text(x + 42, y + 4, label)

    def line(self, label, points, colour, dash="", width=2):
        inside = [p for p in points if self.y[0] <= p[1] <= self.y[-1]]
        style = f'fill="none" stroke="{colour}" stroke-width="{width}" stroke-dasharray="{dash}"'
        path = "L".join("%.1f %.1f" % self.at(*p) for p in inside)
        self.out.append(f'<path d="M{path}" {style}/>')
        self.name(label, lambda x, y: f'<path d="M{x} {y}h34" {style}/>')

    def dots(self, label, points, colour, filled):
        style = f'r="4" stroke="{colour}" stroke-width="1.5" fill="{colour if filled else "none"}"'
        self.out += ['<circle cx="%.1f" cy="%.1f" ' % self.at(*p) + style + "/>" for p in points]
        self.name(label, lambda x, y: f'<circle cx="{x + 17}" cy="{y}" {style}/>')

    def write(self, name):
        (HERE / name).write_text("\n".join(self.out + ["</svg>"]) + "\n")


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
