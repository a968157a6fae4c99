"""Nonholonomic joints and beads on wires, in minimal coordinates.

skate: knife edge under its centre on a plane inclined by a, let go with spin w and the blade down the slope
    (Neimark & Fufaev): down = g sin a/(2 w^2) sin^2 w t, across = g sin a/(2 w^2)(w t - sin(2 w t)/2): it drifts
    across and does not fall.
sleigh (Chaplygin): blade at distance a behind the centre on a level plane, v along the blade, w the spin:
    v' = a w^2,  (I + m a^2) w' = -m a v w;  from v = 0: v = V tanh(T), w = (V/k) / cosh(T), k^2 = I/m + a^2,
    V = k w0, T = a V t/k^2.
sphere: on a plane inclined by b, solid: 5/7 g sin b down the slope, uniform across it.
disc: thin disc of radius r on a level plane; from contact to centre rho = r (n - (n.e) e)/|..|, e its axis:
    v = w x rho,  [I + m (rho^2 - rho rho^T)] w' = -w x I w - m rho x (w x rho' + g n)
hoop: bead on a vertical hoop of radius R: ph'' = -(g/R) sin ph, ph from the bottom.
helix: bead on a helix of radius R and rise c per radian: s'' = -g c/sqrt(R^2 + c^2).
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


def solved(name, f, y0, energy=None, h=0.02, tol=1e-9):
    ys, errs = reference(f, y0, TIMES, h)
    checks.below(f"{name}: integration error", max(max(e) for e in errs), tol)
    if energy:
        checks.below(f"{name}: energy balance", max(abs(energy(y) - energy(y0)) for y in ys), tol)
    return ys


# --- skate: down the slope is (cos a, 0, -sin a), across is y
a, w = math.radians(20), 2.0
F = G * math.sin(a) / (2 * w * w)
sk = solved("skate", lambda t, y: [y[2] * math.cos(w * t), y[2] * math.sin(w * t), G * math.sin(a) * math.cos(w * t)],
            [0.0, 0.0, 0.0])
for t, y in zip(TIMES, sk):
    down, across = F * math.sin(w * t) ** 2, F * (w * t - 0.5 * math.sin(2 * w * t))
    checks.close(f"skate down, t={t:g}", down, y[0], 1e-11)
    checks.close(f"skate across, t={t:g}", across, y[1], 1e-11)
    show("skate", "position.y", "knife", t, across)
    show("skate", "position.z", "knife", t, -down * math.sin(a))

# --- sleigh
m, ac, w0 = 1.5, 0.3, 3.0
I = m * (0.8 ** 2 + 0.3 ** 2) / 12
k2 = I / m + ac * ac


def sleigh(t, y):
    X, Y, ph, v, om = y     # X, Y: the blade
    return [v * math.cos(ph), v * math.sin(ph), om, ac * om * om, -ac * v * om / k2]


for t, y in zip(TIMES, solved("sleigh", sleigh, [0.0, 0.0, 0.0, 0.0, w0],
                              lambda y: 0.5 * m * (y[3] ** 2 + k2 * y[4] ** 2))):
    V = math.sqrt(k2) * w0
    T = ac * V * t / k2
    checks.close(f"sleigh speed, t={t:g}", y[3], V * math.tanh(T), 1e-11)
    checks.close(f"sleigh spin, t={t:g}", y[4], w0 / math.cosh(T), 1e-11)
    show("skate", "position.x", "sleigh", t, y[0] + ac * math.cos(y[2]))
    show("skate", "position.y", "sleigh", t, 10 + y[1] + ac * math.sin(y[2]))
    show("skate", "angular_velocity.z", "sleigh", t, y[4])

# --- sphere: down the slope is (cos b, 0, -sin b)
b, across0 = math.radians(10), 0.3
for t in TIMES:
    down = 0.5 * 5 / 7 * G * math.sin(b) * t * t
    show("rolling", "position.x", "ball", t, down * math.cos(b))
    show("rolling", "position.y", "ball", t, across0 * t)

# --- disc: axis e in body z, moments (A, A, C)
md, r = 1.0, 0.3
Ad, Cd = md * r * r / 4, md * r * r / 2
N = [0.0, 0.0, 1.0]


def geometry(q, om):
    R = quat_matrix(q)
    e = [R[i][2] for i in range(3)]
    de = cross(om, e)
    ne, dne = e[2], de[2]
    u = [N[i] - ne * e[i] for i in range(3)]
    du = [-dne * e[i] - ne * de[i] for i in range(3)]
    n = math.sqrt(dot(u, u))
    dn = dot(u, du) / n
    return e, [r * x / n for x in u], [r * (dx / n - x * dn / n ** 2) for x, dx in zip(u, du)]


def disc(t, y):
    q, om = y[2:6], y[6:9]
    e, rho, drho = geometry(q, om)
    ce = (Cd - Ad) * dot(e, om)
    L = [Ad * om[i] + ce * e[i] for i in range(3)]
    lhs = [[(Ad + md * r * r) * (i == j) + (Cd - Ad) * e[i] * e[j] - md * rho[i] * rho[j] for j in range(3)]
           for i in range(3)]
    acc = [x + G * n for x, n in zip(cross(om, drho), N)]
    gyro, push = cross(om, L), cross(rho, acc)
    dom = solve(lhs, [-gyro[i] - md * push[i] for i in range(3)])
    v = cross(om, rho)
    dq = quat_mul([0.0] + list(om), q)
    return [v[0], v[1]] + [0.5 * x for x in dq] + dom


def disc_energy(y):
    q, om = y[2:6], y[6:9]
    e, rho, _ = geometry(q, om)
    v, s = cross(om, rho), dot(e, om)
    return 0.5 * md * dot(v, v) + 0.5 * (Ad * (dot(om, om) - s * s) + Cd * s * s) + md * G * rho[2]


# axis turned from z by 70 degrees about x: it leans; spin 6 rad/s about its axis and 0.5 about z
tilt = math.radians(70)
q0 = [math.cos(tilt / 2), math.sin(tilt / 2), 0.0, 0.0]
e0 = [0.0, -math.sin(tilt), math.cos(tilt)]
om0 = [6.0 * x for x in e0]
om0[2] += 0.5
_, rho0, _ = geometry(q0, om0)
v0 = cross(om0, rho0)
print(f"disc at the start: position {vec([0, 5, rho0[2]], 17)}, velocity {vec(v0, 17)}, spin {vec(om0, 17)}")
for t, y in zip(TIMES, solved("disc", disc, [0.0, 5.0] + q0 + om0, disc_energy, 0.02)):
    _, rho, _ = geometry(y[2:6], y[6:9])
    show("rolling", "position.x", "disc", t, y[0])
    show("rolling", "position.y", "disc", t, y[1])
    show("rolling", "position.z", "disc", t, rho[2])

# --- hoop: R = 0.5, from the bottom with 6 m/s: it goes round
R, u0 = 0.5, 6.0
for t, y in zip(TIMES, solved("hoop", lambda t, y: [y[1], -G / R * math.sin(y[0])], [0.0, u0 / R],
                              lambda y: 0.5 * y[1] ** 2 - G / R * math.cos(y[0]), 0.01)):
    show("curve", "distance", "hoop", t, R * y[0])
    show("curve", "position.x", "bead", t, R * math.sin(y[0]))
    show("curve", "position.z", "bead", t, -R * math.cos(y[0]))

# --- helix about z at (3, 0): R = 0.4, c = 0.05; the bead starts at angle 2 pi (upwards) and is let go upwards
Rh, ch, v1 = 0.4, 0.02, 1.2
slope = ch / math.hypot(Rh, ch)
for t in TIMES:
    s = v1 * t - 0.5 * G * slope * t * t
    ph = 4 * math.pi + s / math.hypot(Rh, ch)
    show("curve", "position.x", "runner", t, 3 + Rh * math.cos(ph))
    show("curve", "position.z", "runner", t, ch * ph)
checks.finish()
