"""Engine, clutch, gearbox, limited-slip differential, two wheels, two brakes: reduced coordinates (w_c, w_l, w_r).

The gearbox (w_i = i_g w_b) and the differential (w_b = i_d (w_l + w_r)/2) are eliminated:
    M = diag(J_c, J_l, J_r) + R/4 (0,1,1)(0,1,1)^T,   R = i_d^2 (i_g^2 J_i + J_b),   N = i_g i_d
Friction elements k with slip s_k = d_k . w and torque f_k along d_k, |f_k| <= F_k(t):
    clutch d = (1, -N/2, -N/2), limited slip d = (0, 1, -1), brakes d = (0, 1, 0) and (0, 0, 1)
    M w' = (T_e, 0, 0) + sum d_k f_k;   sliding: f_k = -F_k sign(s_k);   locked: d_k . w' = 0 gives f_k.
A sliding element locks where s_k reaches zero if the torque that holds it is within F_k, and passes through
otherwise; a locked one breaks away where that torque reaches F_k.  Engine: T_e = u full - (1 - u) drag.
The state carries the work of the engine and the energy dissipated in each friction element.
"""
from hybrid import *

JC, JI, JB, JL, JR = 0.3, 0.04, 0.1, 60.0, 90.0
IG, ID = 2.0, 3.0
N = IG * ID
R = ID * ID * (IG * IG * JI + JB)
SLIP = 250.0
FULL = Table([(0, 120), (100, 190), (250, 240), (450, 200), (600, 0)])
DRAG = Table([(0, 12), (600, 60)], straight=True)
THROTTLE = Table([(0, 0.2), (0.4, 0.2), (1.0, 0.8), (6.4, 0.8), (6.6, 0.0)])
CAPACITY = [Table([(0, 0), (0.4, 0), (1.4, 240), (2.6, 240), (2.8, 90), (3.2, 90), (3.4, 260), (6.6, 260), (6.8, 0)]),
            Table([(0, SLIP)]),
            Table([(0, 0), (4.2, 0), (4.4, 1000), (5.2, 1000), (5.4, 0), (7.0, 0), (7.2, 600)]),
            Table([(0, 0), (7.0, 0), (7.2, 600)])]
D = [(1.0, -N / 2, -N / 2), (0.0, 1.0, -1.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)]
NAMES = ["clutch", "limited slip", "left brake", "right brake"]
BREAKS = sorted({t for table in CAPACITY + [THROTTLE] for t in table.corners()} - {0.0})
M = [[JC, 0, 0], [0, JL + R / 4, R / 4], [0, R / 4, JR + R / 4]]
TIMES = [0.8, 1.2, 1.6, 2.0, 2.5, 2.7, 3.0, 3.3, 3.6, 4.0, 4.3, 4.8, 5.3, 5.6, 6.2, 6.5, 6.7, 6.9, 7.5, 8.0]


class Model:
    # mode: (piece of full, clutch, limited slip, left brake, right brake), each +1, -1 slides, 0 locked
    def forces(self, t, y, mode):
        u = THROTTLE.value(t, THROTTLE.piece(self.mid))
        te = u * FULL.value(y[0], mode[0]) - (1 - u) * DRAG.value(y[0])
        caps = [c.value(t, c.piece(self.mid)) for c in CAPACITY]
        held = [k for k in range(4) if mode[1 + k] == 0]
        n = 3 + len(held)
        a = [[0.0] * n for _ in range(n)]
        b = [te, 0.0, 0.0] + [0.0] * len(held)
        for i in range(3):
            for j in range(3):
                a[i][j] = M[i][j]
            for k in range(4):
                b[i] -= D[k][i] * caps[k] * mode[1 + k]
        for q, k in enumerate(held):
            for i in range(3):
                a[i][3 + q], a[3 + q][i] = -D[k][i], D[k][i]
        x = solve(a, b)
        f = [-caps[k] * mode[1 + k] for k in range(4)]
        for q, k in enumerate(held):
            f[k] = x[3 + q]
        return te, x[:3], f, caps

    def slips(self, y):
        return [dot(d, y[:3]) for d in D]

    def f(self, t, y, mode):
        te, acc, f, _ = self.forces(t, y, mode)
        return acc + [te * y[0]] + [-a * b for a, b in zip(f, self.slips(y))] + list(y[:3])

    def guards(self, t, y, mode):
        te, acc, f, caps = self.forces(t, y, mode)
        out = [(v, (p,) + mode[1:]) for v, p in FULL.guards(y[0], mode[0])]
        slip = self.slips(y)
        for k in range(4):
            if mode[1 + k]:
                out.append((mode[1 + k] * slip[k] + 1e-11, lambda s, z, k=k: self.meet(k, s, z, mode)))
            else:
                out.append((caps[k] - abs(f[k]), self.put(mode, k, -1 if f[k] > 0 else 1)))
        return out

    @staticmethod
    def put(mode, k, v):
        return mode[:1 + k] + (v,) + mode[2 + k:]

    def meet(self, k, t, y, mode):
        if CAPACITY[k].value(self.mid) == 0:
            return self.put(mode, k, -mode[1 + k])
        held = self.put(mode, k, 0)
        _, _, f, caps = self.forces(t, y, held)
        if abs(f[k]) > caps[k]:
            return self.put(mode, k, -mode[1 + k])
        w = solve(M, D[k])                                # the last 1e-11 of slip, as an impulse
        j = -dot(D[k], y[:3]) / dot(D[k], w)
        for i in range(3):
            y[i] += j * w[i]
        return held

    def after_break(self, t, y, mode):
        later = [s for s in BREAKS if s > t + 1e-9] + [t + 1]
        self.mid = 0.5 * (t + later[0])
        return mode


def kinetic(y):
    return 0.5 * sum(y[i] * M[i][j] * y[j] for i in range(3) for j in range(3))


Y0 = [100.0] + [0.0] * 10
MODE0 = (FULL.piece(100.0), 1, 0, 1, 1)


def rows():
    m = Model()
    states, errs, log = reference_modes(m, Y0, MODE0, TIMES, 0.02, BREAKS, m.after_break)
    out = []
    for t, (y, mode) in zip(TIMES, states):
        m.after_break(max([0.0] + [s for s in BREAKS if s <= t + 1e-9]), y, mode)
        te, acc, f, _ = m.forces(t, y, mode)
        a = 0.5 * (acc[1] + acc[2])
        gear = JI * N * a + f[0]                          # on the gearbox input: J_i w_i' = -f_clutch + gear
        diff = JB * ID * a + IG * gear
        wi = N * 0.5 * (y[1] + y[2])
        out += [("speed", "crank", t, y[0]), ("speed", "input", t, wi), ("speed", "left", t, y[1]),
                ("speed", "right", t, y[2]), ("force", "engine", t, te), ("force", "clutch", t, f[0]),
                ("rate", "clutch", t, m.slips(y)[0] if mode[1] else 0.0),
                ("power", "clutch", t, f[0] * m.slips(y)[0] if mode[1] else 0.0),
                ("force", "gearbox", t, gear), ("force", "diff", t, diff), ("force", "left_brake", t, f[2]),
                ("force", "right_brake", t, f[3]), ("angle", "crank", t, y[8]), ("angle", "right", t, y[10]),
                ("energy.work", None, t, y[3]), ("energy.dissipated", None, t, sum(y[4:8])),
                ("energy.kinetic", None, t, kinetic(y))]
    return out, errs, log, states


def main():
    out, errs, log, states = rows()
    print("events (mode: piece of engine map, clutch, limited slip, left brake, right brake; 0 is locked)")
    for t, a, b in log:
        what = "corner of the engine map" if a[0] != b[0] else "; ".join(
            f"{NAMES[k]} {'locks' if b[1 + k] == 0 else 'slips' if a[1 + k] == 0 else 'turns round'}"
            for k in range(4) if a[1 + k] != b[1 + k])
        print(f"  {t:.12f}  {a} -> {b}  {what}")
    for field, of, t, v in out:
        if field == "speed" and of == "crank":
            print(f" t={t:g}")
        print(f"   {field + (' of ' + of if of else ''):24s} {num(v)}")
    for t, (y, mode) in zip(TIMES, states):
        print(f"   t={t:g} mode {mode} dissipated in clutch, limited slip, brakes {vec(y[4:8], 12)}")
    print_errors(TIMES, errs, 0.02)
    c = Checks()
    worst = max(abs(kinetic(y) - kinetic(Y0) - y[3] + sum(y[4:8])) / (1 + y[3]) for y, _ in states)
    c.below("energy: kinetic - initial - work + dissipated, relative", worst, 1e-12)
    c.below("largest |h - h/2|", max(e[0] for e in errs), 1e-6)
    c.below("largest |gbs - gauss|", max(e[1] for e in errs), 1e-6)
    c.finish()


if __name__ == "__main__":
    main()
