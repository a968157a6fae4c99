"""Andrews' squeezing mechanism (IFToMM benchmark A03), one degree of freedom.

Seven rigid bodies in a plane, held by ten hinges, driven by a constant torque on
the crank, pulled by one spring; no gravity.  Data and initial values:
E. Hairer, G. Wanner, "Solving Ordinary Differential Equations II" (2nd ed. 1996),
section VII.7, after W. Schiehlen (ed.), "Multibody Systems Handbook" (1990); and
F. Mazzia, C. Magherini, "Test Set for Initial Value Problem Solvers" (2008),
"Andrews' squeezing mechanism", whose values at 0.03 s are checked below.
The benchmark: M. Gonzalez et al., Multibody System Dynamics 16 (2006), 179-190.

Coordinates of the test set: beta (crank K1 at O), Theta (rod K2 on K1 at F),
gamma (triangle K3 at B), delta (K5 at A), Phi (K4 on K5 at G), epsilon (K7 at
A), Omega (K6 on K7 at H).  K2, K3, K4, K6 meet in E.

Method: beta alone describes the motion.  E is where the circles about F and B
meet, G and H are where circles about A and E meet; every angle and centre of mass
follows, with first and second derivatives in beta by jets (v, v', v'').  With the
effective inertia J(beta) = sum m |p'|^2 + I psi'^2 and the spring's energy U(beta)
    J beta'' + J' beta'^2/2 + U' = M.
Checks: the test set's own equations (7 coordinates, 6 multipliers) at states on
the way; time as a quadrature of the energy integral over beta; two integrators;
the published values.

`squeezer.py yaml` prints bodies and joints of the scenario.
"""
import math
import sys
from refcommon import *

MASS = (0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498)
INERTIA = (2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)
XA, YA, XB, YB, XC, YC = -0.06934, -0.00227, -0.03635, 0.03273, 0.014, 0.072
D, DA, E, EA, RR, RA = 0.028, 0.0115, 0.02, 0.01421, 0.007, 0.00092
SS, SA, SB, SC, SD, TA, TB = 0.035, 0.01874, 0.01043, 0.018, 0.02, 0.02308, 0.00916
U, UA, UB, ZF, ZT, FA = 0.04, 0.01228, 0.00449, 0.02, 0.04, 0.01421
TORQUE, C0, L0 = 0.033, 4530.0, 0.07785
NAMES = ("beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon")
START = (-0.0617138900142764496358948458001, 0.0, 0.455279819163070380255912382449,
         0.222668390165885884674473185609, 0.487364979543842550225598953530,
         -0.222668390165885884674473185609, 1.23054744454982119249735015568)
PUBLISHED = ("15.81077119629904", "-15.75637105984298", "0.04082224013073101", "-0.5347301163226948",
             "0.5244099658805304", "0.5347301163226948", "1.048080741042263")
TIMES = [0.005, 0.01, 0.015, 0.02, 0.025, 0.03]


class Jet:
    """Value, first and second derivative in beta."""
    __slots__ = ("v", "d", "s")

    def __init__(self, v, d=0.0, s=0.0):
        self.v, self.d, self.s = v, d, s

    def __add__(self, o):
        o = o if isinstance(o, Jet) else Jet(o)
        return Jet(self.v + o.v, self.d + o.d, self.s + o.s)

    __radd__ = __add__

    def __neg__(self):
        return Jet(-self.v, -self.d, -self.s)

    def __sub__(self, o):
        return self + (-o)

    def __rsub__(self, o):
        return (-self) + o

    def __mul__(self, o):
        if not isinstance(o, Jet):
            return Jet(self.v * o, self.d * o, self.s * o)
        return Jet(self.v * o.v, self.d * o.v + self.v * o.d, self.s * o.v + 2 * self.d * o.d + self.v * o.s)

    __rmul__ = __mul__

    def chain(self, f, f1, f2):
        return Jet(f, f1 * self.d, f1 * self.s + f2 * self.d * self.d)

    def inverse(self):
        return self.chain(1 / self.v, -1 / self.v ** 2, 2 / self.v ** 3)


def jsqrt(a):
    r = math.sqrt(a.v)
    return a.chain(r, 0.5 / r, -0.25 / (r * a.v))


def jcos(a):
    return a.chain(math.cos(a.v), -math.sin(a.v), -math.cos(a.v))


def jsin(a):
    return a.chain(math.sin(a.v), math.cos(a.v), -math.sin(a.v))


def jatan2(y, x):
    """Any branch: the caller counts turns."""
    r2 = x * x + y * y
    # derivative (x y' - y x')/r^2, as a jet of one order less
    num0 = x.v * y.d - y.v * x.d
    num1 = x.v * y.s - y.v * x.s
    return Jet(math.atan2(y.v, x.v), num0 / r2.v, num1 / r2.v - num0 * r2.d / r2.v ** 2)


def meet(px, py, rp, qx, qy, rq, side):
    """Where the circle of radius rp about p meets that of rq about q; side +1: to the left of p -> q."""
    dx, dy = qx - px, qy - py
    d2 = dx * dx + dy * dy
    a = 0.5 * (1.0 + (rp * rp - rq * rq) * d2.inverse())
    h = side * jsqrt(rp * rp * d2.inverse() - a * a)
    return px + a * dx - h * dy, py + a * dy + h * dx


def mechanism(beta):
    """Jets in beta: the seven coordinates, and centre and angle of every body."""
    b = Jet(beta, 1.0)
    cb, sb = jcos(b), jsin(b)
    fx, fy = RR * cb, RR * sb
    ex, ey = meet(fx, fy, D, Jet(XB), Jet(YB), SS, 1)
    gx, gy = meet(Jet(XA), Jet(YA), ZT, ex, ey, E, 1)
    hx, hy = meet(Jet(XA), Jet(YA), U, ex, ey, ZF, -1)
    k2 = jatan2(fy - ey, fx - ex)                # beta + Theta
    gamma = jatan2(ex - XB, YB - ey)
    delta = jatan2(gy - YA, gx - XA)
    k4 = jatan2(ex - gx, gy - ey)                # Phi + delta
    eps = jatan2(hx - XA, YA - hy)
    k6 = jatan2(ey - hy, ex - hx)                # Omega + epsilon
    cg, sg, cd, sd, ce, se = jcos(gamma), jsin(gamma), jcos(delta), jsin(delta), jcos(eps), jsin(eps)
    angles = (b, k2, gamma, k4, delta, k6, eps)
    centres = ((RA * cb, RA * sb),
               (fx - DA * jcos(k2), fy - DA * jsin(k2)),
               (XB + SA * sg + SB * cg, YB - SA * cg + SB * sg),
               (gx + (E - EA) * jsin(k4), gy - (E - EA) * jcos(k4)),
               (XA + TA * cd - TB * sd, YA + TA * sd + TB * cd),
               (hx + (ZF - FA) * jcos(k6), hy + (ZF - FA) * jsin(k6)),
               (XA + UA * se - UB * ce, YA - UA * ce - UB * se))
    points = {"F": (fx, fy), "E": (ex, ey), "G": (gx, gy), "H": (hx, hy),
              "D": (XB + SC * sg + SD * cg, YB - SC * cg + SD * sg)}
    q = (b, k2 - b, gamma, k4 - delta, delta, k6 - eps, eps)
    return q, centres, angles, points


def effective(beta):
    """J, dJ/dbeta, U, dU/dbeta."""
    _, centres, angles, points = mechanism(beta)
    j = dj = 0.0
    for m, i, (x, y), a in zip(MASS, INERTIA, centres, angles):
        j += m * (x.d ** 2 + y.d ** 2) + i * a.d ** 2
        dj += 2 * (m * (x.d * x.s + y.d * y.s) + i * a.d * a.s)
    x, y = points["D"]
    x, y = x - XC, y - YC
    length = jsqrt(x * x + y * y)
    return j, dj, 0.5 * C0 * (length.v - L0) ** 2, C0 * (length.v - L0) * length.d


def f(t, y):
    j, dj, _, du = effective(y[0])
    return [y[1], (TORQUE - du - 0.5 * dj * y[1] ** 2) / j]


def energy(y):
    j, _, u, _ = effective(y[0])
    return 0.5 * j * y[1] ** 2 + u - TORQUE * (y[0] - START[0])


def coordinates(beta):
    """The seven coordinates, Theta counting turns (K2 itself only swings)."""
    q = [x.v for x in mechanism(beta)[0]]
    q[1] = (q[0] + q[1]) % (2 * math.pi) - beta          # K2's angle stays within one turn
    if q[1] + beta > math.pi:
        q[1] -= 2 * math.pi
    for i in (3, 5):
        q[i] = (q[i] + math.pi) % (2 * math.pi) - math.pi
    return q


def test_set_accelerations(q, v):
    """Equations of the test set: 7 accelerations from M a + G^T lambda = f, G a = -g_qq(v, v)."""
    be, th, ga, ph, de, om, ep = q
    bp, tp, gp, pp, dp, op, pe = v
    s, c = math.sin, math.cos
    m1, m2, m3, m4, m5, m6, m7 = MASS
    i1, i2, i3, i4, i5, i6, i7 = INERTIA
    m = [[0.0] * 7 for _ in range(7)]
    m[0][0] = m1 * RA ** 2 + m2 * (RR ** 2 - 2 * DA * RR * c(th) + DA ** 2) + i1 + i2
    m[1][0] = m[0][1] = m2 * (DA ** 2 - DA * RR * c(th)) + i2
    m[1][1] = m2 * DA ** 2 + i2
    m[2][2] = m3 * (SA ** 2 + SB ** 2) + i3
    r4, r6 = E - EA, ZF - FA
    m[3][3] = m4 * r4 ** 2 + i4
    m[4][3] = m[3][4] = m4 * (r4 ** 2 + ZT * r4 * s(ph)) + i4
    m[4][4] = m4 * (ZT ** 2 + 2 * ZT * r4 * s(ph) + r4 ** 2) + m5 * (TA ** 2 + TB ** 2) + i4 + i5
    m[5][5] = m6 * r6 ** 2 + i6
    m[6][5] = m[5][6] = m6 * (r6 ** 2 - U * r6 * s(om)) + i6
    m[6][6] = m6 * (r6 ** 2 - 2 * U * r6 * s(om) + U ** 2) + m7 * (UA ** 2 + UB ** 2) + i6 + i7
    xd, yd = SD * c(ga) + SC * s(ga) + XB, SD * s(ga) - SC * c(ga) + YB
    length = math.hypot(xd - XC, yd - YC)
    force = -C0 * (length - L0) / length
    fx, fy = force * (xd - XC), force * (yd - YC)
    rhs = [TORQUE - m2 * DA * RR * tp * (tp + 2 * bp) * s(th), m2 * DA * RR * bp ** 2 * s(th),
           fx * (SC * c(ga) - SD * s(ga)) + fy * (SD * c(ga) + SC * s(ga)),
           m4 * ZT * r4 * dp ** 2 * c(ph), -m4 * ZT * r4 * pp * (pp + 2 * dp) * c(ph),
           -m6 * U * r6 * pe ** 2 * c(om), m6 * U * r6 * op * (op + 2 * pe) * c(om)]
    bt, pd, oe = be + th, ph + de, om + ep
    g = [[0.0] * 7 for _ in range(6)]
    for r in (0, 2, 4):
        g[r][0], g[r][1] = -RR * s(be) + D * s(bt), D * s(bt)
        g[r + 1][0], g[r + 1][1] = RR * c(be) - D * c(bt), -D * c(bt)
    g[0][2], g[1][2] = -SS * c(ga), -SS * s(ga)
    g[2][3], g[2][4] = -E * c(pd), -E * c(pd) + ZT * s(de)
    g[3][3], g[3][4] = -E * s(pd), -E * s(pd) - ZT * c(de)
    g[4][5], g[4][6] = ZF * s(oe), ZF * s(oe) - U * c(ep)
    g[5][5], g[5][6] = -ZF * c(oe), -ZF * c(oe) - U * s(ep)
    cx = -RR * c(be) * bp ** 2 + D * c(bt) * (bp + tp) ** 2
    cy = -RR * s(be) * bp ** 2 + D * s(bt) * (bp + tp) ** 2
    quad = [cx + SS * s(ga) * gp ** 2, cy - SS * c(ga) * gp ** 2,
            cx + E * s(pd) * (pp + dp) ** 2 + ZT * c(de) * dp ** 2,
            cy - E * c(pd) * (pp + dp) ** 2 + ZT * s(de) * dp ** 2,
            cx + ZF * c(oe) * (op + pe) ** 2 + U * s(ep) * pe ** 2,
            cy + ZF * s(oe) * (op + pe) ** 2 - U * c(ep) * pe ** 2]
    a = [m[i] + [g[k][i] for k in range(6)] for i in range(7)] + [g[k] + [0.0] * 6 for k in range(6)]
    return solve(a, rhs + [-x for x in quad])[:7]


def time_by_quadrature(beta1, panels):
    """t = integral of sqrt(J/2/(U0 - U + M (beta - beta0))) d beta; beta = beta0 + s^2 takes the start at rest."""
    u0 = effective(START[0])[2]
    x, w, _ = gauss_tableau(10)
    top, total = math.sqrt(beta1 - START[0]), 0.0
    for p in range(panels):
        for xi, wi in zip(x, w):
            s = top * (p + xi) / panels
            j, _, u, _ = effective(START[0] + s * s)
            total += wi * top / panels * 2 * s * math.sqrt(0.5 * j / (u0 - u + TORQUE * s * s))
    return total


def yaml():
    q, centres, angles, points = mechanism(START[0])
    print("bodies:")
    for k in range(7):
        x, y = centres[k]
        i = INERTIA[k]
        print(f"  k{k + 1}: {{mass: {MASS[k]}, inertia: [{i / 2:.4e}, {i / 2:.4e}, {i:.4e}], "
              f"shape: {{kind: sphere, radius: 0.003}}, "
              f"position: [{x.v:.17g}, {y.v:.17g}, 0], orientation: {{axis: [0, 0, 1], angle_rad: {angles[k].v:.17g}}}}}")
    print("joints:")
    for name, a, b, p in (("o", "world", "k1", (0, 0)), ("f", "k1", "k2", "F"), ("b", "world", "k3", (XB, YB)),
                          ("a5", "world", "k5", (XA, YA)), ("g", "k5", "k4", "G"),
                          ("a7", "world", "k7", (XA, YA)), ("h", "k7", "k6", "H"),
                          ("e2", "k3", "k2", "E"), ("e4", "k3", "k4", "E"), ("e6", "k3", "k6", "E")):
        x, y = p if isinstance(p, tuple) else (points[p][0].v, points[p][1].v)
        print(f"  {name}: {{kind: hinge, between: [{a}, {b}], at: [{x:.17g}, {y:.17g}, 0], axis: [0, 0, 1]}}")
    x, y = points["D"]
    print(f"  spring: {{kind: spring, between: [world, k3], points: [[{XC}, {YC}, 0], [{x.v:.17g}, {y.v:.17g}, 0]], "
          f"stiffness: 4530, length: 0.07785}}")
    print("loads:\n  drive: {kind: torque, body: k1, torque: [0, 0, 0.033]}")


def main():
    c = Checks()
    q0 = coordinates(START[0])
    c.below("initial values of the test set against the closed loop", max(abs(a - b) for a, b in zip(q0, START)), 1e-14)
    h = 1e-4
    ys, errs = reference(f, [START[0], 0.0], TIMES, h)
    e0 = energy([START[0], 0.0])
    for t, y in zip(TIMES, ys):
        q = coordinates(y[0])
        _, _, u, _ = effective(y[0])
        print(f" t={t:g}  beta' {num(y[1])}  spring {num(u)} J  work of the torque {num(TORQUE * (y[0] - START[0]))} J"
              f"  kinetic {num(0.5 * effective(y[0])[0] * y[1] ** 2)} J")
        for n, a, b in zip(NAMES, q, START):
            print(f"   {n:8s} {num(a, 14)}   since the start {num(a - b, 14)}")
        print("   centres", " ".join(f"K{k + 1} {vec([x.v, z.v], 12)}" for k, (x, z) in enumerate(mechanism(y[0])[1])))
    print_errors(TIMES, errs, h)
    for n, a, text in zip(NAMES, coordinates(ys[-1][0]), PUBLISHED):
        c.close(f"{n} at 0.03 s, published", a, float(text), 1e-8)
    worst = 0.0
    for y in integrate(f, [START[0], 0.0], [0.0003 * k for k in range(1, 100)], h):
        jets = mechanism(y[0])[0]
        acc = f(0, y)[1]
        want = [a.d * acc + a.s * y[1] ** 2 for a in jets]
        got = test_set_accelerations(coordinates(y[0]), [a.d * y[1] for a in jets])
        worst = max(worst, max(abs(a - b) for a, b in zip(want, got)) / max(abs(a) for a in want))
    c.below("accelerations against the test set's equations, 99 states, relative", worst, 1e-9)
    c.below("energy drift, relative to the work of the torque", max(abs(energy(y) - e0) for y in ys) / 0.5, 1e-11)
    t = time_by_quadrature(ys[-1][0], 160)
    c.below("time at the last beta by quadrature of the energy, s", abs(t - TIMES[-1]), 1e-12)
    c.below("quadrature, 160 against 80 panels, s", abs(t - time_by_quadrature(ys[-1][0], 80)), 1e-11)
    c.below("largest |h - h/2| in beta, beta'", max(e[0] for e in errs), 1e-10)
    c.below("largest |gbs - gauss|", max(e[1] for e in errs), 1e-10)
    c.finish()


if __name__ == "__main__":
    if sys.argv[1:] == ["yaml"]:
        yaml()
    else:
        main()
