"""Engine, torque converter, gearbox, open differential, two wheels, brake: reduced coordinates.

Shafts: crank J_c, turbine J_t, box J_b, left J_l, right J_r.  The gearbox (w_t = i_g w_b) and the differential
(w_b = i_d (w_l + w_r)/2) are eliminated: w_t = N (w_l + w_r)/2, w_b = i_d (w_l + w_r)/2, N = i_g i_d.
    J_c w_c' = T_e - T_p
    [J_l + R/4, R/4; R/4, J_r + R/4] (w_l', w_r') = (N T_t/2 + B, N T_t/2),   R = i_d^2 (i_g^2 J_t + J_b)
Engine: T_e = u(t) full(w_c) - (1 - u) drag(w_c).  Converter (docs/models/drivelines.md): nu = w_t/w_c < 1:
    T_p = c(nu) w_c^2, T_t = mu(nu) T_p;  nu > 1: T_p = T_t = -c(1/nu) w_t^2;  c = 1/K^2, straight to 0 at 1
beyond the last point of the table.  Brake: B = -F(t) sign(w_l), or what holds w_l = 0 if |B| <= F.
The state also carries the work of the engine and the energies dissipated in converter and brake.
Every corner of a table, the change of roles at nu = 1, the stop of the wheel and its break-away are events.
"""
from hybrid import *

JC, JT, JB, JL, JR = 0.25, 0.05, 0.1, 60.0, 90.0
IG, ID = 2.0, 3.0
N = IG * ID
R = ID * ID * (IG * IG * JT + JB)
FULL = Table([(0, 120), (100, 190), (250, 240), (450, 200), (600, 0)])
DRAG = Table([(0, 12), (600, 60)], straight=True)
CAP = Table([(0, 16), (0.7, 17.5), (0.9, 22), (0.96, 30)])
MU = Table([(0, 2.1), (0.84, 1.0)])
THROTTLE = Table([(0, 0.3), (0.5, 0.3), (1.0, 0.9), (4.0, 0.9), (4.2, 0.0), (6.0, 0.0), (6.2, 0.5)])
BRAKE = Table([(0, 0), (4.4, 0), (4.8, 2000), (6.4, 2000), (6.8, 0)])
BREAKS = sorted(set(THROTTLE.corners() + BRAKE.corners()) - {0.0})
TIMES = [0.25, 0.8, 1.6, 2.4, 3.6, 4.3, 4.6, 5.2, 5.8, 6.3, 6.6, 7.2, 8.0]
LAST_NU, LAST_C = CAP.p[-1][0], 1 / CAP.p[-1][1] ** 2


class Model:
    # mode: (piece of full, overrun, piece of capacity, piece of mu, brake: +1, -1 slides, 0 holds, 2 is open)
    def torques(self, t, y, mode):
        wc, wl, wr = y[:3]
        pf, over, pc, pm, brake = mode
        wt = N * 0.5 * (wl + wr)
        tt, tb = self.piece_time(t)
        u = THROTTLE.value(t, tt)
        te = u * FULL.value(wc, pf) - (1 - u) * DRAG.value(wc)
        nu = wc / wt if over else wt / wc
        c = LAST_C * (1 - nu) / (1 - LAST_NU) if pc == len(CAP.p) - 1 else CAP.value(nu, pc) ** -2
        if over:
            tp = tturb = -c * wt * wt
        else:
            tp = c * wc * wc
            tturb = MU.value(nu, pm) * tp
        f = BRAKE.value(t, tb)
        g = 0.5 * N * tturb
        if brake == 0:                         # w_l' = 0
            ar = g / (JR + R / 4)
            b = R / 4 * ar - g
            al = 0.0
        else:
            b = 0.0 if brake == 2 else -brake * f
            m11, m12, m22 = JL + R / 4, R / 4, JR + R / 4
            det = m11 * m22 - m12 * m12
            al, ar = (m22 * (g + b) - m12 * g) / det, (m11 * g - m12 * (g + b)) / det
        return te, tp, tturb, b, f, al, ar, nu, wt

    def piece_time(self, t):
        m = self.mid                            # pieces are fixed between breaks
        return THROTTLE.piece(m), BRAKE.piece(m)

    def f(self, t, y, mode):
        te, tp, tt, b, _, al, ar, _, wt = self.torques(t, y, mode)
        return [(te - tp) / JC, al, ar, te * y[0], tp * y[0] - tt * wt, -b * y[1], y[0], y[1], y[2]]

    def guards(self, t, y, mode):
        pf, over, pc, pm, brake = mode
        _, _, _, b, f, _, _, nu, _ = self.torques(t, y, mode)
        out = [(v, (p, over, pc, pm, brake)) for v, p in FULL.guards(y[0], pf)]
        out += [(v, (pf, over, p, pm, brake)) for v, p in CAP.guards(nu, pc) if p >= 0]
        if not over:
            out += [(v, (pf, over, pc, p, brake)) for v, p in MU.guards(nu, pm) if p >= 0]
        out.append((1 - nu, (pf, not over, pc, pm, brake)))
        if brake in (1, -1):
            out.append((brake * y[1], lambda s, z: self.stopped((pf, over, pc, pm), s, z)))
        if brake == 0:
            out.append((f - abs(b), (pf, over, pc, pm, 1 if b < 0 else -1)))
        return out

    def stopped(self, rest, t, y):
        y[1] = 0.0
        *_, b, f, _, _, _, _ = self.torques(t, y, rest + (0,))
        return rest + ((0,) if abs(b) <= f else (1 if b < 0 else -1,))

    def after_break(self, t, y, mode):
        later = [s for s in BREAKS if s > t + 1e-9] + [t + 1]
        self.mid = 0.5 * (t + later[0])
        brake = mode[4]
        pb = BRAKE.piece(self.mid)
        idle = BRAKE.value(self.mid) == 0
        if brake == 2 and not idle:
            brake = 1 if y[1] > 0 else -1
        if brake != 2 and idle and pb != -1:
            brake = 2
        return mode[:4] + (brake,)


def gears(y, mode, q):
    """Torques of gearbox on the turbine and of differential on the box."""
    _, _, tt, _, _, al, ar, _, _ = q
    a = 0.5 * (al + ar)
    gear = JT * N * a - tt
    return gear, JB * ID * a + IG * gear


def kinetic(y):
    s = y[1] + y[2]
    return 0.5 * (JC * y[0] ** 2 + JL * y[1] ** 2 + JR * y[2] ** 2 + R / 4 * s * s)


Y0 = [100.0] + [0.0] * 8
MODE0 = (FULL.piece(100.0), False, 0, 0, 2)


def solve_all(h):
    m = Model()
    return m, reference_modes(m, Y0, MODE0, TIMES, h, BREAKS, lambda t, y, mode: m.after_break(t, y, mode))


def rows():
    """(field, of, time, value) for the scenario."""
    m, (states, errs, log) = solve_all(0.02)
    out = []
    for t, (y, mode) in zip(TIMES, states):
        m.after_break(max([0.0] + [s for s in BREAKS if s <= t + 1e-9]), y, mode)
        q = m.torques(t, y, mode)
        te, tp, tt, b, f, al, ar, nu, wt = q
        gear, diff = gears(y, mode, q)
        out += [("speed", "crank", t, y[0]), ("speed", "turbine", t, wt), ("speed", "left", t, y[1]),
                ("speed", "right", t, y[2]), ("force", "engine", t, te), ("power", "engine", t, te * y[0]),
                ("force", "tc", t, -tp), ("turbine_torque", "tc", t, tt),
                ("power", "tc", t, -tp * y[0] + tt * wt), ("force", "gearbox", t, gear),
                ("force", "diff", t, diff), ("force", "brake", t, b), ("power", "brake", t, b * y[1]),
                ("energy.work", None, t, y[3]), ("energy.dissipated", None, t, y[4] + y[5]),
                ("energy.kinetic", None, t, kinetic(y)), ("angle", "crank", t, y[6]), ("angle", "left", t, y[7])]
    return out, errs, log, states


def main():
    out, errs, log, states = rows()
    print("events (time, mode before -> after; piece of engine map, overrun, pieces of capacity and torque ratio, brake)")
    for t, a, b in log:
        print(f"  {t:.12f}  {a} -> {b}")
    for field, of, t, v in out:
        if field == "speed" and of == "crank":
            print(f" t={t:g}")
        print(f"   {field + (' of ' + of if of else ''):24s} {num(v)}")
    print_errors(TIMES, errs, 0.02)
    c = Checks()
    worst = max(abs(kinetic(y) - kinetic(Y0) - y[3] + y[4] + y[5]) / (1 + y[3]) for y, _ in states)
    c.below("energy: kinetic - initial - work + dissipated, relative", worst, 1e-12)
    c.below("largest |h - h/2|", max(e[0] for e in errs), 1e-6)
    c.below("largest |gbs - gauss|", max(e[1] for e in errs), 1e-6)
    c.finish()


if __name__ == "__main__":
    main()
