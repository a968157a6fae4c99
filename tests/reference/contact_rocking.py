"""Rocking of a block on a rough floor (Housner), exact angle: pivots about one lower edge, then about the other.

Half diagonal r, a = atan(b/h) between diagonal and height, I = (4/3) m r^2 about an edge:
    th'' = -(3 g/(4 r)) sin(a - th),  th >= 0 the tilt about the present edge
At th = 0 the other edge strikes without rebound and the old one lifts: angular momentum about the new edge gives
    w+ = (1 - (3/2) sin^2 a) w-
Times by quadrature; the tilt of the next swing from energy, m g r (cos(a - th) - cos a) = I w^2/2.
"""
import math
from refcommon import *

G = 9.81


def swings(b, h, th0, count):
    """Times of the impacts, and the tilt reached after each."""
    r, a = math.hypot(b, h), math.atan2(b, h)
    k = 3 * G / (4 * r)
    keep = 1 - 1.5 * math.sin(a) ** 2

    def w_of(th):  # speed at th = 0 after falling from th
        return math.sqrt(2 * k * (math.cos(a - th) - math.cos(a)))

    def quarter(th):
        # t = int_0^th dx / sqrt(2 k (cos(a - th) - cos(a - x))), x = th (1 - s^2) removes the pole at the top
        def f(s):
            x = th * (1 - s * s)
            d = 2 * k * 2 * math.sin(a - (th + x) / 2) * math.sin((th - x) / 2)
            return 2 * th * s / math.sqrt(d) if s > 0 else 2 * th / math.sqrt(2 * k * math.sin(a - th) * th)
        n = 2000
        return sum((1 if i in (0, n) else 4 if i % 2 else 2) * f(i / n) for i in range(n + 1)) / (3 * n)

    th, t, out = th0, 0.0, []
    t += quarter(th)
    for _ in range(count):
        w = w_of(th) * keep
        # cos(a - th1) = cos a + w^2/(2 k)
        th = a - math.acos(min(1.0, math.cos(a) + w * w / (2 * k)))
        q = quarter(th)
        out.append((t, t + q, th))
        t += 2 * q
    return out


if __name__ == "__main__":
    checks = Checks()
    b, h, th0 = 0.1, 0.4, math.radians(8)
    rows = swings(b, h, th0, 4)
    for impact, top, th in rows:
        print(f"impact at {impact:.9f} s, top at {top:.9f} s with tilt {math.degrees(th):.9f} deg")
    # independent: integrate the equation of motion to the first impact
    r, a = math.hypot(b, h), math.atan2(b, h)
    f = lambda t, y: [y[1], -3 * G / (4 * r) * math.sin(a - y[0])]
    ys, errs = reference(f, [th0, 0.0], [rows[0][0]], rows[0][0] / 40)
    checks.below("tilt at the first impact", abs(ys[0][0]), 1e-9)
    checks.finish()
