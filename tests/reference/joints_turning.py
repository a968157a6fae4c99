"""Joints that turn, in minimal coordinates: fixed, universal, bushing.

fixed: two rods welded at a right angle, on a hinge about +y at the origin; centres at r_i = (x_i, z_i) at angle 0:
    J th'' = g sum m_i (x_i cos th + z_i sin th),  J = sum (I_i + m_i |r_i|^2)
universal_shafts: two shafts at the angle be, joined by a cross, free flywheels I1, I2. The arm of shaft 1 starts
    along the normal of the plane of the shafts; then (Cardan) tan p2 = cos be tan p1,
    r = dp2/dp1 = cos be/(cos^2 p1 + cos^2 be sin^2 p1), and the energy (I1 + I2 r^2) p1'^2/2 is constant.
universal_pendulum: rod on a cross at its upper end, arms x (fixed) and y (of the rod), R = Rx(q1) Ry(q2),
    P = I + m l^2 across, A along the rod:
    q1'' = (-m g l sin q1 cos q2 + 2 (P - A) q1' q2' sin q2 cos q2)/(P cos^2 q2 + A sin^2 q2)
    q2'' = -((P - A) q1'^2 sin q2 cos q2 + m g l cos q1 sin q2)/P
bushing: body held at its centre. Along each axis m s'' = -k s - c s' (+ weight); about z the torque of the
    measure 2 sin(ph/2) is -q sin ph - d cos^2(ph/2) ph':  I ph'' = that.
"""
import math
from refcommon import *

G = 9.81
ROWS = []
checks = Checks()
TIMES = [1.0, 2.0, 5.0]


def show(name, field, of, t, value):
    ROWS.append((name, field, of, t, value))
    print(f"  {name:12s} {of + '.' + field:24s} t={t:<4g} {num(value)}")


def solved(name, f, y0, energy=None, h=0.02):
    ys, errs = reference(f, y0, TIMES, h)
    checks.below(f"{name}: integration error", max(max(e) for e in errs), 1e-9)
    if energy:
        checks.below(f"{name}: energy balance", max(abs(energy(y) - energy(y0)) for y in ys), 1e-9)
    return ys


# --- fixed: rod 1 along x from the origin (length 1), rod 2 from its end upwards (length 0.6)
m1, m2 = 1.0, 0.7
r1, r2 = (0.5, 0.0), (1.0, 0.3)
J = (m1 * (1.0 ** 2 + 0.05 ** 2) / 12 + m1 * 0.25 + m2 * (0.6 ** 2 + 0.05 ** 2) / 12
     + m2 * (r2[0] ** 2 + r2[1] ** 2))


def weld(t, y):
    c, s = math.cos(y[0]), math.sin(y[0])
    return [y[1], G / J * sum(m * (r[0] * c + r[1] * s) for m, r in ((m1, r1), (m2, r2)))]


def weld_energy(y):
    c, s = math.cos(y[0]), math.sin(y[0])
    return 0.5 * J * y[1] ** 2 + G * sum(m * (-r[0] * s + r[1] * c) for m, r in ((m1, r1), (m2, r2)))


for t, y in zip(TIMES, solved("fixed", weld, [0.0, 0.0], weld_energy)):
    c, s = math.cos(y[0]), math.sin(y[0])
    show("fixed", "angle", "pin", t, y[0])
    show("fixed", "position.x", "upright", t, r2[0] * c + r2[1] * s)
    show("fixed", "position.z", "upright", t, -r2[0] * s + r2[1] * c)

# --- universal_shafts: the arm of shaft 1 starts along y, the normal of the plane (x, z) of the shafts
I1, I2, be, w0 = 0.02, 0.03, math.pi / 6, 4.0


def ratio(p1):
    return math.cos(be) / (math.cos(p1) ** 2 + (math.cos(be) * math.sin(p1)) ** 2)


E2 = (I1 + I2 * ratio(0.0) ** 2) * w0 ** 2


def shafts(t, y):
    w = math.sqrt(E2 / (I1 + I2 * ratio(y[0]) ** 2))
    return [w, ratio(y[0]) * w]


for t, y in zip(TIMES, solved("universal_shafts", shafts, [0.0, 0.0])):
    p2 = math.atan2(math.cos(be) * math.sin(y[0]), math.cos(y[0]))
    p2 += 2 * math.pi * round((y[1] - p2) / (2 * math.pi))
    checks.close(f"Cardan's angle, t={t:g}", y[1], p2, 1e-9)
    show("universal", "angle", "input", t, y[0])
    show("universal", "angle", "output", t, y[1])

# --- universal_pendulum
m, l = 1.2, 0.4
P = m * (0.8 ** 2 + 0.1 ** 2) / 12 + m * l * l
A = m * (0.1 ** 2 + 0.1 ** 2) / 12


def hooke(t, y):
    q1, q2, u, v = y
    s, c = math.sin(q2), math.cos(q2)
    return [u, v, (-m * G * l * math.sin(q1) * c + 2 * (P - A) * u * v * s * c) / (P * c * c + A * s * s),
            -((P - A) * u * u * s * c + m * G * l * math.cos(q1) * s) / P]


def hooke_energy(y):
    q1, q2, u, v = y
    s, c = math.sin(q2), math.cos(q2)
    return 0.5 * u * u * (P * c * c + A * s * s) + 0.5 * P * v * v - m * G * l * math.cos(q1) * c


for t, y in zip(TIMES, solved("universal_pendulum", hooke, [0.0, 0.0, 3.0, 2.0], hooke_energy)):
    q1, q2 = y[:2]
    show("universal", "first", "cross", t, q1)
    show("universal", "second", "cross", t, q2)
    # Rx(q1) Ry(q2) (0, 0, -l)
    show("universal", "position.x", "rod", t, -l * math.sin(q2))

# --- bushing
mb, k, c = 2.0, (50.0, 80.0, 200.0), (0.5, 0.0, 1.0)
v0 = (0.4, -0.3, 0.0)
Ib, q, d = mb * (0.3 ** 2 + 0.2 ** 2) / 12, 0.5, 0.01
for i, axis in enumerate("xyz"):
    s, f = c[i] / (2 * mb), (-G if axis == "z" else 0.0)
    w, rest = math.sqrt(k[i] / mb - s * s), f * mb / k[i]
    for t in TIMES:
        x = rest + math.exp(-s * t) * (-rest * math.cos(w * t) + (v0[i] - s * rest) / w * math.sin(w * t))
        show("bushing", "position." + axis, "block", t, x)


def twist(t, y):
    return [y[1], (-q * math.sin(y[0]) - d * math.cos(y[0] / 2) ** 2 * y[1]) / Ib]


for t, y in zip(TIMES, solved("bushing", twist, [0.0, 2.0])):
    show("bushing", "orientation.z", "block", t, math.sin(y[0] / 2))
    show("bushing", "angular_velocity.z", "block", t, y[1])
checks.finish()
