"""Semicircular arch of N equal wedge stones under its own weight: least thickness, rigid stones, no tension, no sliding.

It stands if a line of thrust passes through all joints between intrados and extrados (safe theorem). The arch is
symmetric, so at the crown (a joint: N even) the thrust is H, horizontal, at a height c. For the stones from the
crown to a joint at angle a from the crown, with weight W and centre of weight at x = w/W, moments about a point p of
that joint, p = r (sin a, cos a):
    H (c - r cos a) - W (r sin a) + w  has the sign that keeps the thrust inside: >= 0 at the intrados, <= 0 at the
    extrados
both linear in H and H c, so the plane of (H, H c) is cut by half planes; what is left is empty or not. Bisection for
the thickness over the mean radius. For N to infinity: Milankovitch, 0.1075.
"""
import math
from refcommon import Checks


def stone(ri, ro, da):
    """Area and radius of the centre of area of a stone with straight radial joints and arc faces replaced by chords."""
    def trap(r):
        return 0.5 * r * r * math.sin(da), 2 / 3 * r * math.cos(da / 2)
    (A, x), (B, y) = trap(ro), trap(ri)
    return A - B, (A * x - B * y) / (A - B)


def feasible(t, n):
    ri, ro = 1 - t / 2, 1 + t / 2
    da = math.pi / n
    area, rc = stone(ri, ro, da)
    # half planes a H + b K >= c, K = H * height
    cuts = [(0.0, 1.0, 0.0), (1.0, 0.0, 0.0), (-ri, 1.0, 0.0), (ro, -1.0, 0.0)]
    W = w = 0.0
    for i in range(n // 2):
        W += area
        w += area * rc * math.sin((i + 0.5) * da)
        a = (i + 1) * da
        # thrust within: about the intrados the moment turns outward, about the extrados inward
        cuts.append((-ri * math.cos(a), 1.0, W * ri * math.sin(a) - w))
        cuts.append((ro * math.cos(a), -1.0, -(W * ro * math.sin(a) - w)))
    # clip a big square
    polygon = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]
    for a, b, c in cuts:
        out = []
        for k, p in enumerate(polygon):
            q = polygon[(k + 1) % len(polygon)]
            u, v = a * p[0] + b * p[1] - c, a * q[0] + b * q[1] - c
            if u >= 0:
                out.append(p)
            if (u > 0 > v) or (u < 0 < v):
                f = u / (u - v)
                out.append((p[0] + f * (q[0] - p[0]), p[1] + f * (q[1] - p[1])))
        polygon = out
        if not polygon:
            return None
    return polygon, W


def least_thickness(n):
    low, high = 0.01, 0.5
    for _ in range(60):
        mid = 0.5 * (low + high)
        low, high = (low, mid) if feasible(mid, n) else (mid, high)
    return high


if __name__ == "__main__":
    checks = Checks()
    for n in (8, 12, 16, 20, 40, 200, 2000):
        t = least_thickness(n)
        polygon, W = feasible(t * 1.0000001, n)
        print(f"N = {n:4d}  least thickness/mean radius {t:.6f}, thrust over half the weight {polygon[0][0] / W:.4f}")
    checks.close("Milankovitch", least_thickness(2000), 0.1075, 5e-5)
    checks.finish()
