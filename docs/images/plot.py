"""Curves as SVG, for pictures of the documents. Standard library only."""

import pathlib

HERE = pathlib.Path(__file__).resolve().parent
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
        if label:
            self.name(label, lambda x, y: f'<path d="M{x} {y}h34" {style}/>')

    def dots(self, label, points, colour, filled):
        style = f'r="4" stroke="{colour}" stroke-width="1.5" fill="{colour if filled else "none"}"'
        self.out += ['<circle cx="%.1f" cy="%.1f" ' % self.at(*p) + style + "/>" for p in points]
        self.name(label, lambda x, y: f'<circle cx="{x + 17}" cy="{y}" {style}/>')

    def write(self, name):
        (HERE / name).write_text("\n".join(self.out + ["</svg>"]) + "\n")
