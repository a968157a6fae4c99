"""Three hinged rods with two springs (demo scene), minimal coordinates.

Model: rods (boxes L x 0.06 x 0.06), lengths 0.6, 0.5, 0.4, masses 1.2, 1.0,
0.8, COM at mid-length, inertia about y m (L^2 + 0.06^2)/12; chain hinged at
the origin, axes y; g = 9.81 along -z; all start along +x at rest.
Spring A: world (0.3, 0, -1.8) to the end of link 2, k = 12, c = 0.15, natural
length 1.0.  Spring B: world (-0.4, 0, -1.5) to the end of link 3, k = 8,
c = 0.15, natural length 0.8.  Spring force along its line: k (l - l0) + c l'.
Coordinates: absolute angles th_j, right-handed about +y: rod direction
u = (cos, 0, -sin), n = du/dth = (-sin, 0, -cos).  A point r = sum_j B_j u_j:
    sum_k M_jk cos(th_j - th_k) th_k'' = -sum_k M_jk sin(th_j - th_k) th_k'^2
                                         + g W_j cos th_j + sum_springs F . P_j n_j
    M_jk = sum_i m_i B_ij B_ik + delta_jk I_j,  W_j = sum_i m_i B_ij
Dissipated energy is a fourth coordinate: D' = sum c l'^2, so E + D = E(0).
Energy: kinetic + m g z (zero at z = 0) + spring energies.
Checked at random states against maximal coordinates (refcommon.chain_kkt).

The motion is chaotic after about 1.3 s (a change of initial angle grows 1e5
times by 5 s), so the reference runs in 80-bit floats (numpy.longdouble) where
the machine has them; in plain doubles the 5 s row keeps about 9 digits only.
Takes about 20 s.
"""
import math
import random
from refcommon import *

try:
    import numpy
    LONG = numpy.longdouble if numpy.finfo(numpy.longdouble).eps < 1e-18 else None
except ImportError:
    LONG = None


class Model:
    """The equations in the arithmetic `real` (float or numpy.longdouble);
    constants are converted from decimal text so that none is rounded twice."""

    def __init__(self, real, cos, sin, sqrt):
        self.real, self.cos, self.sin, self.sqrt = real, cos, sin, sqrt
        r = real
        self.m = m = [r("1.2"), r("1.0"), r("0.8")]
        self.l = l = [r("0.6"), r("0.5"), r("0.4")]
        self.g = r("9.81")
        self.i = [m[k] * (l[k] ** 2 + r("0.06") ** 2) / 12 for k in range(3)]
        o = r("0")
        self.com = [[l[0] / 2, o, o], [l[0], l[1] / 2, o], [l[0], l[1], l[2] / 2]]
        self.tip = [[l[0], o, o], [l[0], l[1], o], [l[0], l[1], l[2]]]
        # link whose tip is attached, anchor (x, z), stiffness, damping, natural length
        self.spr = [(1, (r("0.3"), r("-1.8")), r("12"), r("0.15"), r("1.0")),
                    (2, (r("-0.4"), r("-1.5")), r("8"), r("0.15"), r("0.8"))]
        self.mjk = [[sum(m[i] * self.com[i][j] * self.com[i][k] for i in range(3))
                     + (self.i[j] if j == k else o) for k in range(3)] for j in range(3)]
        self.wj = [sum(m[i] * self.com[i][j] for i in range(3)) for j in range(3)]
        self.y0 = [o] * 7

    def springs(self, c, s, v):
        """For each: (link, force on the link (x, z), length, length rate)."""
        out = []
        for link, anchor, k, damp, l0 in self.spr:
            b = self.tip[link]
            n = link + 1
            dx = sum(b[j] * c[j] for j in range(n)) - anchor[0]
            dz = -sum(b[j] * s[j] for j in range(n)) - anchor[1]
            vx = -sum(b[j] * v[j] * s[j] for j in range(n))
            vz = -sum(b[j] * v[j] * c[j] for j in range(n))
            l = self.sqrt(dx * dx + dz * dz)
            rate = (dx * vx + dz * vz) / l
            f = -(k * (l - l0) + damp * rate)
            out.append((link, (f * dx / l, f * dz / l), l, rate))
        return out

    def rates(self, q, v):
        """Angular accelerations and the springs' state."""
        c, s = [self.cos(x) for x in q], [self.sin(x) for x in q]
        sp = self.springs(c, s, v)
        mj = self.mjk
        a = [[mj[j][k] * (c[j] * c[k] + s[j] * s[k]) for k in range(3)] for j in range(3)]
        r = [self.g * self.wj[j] * c[j]
             - sum(mj[j][k] * (s[j] * c[k] - c[j] * s[k]) * v[k] ** 2 for k in range(3) if k != j)
             for j in range(3)]
        for link, (fx, fz), _, _ in sp:
            for j in range(link + 1):
                r[j] = r[j] - self.tip[link][j] * (s[j] * fx + c[j] * fz)
        return solve(a, r), sp

    def accel(self, q, v):
        return self.rates(q, v)[0]

    def f(self, t, y):
        acc, sp = self.rates(y[:3], y[3:6])
        return y[3:6] + acc + [sum(x[3] * e[3] ** 2 for x, e in zip(self.spr, sp))]

    def point(self, b, q):
        return (sum(b[j] * self.cos(q[j]) for j in range(3)), -sum(b[j] * self.sin(q[j]) for j in range(3)))

    def energy(self, y):
        q, v = y[:3], y[3:6]
        kin = sum(self.mjk[j][k] * self.cos(q[j] - q[k]) * v[j] * v[k] for j in range(3) for k in range(3)) / 2
        grav = self.g * sum(self.m[i] * self.point(self.com[i], q)[1] for i in range(3))
        el = sum(x[2] * (e[2] - x[4]) ** 2 / 2 for x, e in zip(self.spr, self.rates(q, v)[1]))
        return kin + grav + el, kin

    def kkt(self, q, v):
        tip = [(0.0, 0.0)] * 3
        for link, fo, _, _ in self.rates(q, v)[1]:
            tip[link] = fo
        return chain_kkt(self.m, self.i, self.l, self.g, q, v, tip)


TIMES = [0.5, 1.0, 1.5, 2.0, 5.0]
D = Model(float, math.cos, math.sin, math.sqrt)
COM3 = D.com[2]


def v3(p):
    return vec((float(p[0]), 0.0, float(p[1])), 12)


def main():
    h = 0.0025
    if LONG:
        X = Model(LONG, numpy.cos, numpy.sin, numpy.sqrt)
        print("reference arithmetic: numpy.longdouble (80-bit)")
    else:
        X = D
        print("reference arithmetic: double (no long double here: trust 9 digits at t=5)")
    times = [X.real(t) for t in TIMES]
    ys, errs = reference(X.f, X.y0, times, h)
    e0 = X.energy(X.y0)[0]
    bal = max(abs(X.energy(y)[0] + y[6] - e0) for y in ys)
    print(f"I = {vec(D.i)} kg m^2 about y at each COM; energy at t=0 {float(e0):.14g} J")
    exact = ys
    ys = [[float(x) for x in y] for y in exact]
    for t, y, ye in zip(TIMES, ys, exact):
        q, v = y[:3], y[3:6]
        e, kin = (float(x) for x in X.energy(ye))
        sp = D.rates(q, v)[1]
        fr = D.kkt(q, v)[1]
        print(f" t={t:g}\n   theta   {vec(q, 12)}\n   omega_y {vec(v, 12)}")
        for i in range(3):
            print(f"   COM{i + 1} {v3(X.point(X.com[i], ye))}   tip{i + 1} {v3(X.point(X.tip[i], ye))}")
        print(f"   total energy {num(e, 12)}  kinetic {num(kin, 12)}  dissipated {num(y[6], 12)}"
              f"\n   spring lengths {vec([x[2] for x in sp], 12)}"
              f"\n   force on link 1 at hinge 1 {v3(fr[0])}")
    print_errors(TIMES, errs, h)
    if LONG:
        plain = integrate(D.f, D.y0, TIMES, h / 2)
        print("double against long double, same method and step: " + ", ".join(
            f"t={t:g}: {max(abs(a - b) for a, b in zip(p, y)):.1e}" for t, p, y in zip(TIMES, plain, ys)))
    dense = [0.25 * k for k in range(1, 21)]
    base = integrate(D.f, D.y0, dense, 2 * h)
    moved = [integrate(D.f, [1e-6 * (j == i) for j in range(7)], dense, 2 * h) for i in range(3)]
    print("sensitivity: COM3 distance / 1e-6 after raising one initial angle by 1e-6")
    for k, t in enumerate(dense):
        print(f"   t={t:<5g}", "  ".join(
            f"th{i + 1}: {math.dist(D.point(COM3, mv[k]), D.point(COM3, base[k])) / 1e-6:9.4g}"
            for i, mv in enumerate(moved)))
    fine = integrate(D.f, D.y0, [0.005 * k for k in range(1, 1001)], 0.005)
    lens = [[e[2] for e in D.rates(y[:3], y[3:6])[1]] for y in fine]
    print("shortest spring lengths over 0..5 s (sampled every 5 ms):", vec([min(c) for c in zip(*lens)], 5),
          " largest |omega|:", vec([max(abs(y[3 + i]) for y in fine) for i in range(3)], 5))
    print("semi-implicit Euler in the same coordinates: COM3 error (m) and observed order")
    hs = [2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4]
    runs = [semi_implicit_euler(D.accel, D.y0[:6], TIMES, s) for s in hs]
    for k, t in enumerate(TIMES):
        es = [math.dist(D.point(COM3, r[k]), D.point(COM3, ys[k])) for r in runs]
        print(f"   t={t:<4g}", "  ".join(f"h={s:g}: {e:.3e}" for s, e in zip(hs, es)),
              "  orders", " ".join(f"{math.log2(p / q):.2f}" for p, q in zip(es, es[1:])))
    c = Checks()
    rnd, worst = random.Random(1), 0.0
    for _ in range(200):
        q = [rnd.uniform(-3, 3) for _ in range(3)]
        v = [rnd.uniform(-5, 5) for _ in range(3)]
        worst = max(worst, max(abs(p - r) for p, r in zip(D.accel(q, v), D.kkt(q, v)[0])))
    c.below("accelerations against maximal coordinates, 200 random states", worst, 1e-9)
    c.below("energy balance E + D - E0", float(bal), 1e-11)
    c.below("largest |h - h/2|", float(max(e[0] for e in errs)), 1e-9 if LONG else 1e-5)
    c.below("largest |gbs - gauss|", float(max(e[1] for e in errs)), 1e-9 if LONG else 1e-5)
    c.finish()


if __name__ == "__main__":
    main()
