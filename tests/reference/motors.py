"""Motors on hinges and shafts: closed forms, and integration with events where a bound is reached.

Arms: rods of 2 kg, centre 0.5 m from the hinge (axis y), 0.17 kg m^2 about their centres: J = 0.67 kg m^2.  They
start level; the angle grows as they fall, so gravity gives m g l cos(angle), m g l = 9.81 N m.
arm       speed motor along a curve w(t): torque J w' - m g l cos(angle)
weak      speed motor, target 0, bound 6 N m: J x'' = m g l cos x - 6 while it sinks, held where it comes to rest
servo     position motor along a polygon: torque -m g l cos(angle) while the target moves steadily
fan       shaft 0.5 kg m^2, speed motor along a ramp of 10 rad/s in 1 s, bound 3 N m: 6 rad/s^2 until it has caught up
pd        shaft 0.5, position motor to 0.5 rad with 100 N m/rad, 20 N m s/rad, bound 10 N m
torque    shaft 0.5, force motor along a polygon
No motor loses anything: the work of all is the change of the mechanical energy.
"""
from hybrid import *

J, MGL = 0.17 + 2 * 0.25, 2 * 9.81 * 0.5
ARM = Table([(0, 0), (0.5, 2), (1.5, 2), (2.0, -1)])
SERVO = Table([(0, 0), (0.5, 0), (1.5, 1.0)])
TORQUE = Table([(0, 0), (1, 4), (2, -2)])
TIMES = [0.2, 0.4, 0.6, 1.2, 1.8, 2.4, 3.0]


def area(table, t):
    pts = sorted({0.0, t} | {c for c in table.corners() if 0 < c < t})
    return sum(0.5 * (table.value(a) + table.value(b)) * (b - a) for a, b in zip(pts, pts[1:]))


class Weak:
    def f(self, t, y, held):
        return [0.0, 0.0] if held else [y[1], (MGL * math.cos(y[0]) - 6) / J]

    def guards(self, t, y, held):
        return [] if held or t < 0.01 else [(y[1], True)]


class Pd:
    # mode: +1 saturated upwards, 0 linear, -1 saturated downwards
    def law(self, y):
        return -100 * (y[0] - 0.5) - 20 * y[1]

    def f(self, t, y, mode):
        return [y[1], (10 * mode if mode else self.law(y)) / 0.5]

    def guards(self, t, y, mode):
        f = self.law(y)
        return [(f - 10, 0)] if mode == 1 else [(-10 - f, 0)] if mode == -1 else [(10 - f, 1), (f + 10, -1)]


def rows():
    weak, we, log = reference_modes(Weak(), [0.0, 0.0], False, TIMES, 0.01)
    pd, pe, plog = reference_modes(Pd(), [0.0, 0.0], 1, TIMES, 0.01)
    out = []
    for i, t in enumerate(TIMES):
        a, w = area(ARM, t), ARM.value(t)
        p = ARM.piece(t)
        slope = (ARM.value(t + 1e-3) - w) / 1e-3 if p < 3 else 0.0
        fa = J * slope - MGL * math.cos(a)
        x, v = weak[i][0]
        fw = -6.0 if not weak[i][1] else -MGL * math.cos(x)
        s, sv = SERVO.value(t), (1.0 if 0.5 < t < 1.5 else 0.0)
        fan, ff = min(6 * t, 10.0), 3.0 if t < 10 / 6 else 0.0
        y, m = pd[i]
        fp = 10.0 * m if m else Pd().law(y)
        tw = area(TORQUE, t) / 0.5
        work = (0.5 * J * (w * w + v * v + sv * sv) - MGL * (math.sin(a) + math.sin(x) + math.sin(s))
                + 0.25 * (fan ** 2 + y[1] ** 2 + tw ** 2))
        out += [("angle", "arm_pin", t, a), ("angle_rate", "arm_pin", t, w), ("force", "arm", t, fa),
                ("power", "arm", t, fa * w), ("angle", "weak_pin", t, x), ("angle_rate", "weak_pin", t, v),
                ("force", "weak", t, fw), ("angle", "servo_pin", t, s), ("force", "servo", t, -MGL * math.cos(s)),
                ("speed", "fan", t, fan), ("force", "fan_motor", t, ff), ("angle", "pd", t, y[0]),
                ("speed", "pd", t, y[1]), ("force", "pd_motor", t, fp),
                ("speed", "torque", t, tw),
                ("force", "torque_motor", t, TORQUE.value(t)), ("energy.work", None, t, work)]
    return out, we, pe, log, plog, weak


def main():
    out, we, pe, log, plog, weak = rows()
    for field, of, t, v in out:
        if of == "arm_pin" and field == "angle":
            print(f" t={t:g}")
        print(f"   {field + (' of ' + of if of else ''):24s} {num(v)}")
    print("weak comes to rest at", ", ".join(f"{t:.12f}" for t, _, _ in log), "; pd leaves its bound at",
          ", ".join(f"{t:.12f}" for t, _, _ in plog))
    c = Checks()
    x = weak[-1][0][0]
    c.close("weak: rest where gravity gave what the motor took, m g l sin x = 6 x", MGL * math.sin(x), 6 * x, 1e-10)
    c.below("holding torque within the bound", MGL * abs(math.cos(x)), 6)
    c.below("largest |h - h/2|", max(e[0] for e in we + pe), 1e-11)
    c.below("largest |gbs - gauss|", max(e[1] for e in we + pe), 1e-11)
    c.finish()


if __name__ == "__main__":
    main()
