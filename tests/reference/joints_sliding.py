"""Sliding joints in minimal coordinates: slider, cylindrical, screw, planar.

slider_cart: cart of mass M on a level rail along x with spring k and damper c along it, and a rod (mass m,
    length 2 l, inertia I about its centre) hinged to it about +y, turned by th from hanging down:
    (M + m) x'' - m l (cos th th'' - sin th th'^2) = -k x - c x'
    (I + m l^2) th'' - m l cos th x'' = -m g l sin th
slider_rod: rod on a hinge about +y at the origin, along (cos th, 0, -sin th); a bead (mass m2, inertia I2)
    slides on it at distance r with spring k (free at r0) and damper c:
    (J + I2 + m2 r^2) th'' = -2 m2 r r' th' + (m1 L/2 + m2 r) g cos th
    m2 r'' = m2 r th'^2 + m2 g sin th - k (r - r0) - c r'
cylindrical: body with its centre at distance e from a vertical axis, spring along and torsion spring about it:
    m z'' = -m g - k z,   (I + m e^2) ph'' = -q ph       (closed form)
screw: nut on a fixed vertical screw, lead b = pitch/(2 pi), on its axis: (m + I/b^2) z'' = -m g (closed form);
    two free bodies on a screw with a torsion spring: ph = rest (1 - cos w t), w^2 = q/(mu b^2 + i), mu and i the
    reduced mass and inertia (closed form)
planar: body on a plane inclined by 30 degrees, joint point at -e from the centre in body axes, springs on the
    joint point along x (level) and y (up the slope), torsion spring on the angle ph:
    m X'' = -k1 x, m Y'' = -k2 y - m g sin 30, I ph'' = (p - X) x F - q ph,   p = X - e (cos ph, sin ph)
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


def solved(name, f, y0, energy=None, loss=None, h=0.02):
    """States at TIMES, with the error estimates and the energy balance checked."""
    ys, errs = reference(f, y0, TIMES, h)
    checks.below(f"{name}: integration error", max(max(e) for e in errs), 1e-9)
    if energy:
        checks.below(f"{name}: energy balance", max(abs(energy(y) - energy(y0)) for y in ys), 1e-9)
    return ys


# --- slider_cart
M, m, l, K, C = 2.0, 1.0, 0.5, 40.0, 0.5
I = m * (0.05 ** 2 + 1.0 ** 2) / 12


def cart(t, y, c=C):
    x, th, v, w, _ = y
    a = [[M + m, -m * l * math.cos(th)], [-m * l * math.cos(th), I + m * l * l]]
    b = [-K * x - c * v - m * l * math.sin(th) * w * w, -m * G * l * math.sin(th)]
    acc = solve(a, b)
    return [v, w, acc[0], acc[1], c * v * v]


def cart_energy(y):
    x, th, v, w, lost = y
    return (0.5 * (M + m) * v * v - m * l * math.cos(th) * v * w + 0.5 * (I + m * l * l) * w * w
            - m * G * l * math.cos(th) + 0.5 * K * x * x + lost)


for t, y in zip(TIMES, solved("slider_cart", cart, [0.0, math.pi / 3, 0.0, 0.0, 0.0], cart_energy)):
    show("slider", "displacement", "rail", t, y[0])
    show("slider", "position.x", "rod", t, y[0] - l * math.sin(y[1]))
    show("slider", "position.z", "rod", t, -l * math.cos(y[1]))

# --- slider_rod
m1, L, m2, r0, k2, c2 = 1.5, 1.2, 0.8, 0.5, 60.0, 0.4
J = m1 * (L ** 2 + 0.04 ** 2) / 12 + m1 * (L / 2) ** 2
I2 = m2 * (0.1 ** 2 + 0.1 ** 2) / 12


def rod(t, y):
    th, r, w, v, _ = y
    return [w, v, (-2 * m2 * r * v * w + (m1 * L / 2 + m2 * r) * G * math.cos(th)) / (J + I2 + m2 * r * r),
            r * w * w + G * math.sin(th) - (k2 * (r - r0) + c2 * v) / m2, c2 * v * v]


def rod_energy(y):
    th, r, w, v, lost = y
    return (0.5 * (J + I2 + m2 * r * r) * w * w + 0.5 * m2 * v * v - (m1 * L / 2 + m2 * r) * G * math.sin(th)
            + 0.5 * k2 * (r - r0) ** 2 + lost)


for t, y in zip(TIMES, solved("slider_rod", rod, [0.0, r0, 0.0, 0.0, 0.0], rod_energy)):
    show("slider", "displacement", "guide", t, y[1] - r0)
    show("slider", "angle", "pin", t, y[0])

# --- cylindrical
mc, e, kc, qc = 2.0, 0.2, 60.0, 1.5
Ic = mc * (0.3 ** 2 + 0.2 ** 2) / 12 + mc * e * e
wz, wp, spin = math.sqrt(kc / mc), math.sqrt(qc / Ic), 3.0
for t in TIMES:
    show("cylindrical", "displacement", "axis", t, -mc * G / kc * (1 - math.cos(wz * t)))
    ph = spin / wp * math.sin(wp * t)
    show("cylindrical", "angle", "axis", t, ph)
    show("cylindrical", "position.y", "body", t, e * math.sin(ph))

# --- screw
ms, Is, pitch = 2.0, 0.5, 0.5
b = pitch / (2 * math.pi)
a = ms * G / (ms + Is / b ** 2)
for t in TIMES:
    show("screw", "position.z", "nut", t, -0.5 * a * t * t)
    show("screw", "angle", "thread", t, -0.5 * a * t * t / b)
mA, mB, iA, iB, qs, rest, pf = 1.0, 2.0, 0.02, 0.05, 0.4, 3.0, -0.8
bf = pf / (2 * math.pi)
mu, ir = mA * mB / (mA + mB), iA * iB / (iA + iB)
ws = math.sqrt(qs / (mu * bf ** 2 + ir))
for t in TIMES:
    ph = rest * (1 - math.cos(ws * t))
    show("screw", "angle", "left_hand", t, ph)
    show("screw", "position.z", "bolt", t, 5 + mA / (mA + mB) * bf * ph)

# --- planar
mp, ep, k1, k2p, qp, s30 = 1.5, 0.15, 30.0, 50.0, 0.3, 0.5
Ip = mp * (0.4 ** 2 + 0.2 ** 2) / 12


def plane(t, y):
    X, Y, ph, U, V, w = y
    cx, cy = -ep * math.cos(ph), -ep * math.sin(ph)      # from the centre to the joint point
    fx, fy = -k1 * (X + cx + ep), -k2p * (Y + cy)        # the joint point starts at (-ep, 0): coordinates 0
    return [U, V, w, fx / mp, fy / mp - G * s30, (cx * fy - cy * fx - qp * ph) / Ip]


def plane_energy(y):
    X, Y, ph, U, V, w = y
    x, yy = X - ep * math.cos(ph) + ep, Y - ep * math.sin(ph)
    return (0.5 * mp * (U * U + V * V) + 0.5 * Ip * w * w + mp * G * s30 * Y + 0.5 * k1 * x * x + 0.5 * k2p * yy * yy
            + 0.5 * qp * ph * ph)


for t, y in zip(TIMES, solved("planar", plane, [0.0, 0.0, 0.0, 0.5, 0.0, 2.0], plane_energy)):
    show("planar", "position.y", "plate", t, y[0])
    show("planar", "position.z", "plate", t, y[1] * s30)
    show("planar", "angle", "table", t, y[2])
    show("planar", "x", "table", t, y[0] - ep * math.cos(y[2]) + ep)
checks.finish()
