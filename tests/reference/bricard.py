"""Bricard's mechanism (IFToMM benchmark A04), one degree of freedom on a closed curve.

Six hinges, five moving rods of 1 m and 1 kg between them, the sixth side is the
ground.  At the start the hinges are corners of a cube and the rods edges of it; every
axis is along the third edge of its corner.  Our z is the benchmark's y, our y its -z:
    P0 (0,0,0) axis z, P1 (1,0,0) -y, P2 (1,0,-1) x, P3 (1,-1,-1) z, P4 (0,-1,-1) -y,
    P5 (0,-1,0) x;  rod i from Pi to P(i+1); ground P5 P0; g = 9.81 along -z.
Six hinges in one loop count to no freedom, yet it moves: one row is redundant,
but no particular one.  The rods are thin: m L^2/12 across, and 1e-6 kg m^2 along
them (the engine wants some).
Source: M. Gonzalez, D. Dopico, U. Lugris, J. Cuadrado, "A benchmarking system for MBS
simulation software", Multibody System Dynamics 16 (2006), 179-190; IFToMM Library of
Computational Benchmark Problems, "Bricard's mechanism".

Kinematics: with u_i the direction of rod i and n_i the axis at Pi, rod i is rod
i-1 turned by q_i about n_i, and n_(i+1) = +-(u_i x n_i), signs alternating.  The loop
keeps its threefold symmetry, q0 = q2 = q4 = -a, q1 = q3 = q5 = -b, and closes if
    (1 + cos a)(1 + cos b) = 1.
That is a smooth closed curve (so also T. Arponen, S. Piipponen, J. Tuomela,
"Kinematic analysis of Bricard's mechanism", 2007), here written as
    a = 2 asin S(sin x), b = 2 asin S(cos x), S(w) = sign(w) sqrt(1 - 4^(-w^2));
x = pi/4 is the cube, x = 0 and pi/2 flat triangles of side 2.
Dynamics in x, as for any one degree of freedom:
    J(x) x'' + J'(x) x'^2/2 + V'(x) = 0,  J = sum m |p'|^2 + I |u'|^2 + I_axial (spin)^2.
p', p'' by jets.  Checks: closure; rank of the six hinge screws (5: no other
motion); kinetic energy and its balance of power by Newton-Euler for every rod; two
integrators; the number kept by the test suite of another program for rods of 0.1 m
square section: J. Gerstmayr, Exudyn, test model bricardMechanism (2023).
"""
import math
import sys
from refcommon import *
from squeezer import Jet, jsqrt, jcos, jsin

G = 9.81
I_ACROSS, I_ALONG = 1.0 / 12.0, 1.0e-6
START = math.pi / 4
TIMES = [0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0]
LN4 = math.log(4.0)


def jasin(a):
    r = math.sqrt(1 - a.v * a.v)
    return a.chain(math.asin(a.v), 1 / r, a.v / r ** 3)


def half_sine(w):
    """S(w) = w sqrt(F(w^2)), F(z) = (1 - exp(-z ln 4))/z, smooth through w = 0."""
    z = w.v * w.v
    if z > 0.01:
        e = math.exp(-LN4 * z)
        f0 = (1 - e) / z
        f1 = (LN4 * e - f0) / z
        f2 = (-LN4 * LN4 * e - 2 * f1) / z
    else:
        f0 = f1 = f2 = 0.0
        term = LN4                                   # F = sum_k (-1)^k ln4^(k+1) z^k/(k+1)!
        for k in range(16):
            f0 += term * z ** k
            f1 += term * k * z ** (k - 1) if k > 0 else 0.0
            f2 += term * k * (k - 1) * z ** (k - 2) if k > 1 else 0.0
            term *= -LN4 / (k + 2)
    return w * jsqrt((w * w).chain(f0, f1, f2))


def jcross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def loop(x):
    """Jets in x: hinge angles since the start, points P0..P5 and the closing P0, directions u0..u5, axes n0..n6."""
    jx = Jet(x, 1.0)
    a = 2.0 * jasin(half_sine(jsin(jx)))
    b = 2.0 * jasin(half_sine(jcos(jx)))
    u = [Jet(0.0), Jet(1.0), Jet(0.0)]               # P5 -> P0
    n = [Jet(0.0), Jet(0.0), Jet(1.0)]
    p = [Jet(0.0), Jet(0.0), Jet(0.0)]
    points, us, ns = [p], [], [n]
    for i in range(6):
        q = -(a if i % 2 == 0 else b)
        c, s = jcos(q), jsin(q)
        t = jcross(n, u)                             # u is normal to n
        u = [c * u[k] + s * t[k] for k in range(3)]
        p = [p[k] + u[k] for k in range(3)]
        w = jcross(u, n)
        n = w if i % 2 == 0 else [-v for v in w]
        us.append(u)
        ns.append(n)
        points.append(p)
    return (a - math.pi / 2, b - math.pi / 2), points, us, ns


def spin(u, n):
    """Rate of turn about the rod's own axis, per x': (n, u x n, u) is a frame fixed in the rod."""
    t = jcross(u, n)
    return sum(n[k].d * t[k].v for k in range(3)), \
        sum(n[k].s * t[k].v + n[k].d * t[k].d for k in range(3))


def effective(x, along=I_ALONG, across=I_ACROSS):
    """J, J', V, V'."""
    _, points, us, ns = loop(x)
    j = dj = v = dv = 0.0
    for i in range(5):
        c = [0.5 * (points[i][k] + points[i + 1][k]) for k in range(3)]
        w, dw = spin(us[i], ns[i])
        j += sum(e.d ** 2 for e in c) + across * sum(e.d ** 2 for e in us[i]) + along * w * w
        dj += 2 * (sum(e.d * e.s for e in c) + across * sum(e.d * e.s for e in us[i]) + along * w * dw)
        v += G * c[2].v
        dv += G * c[2].d
    return j, dj, v, dv


def rhs(along, across):
    def f(t, y):
        j, dj, _, dv = effective(y[0], along, across)
        return [y[1], -(dv + 0.5 * dj * y[1] ** 2) / j]
    return f


def energy(y):
    j, _, v, _ = effective(y[0])
    return 0.5 * j * y[1] ** 2 + v


def values(p):
    return [e.v for e in p]


def screw_rank(x):
    """Pivots of the 6 x 6 matrix of the hinge screws (n, P x n), full pivoting: smallest kept, largest dropped."""
    _, points, _, ns = loop(x)
    m = [values(ns[i]) + cross(values(points[i]), values(ns[i])) for i in range(6)]
    pivots = []
    for i in range(6):
        r, c = max(((r, c) for r in range(i, 6) for c in range(i, 6)), key=lambda rc: abs(m[rc[0]][rc[1]]))
        m[i], m[r] = m[r], m[i]
        for row in m:
            row[i], row[c] = row[c], row[i]
        pivots.append(abs(m[i][i]))
        for k in range(i + 1, 6):
            if m[i][i]:
                q = m[k][i] / m[i][i]
                m[k] = [m[k][z] - q * m[i][z] for z in range(6)]
    return pivots[4], pivots[5]


def power_balance(x, xd):
    """Newton-Euler by recursion over the hinges: kinetic energy, and the power of weight minus inertia (0 if right)."""
    q, points, us, ns = loop(x)
    acc = rhs(I_ALONG, I_ACROSS)(0, [x, xd])[1]
    w, al = [0.0] * 3, [0.0] * 3                     # ground
    vp, ap = [0.0] * 3, [0.0] * 3                    # of point P_i
    kin = power = 0.0
    for i in range(5):
        jet = -q[i % 2]
        qd, qdd = jet.d * xd, jet.d * acc + jet.s * xd * xd
        n, u = values(ns[i]), values(us[i])
        wn = cross(w, n)
        w, al = [w[k] + qd * n[k] for k in range(3)], [al[k] + qdd * n[k] + qd * wn[k] for k in range(3)]
        r = [0.5 * e for e in u]

        def vel(arm):
            return [a + b for a, b in zip(vp, cross(w, arm))]

        def accel(arm):
            return [a + b + c for a, b, c in zip(ap, cross(al, arm), cross(w, cross(w, arm)))]
        vc, ac = vel(r), accel(r)

        def inertia(o):                              # I o of the rod
            s = dot(o, u)
            return [I_ACROSS * (o[k] - s * u[k]) + I_ALONG * s * u[k] for k in range(3)]
        lw = inertia(w)
        kin += 0.5 * dot(vc, vc) + 0.5 * dot(w, lw)
        torque = [a + b for a, b in zip(inertia(al), cross(w, lw))]
        power += -G * vc[2] - dot(ac, vc) - dot(torque, w)
        vp, ap = vel(u), accel(u)
    return kin, power


def displacement_norm(t, side):
    """Norm of the displacements of P0..P4 and of the changes of the five rods' Euler parameters, at time t, for
    rods of square section."""
    y = integrate(rhs(side * side / 6, (1 + side * side) / 12), [START, 0.0], [t], 0.05)[0]
    total = 0.0
    (_, p, u, n), (_, p0, u0, n0) = loop(y[0]), loop(START)
    for i in range(5):
        total += math.dist(values(p[i]), values(p0[i])) ** 2
        f, f0 = [[values(a[i]), values(b[i]), cross(values(a[i]), values(b[i]))] for a, b in ((u, n), (u0, n0))]
        half = 0.5 * math.acos(0.5 * (sum(dot(a, b) for a, b in zip(f, f0)) - 1))
        total += 2 - 2 * math.cos(half)
    return math.sqrt(total)


def main():
    c = Checks()
    worst = [0.0, 0.0, 1e9]
    for k in range(200):
        x = 2 * math.pi * k / 200 + 0.003
        _, points, us, ns = loop(x)
        worst[0] = max(worst[0], max(abs(e) for e in values(points[6])),
                       max(abs(a - b) for a, b in zip(values(us[5]), (0, 1, 0))),
                       max(abs(a - b) for a, b in zip(values(ns[6]), (0, 0, 1))))
        worst[0] = max(worst[0], max(abs(e.d) + abs(e.s) for e in points[6]) * 1e-2)
        keep, drop = screw_rank(x)
        worst[1], worst[2] = max(worst[1], drop), min(worst[2], keep)
    f = rhs(I_ALONG, I_ACROSS)
    sign = f(0, [START, 0.0])[1]
    print(f"x'' at the start {sign:.12g}")
    h = 0.04
    ys, errs = reference(f, [START, 0.0], TIMES, h)
    e0 = energy([START, 0.0])
    for t, y in zip(TIMES, ys):
        q, points, _, _ = loop(y[0])
        print(f" t={t:g}  x {num(y[0])}  x' {num(y[1])}\n   turn of the hinges since the start: P0, P2, P4 {num(-q[0].v)}"
              f"   P1, P3, P5 {num(-q[1].v)}\n   P1 {vec(values(points[1]))}\n   P2 {vec(values(points[2]))}"
              f"\n   P3 {vec(values(points[3]))}   (benchmark: x, y, z = "
              f"{vec([points[3][0].v, points[3][2].v, -points[3][1].v], 10)})\n   P4 {vec(values(points[4]))}"
              f"\n   middle of rods " + " ".join(vec([0.5 * (points[i][k].v + points[i + 1][k].v) for k in range(3)], 12)
                                                for i in (1, 2, 3))
              + f"\n   kinetic {num(0.5 * effective(y[0])[0] * y[1] ** 2)} J   energy {num(energy(y))} J")
    print_errors(TIMES, errs, h)
    c.below("closure of the loop, 200 poses, with derivatives", worst[0], 1e-13)
    c.below("sixth pivot of the hinge screws (rank below 6)", worst[1], 1e-13)
    c.below("1/fifth pivot (rank 5, no further freedom)", 1 / worst[2], 1e2)
    wk = wp = 0.0
    for y in integrate(f, [START, 0.0], [0.05 * k for k in range(1, 60)], h):
        kin, power = power_balance(*y)
        wk = max(wk, abs(kin - 0.5 * effective(y[0])[0] * y[1] ** 2))
        wp = max(wp, abs(power))
    c.below("kinetic energy by recursion over the hinges, J", wk, 1e-11)
    c.below("power left over by Newton-Euler, W", wp, 1e-9)
    # kept there: norm + 1 degree of freedom + 1 redundant row, after 1000 steps of a second-order method
    c.close("norm of the coordinates at 1 s, square section, Exudyn", displacement_norm(1.0, 0.1),
            4.172189649307425 - 2, 5e-6)
    c.below("energy drift, J", max(abs(energy(y) - e0) for y in ys), 1e-10)
    c.below("largest |h - h/2|", max(e[0] for e in errs), 1e-11)
    c.below("largest |gbs - gauss|", max(e[1] for e in errs), 1e-11)
    c.finish()


if __name__ == "__main__":
    main()
