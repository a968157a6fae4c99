"""Projectile with a constant force during a time window, closed form.

Model: m = 3 kg, starts at the origin with velocity (1, 2, 5), gravity 9.81
along -z, extra force (6, 0, 0) N while 0.2 <= t <= 0.7.  With a = F/m, T the
time spent in the window so far and D the time since it closed:
    r = v0 t + g t^2/2 + a (T^2/2 + T D),   v = v0 + g t + a T
Checked in exact rational arithmetic.  A time stepper that samples the force
once per step adds an impulse error of order F h to its own error unless the
window edges fall on steps.
"""
from fractions import Fraction as Q
from refcommon import *

T0, T1 = Q(1, 5), Q(7, 10)
V0, ACC, GR = (Q(1), Q(2), Q(5)), (Q(2), Q(0), Q(0)), (Q(0), Q(0), Q(-981, 100))


def closed(t):
    on = min(max(t - T0, Q(0)), T1 - T0)
    off = max(t - T1, Q(0))
    return ([V0[i] * t + GR[i] * t * t / 2 + ACC[i] * (on * on / 2 + on * off) for i in range(3)],
            [V0[i] + GR[i] * t + ACC[i] * on for i in range(3)])


def pieces(t):
    """The same by constant-acceleration pieces."""
    r, v, now = [Q(0)] * 3, list(V0), Q(0)
    for end, force in ((T0, 0), (T1, 1), (max(t, T1), 0)):
        d = min(end, t) - now
        if d > 0:
            a = [GR[i] + force * ACC[i] for i in range(3)]
            r = [r[i] + v[i] * d + a[i] * d * d / 2 for i in range(3)]
            v = [v[i] + a[i] * d for i in range(3)]
            now += d
    return r, v


print("t, position, velocity (exact decimals)")
c, same = Checks(), True
for t in (Q(1, 5), Q(1, 2), Q(7, 10), Q(1), Q(2)):
    r, v = closed(t)
    same = same and (r, v) == pieces(t)
    print(f"  {float(t):<4g} {vec([float(x) for x in r])}  {vec([float(x) for x in v])}")
c.below("closed form against pieces (exact rationals)", 0.0 if same else 1.0, 0)
c.finish()
