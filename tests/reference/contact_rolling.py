"""Bodies that roll without slip on a level plane: a top with a ball as tip, a cylinder on the rim of a face, an ellipsoid.

From the point of contact to the centre of mass rho; I the tensor of inertia about the centre of mass, n up:
    v = w x rho,  [I + m (rho^2 - rho rho^T)] w' = -w x I w - m rho x (w x rho' + g n)
top       ball of radius b, its centre d below the centre of mass on the axis e:  rho = d e + b n
cylinder  on the rim of its lower face, e up its axis:  rho = r (n - (n.e) e)/|..| + (l/2) e
ellipsoid B = R diag(a^2) R^T:  rho = B n/sqrt(n.B n)
"""
import math
from refcommon import *

G = 9.81
N = [0.0, 0.0, 1.0]
TIMES = [0.5, 1.0, 2.0]


def add(a, b, k=1.0):
    return [x + k * y for x, y in zip(a, b)]


class Rolling:
    def __init__(self, m, inertia, q0, om0, p0=(0.0, 0.0)):
        self.m, self.I, self.q0, self.om0, self.p0 = m, inertia, q0, om0, list(p0)

    def equations(self, t, y):
        q, om = y[2:6], y[6:9]
        R = quat_matrix(q)
        rho, drho = self.arm(R, om)
        I = matmul(matmul(R, [[self.I[i] * (i == j) for j in range(3)] for i in range(3)]), transpose(R))
        s = dot(rho, rho)
        lhs = [[I[i][j] + self.m * (s * (i == j) - rho[i] * rho[j]) for j in range(3)] for i in range(3)]
        gyro = cross(om, matvec(I, om))
        push = cross(rho, add(cross(om, drho), N, G))
        dom = solve(lhs, [-gyro[i] - self.m * push[i] for i in range(3)])
        v = cross(om, rho)
        return v[:2] + [0.5 * x for x in quat_mul([0.0] + list(om), q)] + dom

    def start(self):
        rho, _ = self.arm(quat_matrix(self.q0), self.om0)
        return self.p0 + [rho[2]], cross(self.om0, rho)

    def energy(self, y):
        R, om = quat_matrix(y[2:6]), y[6:9]
        rho, _ = self.arm(R, om)
        v, w = cross(om, rho), matvec(transpose(R), om)
        return 0.5 * self.m * dot(v, v) + 0.5 * sum(i * x * x for i, x in zip(self.I, w)) + self.m * G * rho[2]

    def load(self, y):
        """Force of the plane over weight: normal, and what friction it takes over the normal force."""
        f = self.equations(0, y)
        rho, drho = self.arm(quat_matrix(y[2:6]), y[6:9])
        a = add(cross(f[6:9], rho), cross(y[6:9], drho))
        return (a[2] + G) / G, math.hypot(a[0], a[1]) / (a[2] + G)

    def solve(self, h, times=TIMES):
        y0 = self.p0 + self.q0 + self.om0
        ys, errs = reference(self.equations, y0, times, h)
        return ys, max(max(e) for e in errs), max(abs(self.energy(y) - self.energy(y0)) for y in ys)

    def height(self, y):
        return self.arm(quat_matrix(y[2:6]), y[6:9])[0][2]


class Top(Rolling):
    d, b = 0.05, 0.004

    def arm(self, R, om):
        e = [R[i][2] for i in range(3)]
        de = cross(om, e)
        return add([self.d * x for x in e], N, self.b), [self.d * x for x in de]


class Cylinder(Rolling):
    r, half = 0.3, 0.01

    def arm(self, R, om):
        e = [R[i][2] for i in range(3)]
        de = cross(om, e)
        u = add(N, e, -e[2])
        du = [-de[2] * x - e[2] * dx for x, dx in zip(e, de)]
        n = math.sqrt(dot(u, u))
        dn = dot(u, du) / n
        rho = [self.r * x / n + self.half * y for x, y in zip(u, e)]
        return rho, [self.r * (dx / n - x * dn / n ** 2) + self.half * y for x, dx, y in zip(u, du, de)]


class Ellipsoid(Rolling):
    radii = (0.1, 0.14, 0.2)

    def arm(self, R, om):
        D = [[self.radii[i] ** 2 * (i == j) for j in range(3)] for i in range(3)]
        B = matmul(matmul(R, D), transpose(R))
        Bn = matvec(B, N)
        dBn = add(cross(om, Bn), matvec(B, cross(om, N)), -1.0)
        s = math.sqrt(Bn[2])
        ds = dBn[2] / (2 * s)
        return [x / s for x in Bn], [dx / s - x * ds / s ** 2 for x, dx in zip(Bn, dBn)]


def turned(axis, deg):
    c, s = math.cos(math.radians(deg) / 2), math.sin(math.radians(deg) / 2)
    return [c] + [s * x for x in axis]


def along(q, spin, up=0.0):
    R = quat_matrix(q)
    return [spin * R[i][2] + up * N[i] for i in range(3)]


QT, QC = turned([1.0, 0.0, 0.0], 20), turned([1.0, 0.0, 0.0], 70)
QE = quat_mul(turned([0.0, 1.0, 0.0], 80), turned([0.0, 0.0, 1.0], 25))
mc, rc, lc = 1.0, 0.3, 0.02
me = 2.0
CASES = {
    "top": Top(0.3, [2.0e-4, 2.0e-4, 1.5e-4], QT, along(QT, 150.0)),
    "wheel": Cylinder(mc, [mc * (3 * rc ** 2 + lc ** 2) / 12] * 2 + [mc * rc ** 2 / 2], QC, along(QC, 6.0, 0.5), (0.0, 5.0)),
    "egg": Ellipsoid(me, [me / 5 * (0.14 ** 2 + 0.2 ** 2), me / 5 * (0.1 ** 2 + 0.2 ** 2), me / 5 * (0.1 ** 2 + 0.14 ** 2)],
                     QE, [0.3, 3.0, 0.5], (0.0, 10.0)),
}

if __name__ == "__main__":
    checks = Checks()
    for name, case in CASES.items():
        ys, error, balance = case.solve(0.005 if name == "top" else 0.02)
        p, v = case.start()
        print(f"{name}: starts at {vec(p, 17)}, velocity {vec(v, 17)}, spin {vec(case.om0, 17)}, turned {vec(case.q0, 17)}")
        checks.below(f"{name}: integration error", error, 1e-9)
        checks.below(f"{name}: energy balance", balance, 1e-9)
        for t, y in zip(TIMES, ys):
            print(f"  t={t:<4g} position ({num(y[0])}, {num(y[1])}, {num(case.height(y))})")
        loads = [case.load(y) for y in case.solve(0.04, [0.04 * k for k in range(1, 51)])[0]]
        print(f"  load over weight {min(l[0] for l in loads):.3f} to {max(l[0] for l in loads):.3f}, "
              f"needs friction {max(l[1] for l in loads):.3f}")
    checks.finish()
