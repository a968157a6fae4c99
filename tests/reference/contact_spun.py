"""An ellipsoid of revolution that spins and slides on a smooth level plane.

Nothing pushes sideways or about the vertical, and the force of the plane meets the axis: the momentum along the plane, L_z, the
spin L_3 about the axis, and the energy stay. They leave one angle, the tilt th of the axis (half axes a, a, c; moments A, A, C):
    (A + m z'^2) th'' + m z' z'' th'^2 + d/dth [(L_z - L_3 cos th)^2/(2 A sin^2 th) + m g z] = 0,  z = sqrt(a^2 sin^2 + c^2 cos^2)
Checked in world coordinates, rho from the point of contact to the centre (contact_rolling.py), u = rho x n:
    N (1/m + u . I^-1 u) = g - u . I^-1 (w x I w) + n . (w x rho'),   I w' = -w x I w - N u
"""
import math
from refcommon import *
from contact_rolling import Ellipsoid, G, N, add, turned

TIMES = [0.3, 0.8, 1.9]
a, c, m = 0.1, 0.06, 2.0
A, C = m / 5 * (a * a + c * c), 2 * m / 5 * a * a
TILT, SPIN, ROUND = math.radians(30), 20.0, 2.0  # about the axis, about the vertical


class Spun(Ellipsoid):
    radii = (a, a, c)

    def equations(self, t, y):
        q, om = y[:4], y[4:7]
        R = quat_matrix(q)
        rho, drho = self.arm(R, om)
        I = matmul(matmul(R, [[self.I[i] * (i == j) for j in range(3)] for i in range(3)]), transpose(R))
        gyro, u = cross(om, matvec(I, om)), cross(rho, N)
        by_force, by_gyro = solve(I, u), solve(I, gyro)
        force = (G - dot(u, by_gyro) + cross(om, drho)[2]) / (1 / self.m + dot(u, by_force))
        return [0.5 * x for x in quat_mul([0.0] + list(om), q)] + [-x - force * v for x, v in zip(by_gyro, by_force)]

    def kept(self, y):
        """L_z, L_3, energy"""
        R, om = quat_matrix(y[:4]), y[4:7]
        rho, _ = self.arm(R, om)
        w = matvec(transpose(R), om)
        body = [i * x for i, x in zip(self.I, w)]
        rise = cross(om, rho)[2]
        return matvec(R, body)[2], body[2], 0.5 * dot(w, body) + 0.5 * self.m * rise ** 2 + self.m * G * rho[2]


def height(th):
    return math.sqrt((a * math.sin(th)) ** 2 + (c * math.cos(th)) ** 2)


def tilt(Lz, L3):
    def f(t, y):
        th, dth = y
        s, co, z = math.sin(th), math.cos(th), height(th)
        z1 = (a * a - c * c) * s * co / z
        z2 = (a * a - c * c) * (co * co - s * s) / z - z1 * z1 / z
        p = Lz - L3 * co
        slope = p * L3 / (A * s) - p * p * co / (A * s ** 3) + m * G * z1
        return [dth, -(slope + m * z1 * z2 * dth * dth) / (A + m * z1 * z1)]
    return f


if __name__ == "__main__":
    checks = Checks()
    q0 = turned([1.0, 0.0, 0.0], math.degrees(TILT))
    R = quat_matrix(q0)
    om0 = add([SPIN * R[i][2] for i in range(3)], N, ROUND)
    case = Spun(m, [A, A, C], q0, om0)
    L = case.kept(q0 + om0)
    print(f"starts at height {num(height(TILT), 17)}, spin {vec(om0, 17)}; L_z {num(L[0], 17)}, L_3 {num(L[1], 17)}, energy {num(L[2], 17)}")
    ys, errs = reference(tilt(L[0], L[1]), [TILT, 0.0], TIMES, 0.005)
    checks.below("integration error", max(max(e) for e in errs), 1e-10)
    full, errs = reference(case.equations, q0 + om0, TIMES, 0.01)
    checks.below("integration error, world coordinates", max(max(e) for e in errs), 1e-9)
    for t, y, w in zip(TIMES, ys, full):
        z = case.arm(quat_matrix(w[:4]), w[4:7])[0][2]
        print(f"  t={t:<4g} height {num(height(y[0]))}  tilt {num(math.degrees(y[0]))} deg")
        checks.below(f"height in world coordinates at {t:g} s", abs(z - height(y[0])), 1e-11)
        checks.below(f"what is kept at {t:g} s", max(abs(p - q) for p, q in zip(case.kept(w), L)), 1e-10)
    heights = [height(y[0]) for y in integrate(tilt(L[0], L[1]), [TILT, 0.0], [0.005 * k for k in range(1, 401)], 0.005)]
    print(f"  heights from {num(min(heights))} to {num(max(heights))}")
    checks.finish()
