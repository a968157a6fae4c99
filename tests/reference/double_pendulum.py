"""Double pendulum of two rigid rods (boxes), minimal coordinates.

Model: link 1 mass 1.0, box 1.0 x 0.05 x 0.05; link 2 mass 0.8, box
0.7 x 0.05 x 0.05 (length along body x); COM at mid-length; inertia about y
m (lx^2 + lz^2)/12; hinge 1 at the origin, hinge 2 at the end of link 1, axes
y; g = 9.81 along -z; both start along +x at rest.
Coordinates: absolute angles th1, th2, right-handed about +y, so the rod
direction is (cos th, 0, -sin th) and theta' = world omega_y.
With a = L/2, d = th1 - th2:
    (I1 + m1 a1^2 + m2 L1^2) th1'' + m2 L1 a2 cos d th2'' = (m1 a1 + m2 L1) g cos th1 - m2 L1 a2 sin d th2'^2
    m2 L1 a2 cos d th1'' + (I2 + m2 a2^2) th2''           = m2 a2 g cos th2           + m2 L1 a2 sin d th1'^2
Energy zero: at z = 0 at rest, so E = 0 exactly.
The equations are checked at random states against Newton-Euler with joint
constraints in maximal coordinates (refcommon.chain_kkt), which also gives the
hinge forces.
"""
import math
import random
from refcommon import *

M = (1.0, 0.8)
L = (1.0, 0.7)
S = 0.05
G = 9.81
I = tuple(m * (l * l + S * S) / 12 for m, l in zip(M, L))
A = tuple(l / 2 for l in L)
TIMES = [0.5, 1.0, 1.5, 2.0, 3.0]
M11 = I[0] + M[0] * A[0] ** 2 + M[1] * L[0] ** 2
M22 = I[1] + M[1] * A[1] ** 2
B = M[1] * L[0] * A[1]


def accel(q, v):
    d = q[0] - q[1]
    c, s = math.cos(d), math.sin(d)
    m12 = B * c
    r1 = (M[0] * A[0] + M[1] * L[0]) * G * math.cos(q[0]) - B * s * v[1] ** 2
    r2 = M[1] * A[1] * G * math.cos(q[1]) + B * s * v[0] ** 2
    det = M11 * M22 - m12 * m12
    return [(M22 * r1 - m12 * r2) / det, (M11 * r2 - m12 * r1) / det]


def f(t, y):
    return [y[2], y[3]] + accel(y[:2], y[2:])


def coms(q):
    c1, s1, c2, s2 = math.cos(q[0]), math.sin(q[0]), math.cos(q[1]), math.sin(q[1])
    return ([A[0] * c1, 0.0, -A[0] * s1],
            [L[0] * c1 + A[1] * c2, 0.0, -L[0] * s1 - A[1] * s2],
            [L[0] * c1 + L[1] * c2, 0.0, -L[0] * s1 - L[1] * s2])


def energy(y):
    q, v = y[:2], y[2:]
    c1, c2, _ = coms(q)
    kin = 0.5 * M11 * v[0] ** 2 + 0.5 * M22 * v[1] ** 2 + B * math.cos(q[0] - q[1]) * v[0] * v[1]
    return kin + G * (M[0] * c1[2] + M[1] * c2[2]), kin


def main():
    h = 0.005          # link 2 whips round near t = 1.75, so a small step
    y0 = [0.0] * 4
    ys, errs = reference(f, y0, TIMES, h)
    print(f"I1 = {I[0]:.14g}, I2 = {I[1]:.14g} kg m^2 about y at the COM")
    for t, y in zip(TIMES, ys):
        c1, c2, tip = coms(y[:2])
        e, kin = energy(y)
        _, fr = chain_kkt(M, I, L, G, y[:2], y[2:], [(0, 0)] * 2)
        print(f" t={t:g}\n   theta1, theta2   {vec(y[:2])}\n   omega1y, omega2y {vec(y[2:])}"
              f"\n   COM1 {vec(c1)}\n   COM2 {vec(c2)}\n   tip  {vec(tip)}"
              f"\n   kinetic {num(kin)}  total energy {e:.1e} (exact 0)"
              f"\n   force on link 1 at hinge 1 {vec((fr[0][0], 0.0, fr[0][1]), 12)}"
              f"\n   force on link 2 at hinge 2 {vec((fr[1][0], 0.0, fr[1][1]), 12)}")
    print_errors(TIMES, errs, h)
    print("sensitivity: distance (theta1, theta2) from the reference / 1e-6, and COM2 distance / 1e-6,")
    print("             after raising one initial angle by 1e-6 (dense in time)")
    dense = [0.25 * k for k in range(1, 21)]
    base = integrate(f, y0, dense, h)
    moved = [integrate(f, [1e-6 * (j == i) for j in range(4)], dense, h) for i in range(2)]
    for k, t in enumerate(dense):
        out = []
        for mv in moved:
            out.append(math.dist(mv[k][:2], base[k][:2]) / 1e-6)
            out.append(math.dist(coms(mv[k][:2])[1], coms(base[k][:2])[1]) / 1e-6)
        print(f"   t={t:<5g} th1+1e-6: angles {out[0]:9.4g} COM2 {out[1]:9.4g}    "
              f"th2+1e-6: angles {out[2]:9.4g} COM2 {out[3]:9.4g}")
    print("semi-implicit Euler in the same coordinates: COM2 error (m) and observed order")
    hs = [4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4]
    runs = [semi_implicit_euler(accel, y0, TIMES, s) for s in hs]
    for k, t in enumerate(TIMES):
        es = [math.dist(coms(r[k][:2])[1], coms(ys[k][:2])[1]) for r in runs]
        print(f"   t={t:<4g}", "  ".join(f"h={s:g}: {e:.3e}" for s, e in zip(hs, es)),
              "  orders", " ".join(f"{math.log2(p / q):.2f}" for p, q in zip(es, es[1:])))
    c = Checks()
    rnd, worst = random.Random(1), 0.0
    for _ in range(200):
        q = [rnd.uniform(-3, 3) for _ in range(2)]
        v = [rnd.uniform(-5, 5) for _ in range(2)]
        worst = max(worst, max(abs(p - r) for p, r in zip(
            accel(q, v), chain_kkt(M, I, L, G, q, v, [(0, 0)] * 2)[0])))
    c.below("accelerations against maximal coordinates, 200 random states", worst, 1e-10)
    c.below("energy drift", max(abs(energy(y)[0]) for y in ys), 1e-11)
    c.below("largest |h - h/2|", max(e[0] for e in errs), 1e-10)
    c.below("largest |gbs - gauss|", max(e[1] for e in errs), 1e-10)
    c.finish()


if __name__ == "__main__":
    main()
