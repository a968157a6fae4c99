"""Stiff flyball governor (IFToMM benchmark A05), three coordinates, stiff integration.

Model (its own z is up, as ours): a shaft (1 x 0.01 x 0.01 m) turns freely about z on
the ground; a slider (cube of 0.1 m) moves along the shaft and turns with it; two
rods (1 x 0.01 x 0.01 m) hang on hinges at (+-0.05, 0, 1) of the shaft, axes y,
and carry 5 kg at their ends; density 3000 kg/m^3.  The couplers are springs with
dampers, k = 8e5 N/m, c = 4e4 N s/m, 0.5 m long, from the middle of each rod to
(+-0.05, 0, 0) of the slider.  Start: rods 30 deg below the level, slider at s = 0.5 m
(springs free of load), everything turning at 2 pi rad/s; g = 9.81.
Source: M. Gonzalez, D. Dopico, U. Lugris, J. Cuadrado, "A benchmarking system for MBS
simulation software", Multibody System Dynamics 16 (2006), 179-190; IFToMM Library of
Computational Benchmark Problems, "Stiff flyball governor".  No numbers of it were at
hand, so the checks are our own.

Coordinates: b, angle of both rods below the level; s, height of the slider; phi, turn
of the shaft.  With m = 5.3 kg, d the distance of a rod's centre of mass (with its
ball) from the hinge, I across and i along it about that centre, r = 0.05 + d cos b:
    J(b) = Jshaft + Jslider + 2 (m r^2 + I cos^2 b + i sin^2 b),  J phi' = const
    2 (m d^2 + I) b'' = J'(b) phi'^2/2 + 2 m g d cos b - 2 F dl/db
    3 s'' = -3 g - 2 F dl/ds,   F = k (l - 0.5) + c l',   l = |middle of rod - slider|
The damper's own rate is about 8e3 /s, the spring creeps with k/c = 20 /s, the
governor swings in about a second.  Radau IIA collocation with 5 stages (order 9; Newton's method),
steps growing from 1e-7 s through the first transient.
Checks: halved steps; 3 stages (order 5) with smaller steps; explicit gbs12 over the first 0.1 s;
accelerations by numerical differentiation of the kinetic energy of the bodies in space;
energy balance with what the dampers took.
"""
import math
import random
import sys
from refcommon import *

G, K, C, L0 = 9.81, 8.0e5, 4.0e4, 0.5
SECTION, RHO = 0.01, 3000.0
M_ROD, M_BALL, M_SLIDER = RHO * SECTION ** 2, 5.0, RHO * 0.001
M = M_ROD + M_BALL
D = (M_ROD * 0.5 + M_BALL) / M
ACROSS = M_ROD * (1 + SECTION ** 2) / 12 + M_ROD * (D - 0.5) ** 2 + M_BALL * (1 - D) ** 2
ALONG = M_ROD * SECTION ** 2 / 6
J_SHAFT, J_SLIDER = M_ROD * SECTION ** 2 / 6, M_SLIDER * 0.01 / 6
ARM = 0.05
TIMES = [0.1, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0]
B0, S0, W0 = math.radians(30), 0.5, 2 * math.pi


def about_axis(b):
    """J, dJ/db"""
    r = ARM + D * math.cos(b)
    return (J_SHAFT + J_SLIDER + 2 * (M * r * r + ACROSS * math.cos(b) ** 2 + ALONG * math.sin(b) ** 2),
            -4 * M * r * D * math.sin(b) - 2 * (ACROSS - ALONG) * math.sin(2 * b))


SPIN = about_axis(B0)[0] * W0


def spring(y):
    """l, dl/db, dl/ds, l'"""
    b, bd, s, sd = y[:4]
    x, z = 0.5 * math.cos(b), 1 - 0.5 * math.sin(b) - s
    l = math.hypot(x, z)
    lb, ls = (-0.5 * math.sin(b) * x - 0.5 * math.cos(b) * z) / l, -z / l
    return l, lb, ls, lb * bd + ls * sd


def f(t, y):
    """y = b, b', s, s', phi, energy taken by the dampers"""
    j, dj = about_axis(y[0])
    w = SPIN / j
    l, lb, ls, ld = spring(y)
    force = K * (l - L0) + C * ld
    return [y[1], (0.5 * dj * w * w + 2 * M * G * D * math.cos(y[0]) - 2 * force * lb) / (2 * (M * D * D + ACROSS)),
            y[3], -G - 2 * force * ls / M_SLIDER, w, 2 * C * ld * ld]


def energy(y):
    j, _ = about_axis(y[0])
    return (0.5 * SPIN ** 2 / j + (M * D * D + ACROSS) * y[1] ** 2 + 0.5 * M_SLIDER * y[3] ** 2
            + G * (M_SLIDER * y[2] + 2 * M * (1 - D * math.sin(y[0])) + M_ROD * 0.5) + K * (spring(y)[0] - L0) ** 2)


# ------------------------------------------------------------------ Radau IIA


def radau_tableau(s):
    """Nodes (roots of P_s - P_(s-1) on [0, 1], the last is 1) and matrix."""
    def legendre(x):
        p0, p1 = 1.0, x
        for k in range(2, s + 1):
            p0, p1 = p1, ((2 * k - 1) * x * p1 - (k - 1) * p0) / k
        return p1 - p0
    nodes, grid = [], [-1 + 2 * k / 4000 for k in range(4000)]
    for a, b in zip(grid, grid[1:]):
        if legendre(a) * legendre(b) < 0:
            for _ in range(60):
                m = 0.5 * (a + b)
                a, b = (m, b) if legendre(a) * legendre(m) > 0 else (a, m)
            nodes.append(0.5 * (1 + 0.5 * (a + b)))
    nodes.append(1.0)
    gx, gw, _ = gauss_tableau(s)
    a = []
    for i in range(s):
        row = []
        for j in range(s):
            v = 0.0
            for xq, wq in zip(gx, gw):
                l = 1.0
                for k in range(s):
                    if k != j:
                        l *= (nodes[i] * xq - nodes[k]) / (nodes[j] - nodes[k])
                v += wq * l
            row.append(nodes[i] * v)
        a.append(row)
    return nodes, a


def lu(a):
    n, a, perm = len(a), [list(r) for r in a], list(range(len(a)))
    for i in range(n):
        p = max(range(i, n), key=lambda r: abs(a[r][i]))
        a[i], a[p], perm[i], perm[p] = a[p], a[i], perm[p], perm[i]
        for r in range(i + 1, n):
            q = a[r][i] = a[r][i] / a[i][i]
            if q:
                ai, ar = a[i], a[r]
                for c in range(i + 1, n):
                    ar[c] -= q * ai[c]
    return a, perm


def lu_solve(fact, b):
    a, perm = fact
    n = len(a)
    x = [b[p] for p in perm]
    for i in range(n):
        x[i] -= sum(a[i][c] * x[c] for c in range(i))
    for i in range(n - 1, -1, -1):
        x[i] = (x[i] - sum(a[i][c] * x[c] for c in range(i + 1, n))) / a[i][i]
    return x


def radau(y0, times, h, s, first=1e-7):
    """Radau IIA with s stages; the four stiff states by simplified Newton, phi and the dampers' energy by quadrature."""
    nodes, a = radau_tableau(s)
    y, t, hh, out, n = list(y0), 0.0, first, [], 4
    for target in times:
        while t < target * (1 - 1e-13):
            step = min(hh, target - t)
            rest = target - t
            if hh >= h:                              # equal steps up to the target
                step = rest / max(1, round(rest / h))
            base = f(t, y)
            jac = []
            for k in range(n):
                e = 1e-7 * max(1.0, abs(y[k]))
                yp, ym = list(y), list(y)
                yp[k] += e
                ym[k] -= e
                jac.append([(p - m) / (2 * e) for p, m in zip(f(t, yp)[:n], f(t, ym)[:n])])
            big = [[(1.0 if (i, p) == (j, q) else 0.0) - step * a[i][j] * jac[q][p]
                    for j in range(s) for q in range(n)] for i in range(s) for p in range(n)]
            fact = lu(big)
            z = [[step * nodes[i] * base[p] if p in (0, 2) else 0.0 for p in range(n)] for i in range(s)]
            last = float("inf")
            for _ in range(40):
                fs = [f(t, [y[p] + z[i][p] for p in range(n)] + y[4:]) for i in range(s)]
                res = [step * sum(a[i][j] * fs[j][p] for j in range(s)) - z[i][p] for i in range(s) for p in range(n)]
                d = lu_solve(fact, res)
                for i in range(s):
                    for p in range(n):
                        z[i][p] += d[i * n + p]
                size = max(abs(v) for v in d)
                if size < 1e-15 or (size < 1e-11 and size >= 0.5 * last):
                    break
                last = size
            else:
                if size > 1e-10:
                    raise RuntimeError("Newton's method did not converge")
            fs = [f(t, [y[p] + z[i][p] for p in range(n)] + y[4:]) for i in range(s)]
            for p in (4, 5):
                y[p] += step * sum(a[s - 1][j] * fs[j][p] for j in range(s))
            for p in range(n):
                y[p] += z[s - 1][p]
            t += step
            hh = min(h, hh * 1.5)
        t = target
        out.append(list(y))
    return out


# --------------------------------------------------------- Lagrange, numerically


def kinetic_in_space(q, v):
    """q = b, s, phi; v their rates: kinetic energy of the bodies in space."""
    b, s, phi = q
    r, rd = ARM + D * math.cos(b), -D * math.sin(b) * v[0]
    total = 0.5 * (J_SHAFT + J_SLIDER) * v[2] ** 2 + 0.5 * M_SLIDER * v[1] ** 2
    for side in (1, -1):
        vel = [side * (rd * math.cos(phi) - r * math.sin(phi) * v[2]),
               side * (rd * math.sin(phi) + r * math.cos(phi) * v[2]), -D * math.cos(b) * v[0]]
        axis = [side * math.cos(b) * math.cos(phi), side * math.cos(b) * math.sin(phi), -math.sin(b)]
        w = [-side * math.sin(phi) * v[0], side * math.cos(phi) * v[0], v[2]]      # b' about the hinge, phi' about z
        along = dot(axis, w)
        total += 0.5 * M * dot(vel, vel) + 0.5 * (ACROSS * (dot(w, w) - along ** 2) + ALONG * along ** 2)
    return total


def lagrange_residual(y):
    """Largest residual of d/dt dT/dv - dT/dq - Q with the accelerations of f, by central differences."""
    d = f(0, y)
    q, v = [y[0], y[2], y[4]], [y[1], y[3], d[4]]
    j, dj = about_axis(y[0])
    acc = [d[1], d[3], -dj * y[1] * d[4] / j]
    l, lb, ls, ld = spring(y)
    force = K * (l - L0) + C * ld
    gen = [2 * M * G * D * math.cos(y[0]) - 2 * force * lb, -M_SLIDER * G - 2 * force * ls, 0.0]

    def momentum(k, q, v, e=0.5):                   # exact, T is quadratic in v
        vp, vm = list(v), list(v)
        vp[k] += e
        vm[k] -= e
        return (kinetic_in_space(q, vp) - kinetic_in_space(q, vm)) / (2 * e)
    worst = 0.0
    for k in range(3):
        e = 1e-5
        dp = (momentum(k, [q[i] + e * v[i] for i in range(3)], [v[i] + e * acc[i] for i in range(3)])
              - momentum(k, [q[i] - e * v[i] for i in range(3)], [v[i] - e * acc[i] for i in range(3)])) / (2 * e)
        qp, qm = list(q), list(q)
        qp[k] += e
        qm[k] -= e
        worst = max(worst, abs(dp - (kinetic_in_space(qp, v) - kinetic_in_space(qm, v)) / (2 * e) - gen[k]))
    return worst


def main():
    c = Checks()
    y0 = [B0, 0.0, S0, 0.0, 0.0, 0.0]
    h = 0.01
    coarse, ys = radau(y0, TIMES, 2 * h, 5), radau(y0, TIMES, h, 5)
    other = radau(y0, TIMES[:4], h / 8, 3)
    print(f"rod with ball: mass {M:.13g} kg, centre {D:.13g} m from the hinge, inertia across {ACROSS:.13g}, "
          f"along {ALONG:.13g} kg m^2")
    e0 = energy(y0)
    print(f"J at the start {about_axis(B0)[0]:.13g} kg m^2, angular momentum {SPIN:.13g} kg m^2/s, energy {e0:.13g} J")
    for t, y in zip(TIMES, ys):
        l, lb, ls, ld = spring(y)
        r = ARM + D * math.cos(y[0])
        print(f" t={t:g}  s {num(y[2])}  b {num(y[0])} (since the start {num(y[0] - B0)})  phi {num(y[4])}\n"
              f"   s' {num(y[3])}  b' {num(y[1])}  phi' {num(SPIN / about_axis(y[0])[0])}"
              f"\n   spring length {num(l)}  force {num(K * (l - L0) + C * ld)} N"
              f"\n   centre of the first rod {vec([r * math.cos(y[4]), r * math.sin(y[4]), 1 - D * math.sin(y[0])])}"
              f"\n   energy {num(energy(y))} J  dissipated {num(y[5])} J")
    for t, a, b in zip(TIMES, coarse, ys):
        print(f"  t={t:<5g} |2h - h| = {max(abs(p - q) for p, q in zip(a, b)):.1e}")
    c.below("halved step", max(abs(p - q) for a, b in zip(coarse, ys) for p, q in zip(a, b)), 1e-8)
    c.below("order 5 at h/8, to 2 s", max(abs(p - q) for a, b in zip(other, ys) for p, q in zip(a, b)), 1e-8)
    explicit = integrate(f, y0, [0.1], 1e-4)[0]
    c.below("explicit method of order 12, 0.1 s", max(abs(p - q) for p, q in zip(explicit, ys[0])), 1e-9)
    c.below("energy and what the dampers took, J", max(abs(energy(y) + y[5] - e0) for y in ys), 1e-9)
    rnd, worst = random.Random(3), 0.0
    for _ in range(20):                              # springs within 0.1 mm and 5 mm/s of rest
        b, bd = rnd.uniform(0.1, 1.3), rnd.uniform(-2, 2)
        y = [b, bd, 1 - math.sin(b) + rnd.uniform(-1e-4, 1e-4), 0.0, rnd.uniform(-3, 3), 0.0]
        y[3] = -spring(y)[1] / spring(y)[2] * bd + rnd.uniform(-5e-3, 5e-3)
        worst = max(worst, lagrange_residual(y))
    c.below("Lagrange's equations in space, 20 random states, N and N m", worst, 1e-4)
    c.finish()


if __name__ == "__main__":
    main()
