"""Small trains of shafts and bodies, closed forms (SI units).

pair       J_a = J_b = 0.5, w_a = -w_b, T = 3 on a:          w_a' = T/(J_a + J_b), force of the gear -T/2 on a
planet     sun 0.02, ring 0.3 held, carrier 0.5, teeth 30 : 70, T = 2 on the sun: k = 1 + 70/30,
           w_c' = k T/(J_c + k^2 J_s); torque on the held ring by the brake (70/100) J_c w_c'
epi        the same with the ring free: M a = Q + l c, c . a = 0, c = (0.3, 0.7, -1)
lock       input 0.1, ratio 4, locked outputs 3 and 5, T = 10 on the input: w' = i T/(J_l + J_r + i^2 J_i)
rack       pinion 0.05, radius 0.1, pushes 2 kg along a line, T = 3 on the pinion: q'' = T/(J + m r^2), force m r q''
over       one-way clutch, driver 0.5, driven 1.5, torque on the driver by a polygon over time: it drives while T > 0;
           from T = 0 on, the driven runs free at constant speed; it drives again when the driver has caught up
twist      J 0.4 and 1.0, spring 200 N m/rad, start 0.1 rad: x'' = -w^2 x, w^2 = k (1/J_1 + 1/J_2)
damped     the same with a damper of 2 N m s/rad
geared     body (0.2 about the axis) on a hinge, shaft 0.05 turns 3 times as fast, T = 1.5 on the shaft:
           a = i T/(J_b + i^2 J_s); joined: the same with i = 1
floating   free housing (2.0) and rotor (0.2) on a hinge, shaft 0.01 geared 5 : 1 to the hinge, T = 0.8 along the hinge:
           relative acceleration a = T/(1/(1/I_r + 1/I_h) + i^2 J_s); rotor (T - i^2 J_s a)/I_r, housing the opposite
           torque.  The bodies keep their angular momentum; the shaft's own spin is not part of it.
"""
import math
from hybrid import *

TIMES = [0.5, 1.0, 2.0]


def epi():
    m, q, c = (0.02, 0.3, 0.5), (2.0, 0.0, 0.0), (0.3, 0.7, -1.0)
    l = -sum(c[i] * q[i] / m[i] for i in range(3)) / sum(c[i] ** 2 / m[i] for i in range(3))
    return [(q[i] + l * c[i]) / m[i] for i in range(3)], l


class Over:
    """mode: drives or not; torque pieces by time."""
    T = Table([(0, 4), (0.6, 4), (0.8, -6), (1.1, -6), (1.3, 6)])
    JD, JV = 0.5, 1.5

    def torque(self, t):
        return self.T.value(t, self.T.piece(self.mid))

    def f(self, t, y, drives):
        q = self.torque(t)
        return [q / (self.JD + self.JV)] * 2 + [q * y[0]] if drives else [q / self.JD, 0.0, q * y[0]]

    def guards(self, t, y, drives):
        return [(self.torque(t), False)] if drives else [(y[1] - y[0] + 1e-12, True)]

    def after_break(self, t, y, mode):
        later = [s for s in self.T.corners() if s > t + 1e-9] + [t + 1]
        self.mid = 0.5 * (t + later[0])
        return mode


def over_closed(t):
    """The same by hand: integral of the polygon."""
    def impulse(a, b):
        pts = sorted({a, b} | {c for c in Over.T.corners() if a < c < b})
        return sum(0.5 * (Over.T.value(p) + Over.T.value(q)) * (q - p) for p, q in zip(pts, pts[1:]))
    t0 = 0.6 + 0.2 * 0.4                                   # T = 0
    w0 = impulse(0, t0) / 2.0
    if t <= t0:
        return [impulse(0, t) / 2.0] * 2
    back = 1.3 + (-impulse(t0, 1.3)) / 6.0                 # T = 6 from 1.3 on: where the impulse is made good
    if t <= back:
        return [w0 + impulse(t0, t) / 0.5, w0]
    return [w0 + impulse(back, t) / 2.0] * 2


def oscillator(c, t):
    j1, j2, k, x0 = 0.4, 1.0, 200.0, 0.1
    mu = j1 * j2 / (j1 + j2)
    s, w0 = c / (2 * mu), math.sqrt(k / mu)
    wd = math.sqrt(w0 * w0 - s * s)
    e = math.exp(-s * t)
    x = x0 * e * (math.cos(wd * t) + s / wd * math.sin(wd * t))
    v = -x0 * e * w0 * w0 / wd * math.sin(wd * t)
    return x, v, x0 * j1 / (j1 + j2) + j2 / (j1 + j2) * x, j2 / (j1 + j2) * v, -k * x - c * v, 2 * math.pi / wd


def rows():
    out = []
    a_epi, l_epi = epi()
    k = 1 + 70 / 30
    a_c = k * 2 / (0.5 + k * k * 0.02)
    a_p = 3 / (0.05 + 2 * 0.1 ** 2)
    a_lock = 4 * 10 / (3 + 5 + 16 * 0.1)
    a_g, a_j = 3 * 1.5 / (0.2 + 9 * 0.05), 1.5 / (0.2 + 0.05)
    red = 1 / (1 / 0.2 + 1 / 2.0)
    a_f = 0.8 / (red + 25 * 0.01)
    a_rotor, a_house = (0.8 - 25 * 0.01 * a_f) / 0.2, -(0.8 - 25 * 0.01 * a_f) / 2.0
    for t in TIMES:
        out += [("speed", "pair_a", t, 3 * t), ("speed", "pair_b", t, -3 * t), ("force", "pair", t, -1.5),
                ("angle", "pair_a", t, 1.5 * t * t),
                ("speed", "carrier", t, a_c * t), ("speed", "sun", t, k * a_c * t),
                ("force", "ring_brake", t, 0.7 * 0.5 * a_c),
                ("speed", "epi_sun", t, a_epi[0] * t), ("speed", "epi_ring", t, a_epi[1] * t),
                ("speed", "epi_carrier", t, a_epi[2] * t), ("force", "epi", t, l_epi),
                ("speed", "pinion", t, a_p * t), ("length_rate", "way", t, 0.1 * a_p * t),
                ("length", "way", t, 1 + 0.05 * a_p * t * t), ("force", "rack", t, 2 * 0.1 * a_p),
                ("speed", "lock_left", t, a_lock * t), ("speed", "lock_right", t, a_lock * t),
                ("speed", "lock_input", t, 4 * a_lock * t), ("force", "lock", t, 0.1 * 4 * a_lock - 10),
                ("angle_rate", "geared_pin", t, a_g * t), ("angle", "geared_pin", t, a_g * t * t / 2),
                ("speed", "geared_shaft", t, 3 * a_g * t), ("angle_rate", "joined_pin", t, a_j * t),
                ("angular_velocity.z", "rotor", t, a_rotor * t), ("angular_velocity.z", "housing", t, a_house * t),
                ("speed", "floating_shaft", t, 5 * a_f * t)]
    for t in (0.5, 0.7, 1.0, 1.2, 1.6, 2.0):
        w = over_closed(t)
        out += [("speed", "driver", t, w[0]), ("speed", "driven", t, w[1])]
    for name, c in (("twist", 0.0), ("damped", 2.0)):
        for t in TIMES:
            x, v, q1, w1, force, _ = oscillator(c, t)
            out += [("angle", name + "_1", t, q1), ("speed", name + "_1", t, w1), ("force", name, t, force)]
    return out


def main():
    for field, of, t, v in rows():
        print(f"   t={t:<4g} {field + ' of ' + of:28s} {num(v)}")
    print(f"   period of twist {num(oscillator(0.0, 0)[5])}, of damped {num(oscillator(2.0, 0)[5])}")
    c = Checks()
    m = Over()
    log = []
    times = [0.5, 0.7, 1.0, 1.2, 1.6, 2.0]
    states = run(m, [0.0, 0.0, 0.0], True, times, 0.01, m.T.corners()[1:], after_break=m.after_break, log=log)
    print("one-way clutch:", ", ".join(f"{t:.12f} {'drives' if b else 'runs free'}" for t, _, b in log))
    c.below("one-way: closed form against integration with events",
            max(abs(a - b) for t, (y, _) in zip(times, states) for a, b in zip(y, over_closed(t))), 1e-10)
    for damping in (0.0, 2.0):
        f = lambda t, y: [y[2], y[3], (-200 * (y[0] - y[1]) - damping * (y[2] - y[3])) / 0.4,
                          200 * (y[0] - y[1]) + damping * (y[2] - y[3])]
        ys, _ = reference(f, [0.1, 0.0, 0.0, 0.0], TIMES, 0.01)
        c.below(f"two inertias, damper {damping:g}: closed form against integration",
                max(abs(y[0] - oscillator(damping, t)[2]) + abs(y[2] - oscillator(damping, t)[3])
                    for t, y in zip(TIMES, ys)), 1e-10)
    # every train by the equations of all its parts: M a = Q + c l, c . a = 0
    def kkt(m, q, cs):
        n, k = len(m), len(cs)
        a = [[0.0] * (n + k) for _ in range(n + k)]
        for i in range(n):
            a[i][i] = m[i]
            for j in range(k):
                a[i][n + j], a[n + j][i] = -cs[j][i], cs[j][i]
        return solve(a, list(q) + [0.0] * k)
    by = {(f, o): v for f, o, t, v in rows() if t == 1.0}
    x = kkt((0.02, 0.3, 0.5), (2, 0, 0), [(0.3, 0.7, -1), (0, 1, 0)])
    c.close("held ring: carrier", by["speed", "carrier"], x[2], 1e-12)
    c.close("held ring: torque of the brake", by["force", "ring_brake"], x[4], 1e-12)
    x = kkt((0.1, 3, 5), (10, 0, 0), [(1, -2, -2), (0, 1, -1)])
    c.close("locked differential: outputs", by["speed", "lock_left"], x[1], 1e-12)
    c.close("locked differential: torque", by["force", "lock"], x[3], 1e-12)
    x = kkt((2.0, 0.2, 0.01), (-0.8, 0.8, 0), [(5, -5, 1)])
    c.close("floating: housing", by["angular_velocity.z", "housing"], x[0], 1e-12)
    c.close("floating: shaft", by["speed", "floating_shaft"], x[2], 1e-12)
    c.finish()


if __name__ == "__main__":
    main()
