"""Integration of systems that change their equations at events: corners of tables, friction that locks and
breaks away.  Standard library only.

A model has
    f(t, y, mode)         slopes, smooth for a given mode: each table goes on straight along the piece named by the
                          mode, beyond its corners
    guards(t, y, mode)    list of (value, next): the mode holds while every value is >= 0; next(t, y) is the mode
                          that follows where the value falls through zero
Steps have order 12 (refcommon).  A step in which a guard falls below zero is shortened to the root of that guard
(the same one-step method from the same point, so the root is as exact as the step), and the mode changes there.
Times of breaks (corners of curves over time) are hit exactly.
"""
from refcommon import *


class Table:
    """Straight between points; level or straight beyond its ends.  Piece -1 and n - 1 are those beyond the ends."""

    def __init__(self, points, straight=False):
        self.p = [tuple(map(float, q)) for q in points]
        self.straight = straight

    def piece(self, x):
        i = -1
        while i + 1 < len(self.p) and self.p[i + 1][0] <= x:
            i += 1
        return i

    def value(self, x, piece=None):
        i, n = self.piece(x) if piece is None else piece, len(self.p)
        if n == 1 or (not self.straight and (i < 0 or i == n - 1)):
            return self.p[min(max(i, 0), n - 1)][1]
        k = min(max(i, 0), n - 2)
        (x0, y0), (x1, y1) = self.p[k], self.p[k + 1]
        return y0 + (y1 - y0) / (x1 - x0) * (x - x0)

    def guards(self, x, piece):
        """(value, new piece) at both ends of the piece."""
        out = []
        if piece >= 0:
            out.append((x - self.p[piece][0], piece - 1))
        if piece + 1 < len(self.p):
            out.append((self.p[piece + 1][0] - x, piece + 1))
        return out

    def corners(self):
        return [q[0] for q in self.p]


def run(model, y0, mode0, times, h, breaks=(), step=gbs12, after_break=None, log=None):
    """States [(y, mode)] at `times`.  `after_break(t, y, mode)` gives the mode after a break."""
    stops = sorted({t for t in list(times) + list(breaks) if t > 0})
    t, y, mode, out = 0.0, list(y0), mode0, {}
    if after_break is not None:
        mode = after_break(t, y, mode)
    if 0.0 in times:
        out[0.0] = (list(y), mode)

    def advance(dt):
        d = step(lambda s, z: model.f(s, z, mode), t, y, dt)
        return [a + b for a, b in zip(y, d)]

    def low(s, z):
        """(lowest guard, next) among those that are negative."""
        bad = [g for g in model.guards(s, z, mode) if g[0] < 0]
        return min(bad, key=lambda g: g[0]) if bad else None

    for stop in stops:
        while t < stop:
            dt = min(h, stop - t)
            if stop - t - dt < 1e-9 * h:
                dt = stop - t
            z = advance(dt)
            if low(t + dt, z) is None:
                t, y = (stop if dt == stop - t else t + dt), z
                continue
            a, b = 0.0, dt                        # at a all guards hold, at b one does not
            if low(t, y) is not None:
                b = 0.0
            for _ in range(200):
                if b - a <= 4e-16 * max(1.0, t):
                    break
                m = 0.5 * (a + b)
                if low(t + m, advance(m)) is None:
                    a = m
                else:
                    b = m
            zb = advance(b) if b > 0 else list(y)
            bad = low(t + b, zb)
            t, y = t + b, zb
            new = bad[1](t, y) if callable(bad[1]) else bad[1]
            if log is not None:
                log.append((t, mode, new))
            mode = new
        t = stop
        if stop in breaks and after_break is not None:
            mode = after_break(t, y, mode)
        if stop in times:
            out[stop] = (list(y), mode)
    return [out[t] for t in times]


def reference_modes(model, y0, mode0, times, h, breaks=(), after_break=None):
    """(states, errors, events): gbs12 with h and h/2, gauss12 with h/2."""
    log = []
    a = run(model, y0, mode0, times, h, breaks, gbs12, after_break)
    b = run(model, y0, mode0, times, h / 2, breaks, gbs12, after_break, log)
    c = run(model, y0, mode0, times, h / 2, breaks, gauss12, after_break)
    errs = [(max(abs(u - v) for u, v in zip(p[0], q[0])), max(abs(u - v) for u, v in zip(q[0], r[0])))
            for p, q, r in zip(a, b, c)]
    return b, errs, log
