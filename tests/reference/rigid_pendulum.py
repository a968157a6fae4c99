"""Rigid pendulum, exact, against published MSC ADAMS numbers.

Model: m = 1 kg, COM d = 2 m from the pivot (origin), inertia about the COM
for the swing axis y Ic = 0.1 kg m^2, g = 9.80665 along -z, hinge axis y,
released at rest with the COM at (+2, 0, 0).
theta = right-handed rotation about +y from there: COM = d (cos, 0, -sin).
    (Ic + m d^2) theta'' = m g d cos(theta)
Force of the joint on the body F = m (a_com + g z^); the body pushes the
ground with -F.  a_com = d theta'' (-sin,0,-cos) - d theta'^2 (cos,0,-sin).
Closed form: with phi = pi/2 - theta from the downward vertical,
sin(phi/2) = k cd(w t, k), k = sin(pi/4), w = sqrt(m g d/(Ic + m d^2)).
Releasing at (-2, 0, 0) mirrors every x.
"""
import math
from refcommon import *

M, D, IC, G = 1.0, 2.0, 0.1, 9.80665
J = IC + M * D * D
K0 = math.sin(math.pi / 4)
W = math.sqrt(M * G * D / J)
TIMES = [1.0, 2.5, 5.0]
ADAMS = {1.0: ("-0.892381", "-1.78988"), 2.5: ("-0.265506", "-1.9823"),
         5.0: ("-1.99968", "-0.0355587")}
ADAMS_SPH = {1.0: ("0.107619", "1.21012"), 2.5: ("0.734494", "1.0177"),
             5.0: ("-0.999684", "2.96444")}


def accel(th):
    return M * G * D * math.cos(th) / J


H = 0.05
ode, errs = reference(lambda t, y: [y[1], accel(y[0])], [0.0, 0.0], TIMES, H)
print(f"period T = {4 * ellip_k(K0) / W:.14g} s")
print("released at COM (+2,0,0):")
rows, worst = [], 0.0
for t, (th, om) in zip(TIMES, ode):
    sn, cn, dn = sncndn(W * t, K0)
    phi = 2 * math.asin(K0 * cn / dn)
    worst = max(worst, abs(math.pi / 2 - phi - th))
    c_, s_, al = math.cos(th), math.sin(th), accel(th)
    com = (D * c_, 0.0, -D * s_)
    vel = (-D * om * s_, 0.0, -D * om * c_)
    acc = (D * (-al * s_ - om * om * c_), 0.0, D * (-al * c_ + om * om * s_))
    ground = (-M * acc[0], 0.0, -M * (acc[2] + G))
    rows.append((t, com, ground))
    print(f" t={t:g}\n   theta        {num(th)}  (rotation about +y)\n   omega_y      {num(om)}"
          f"\n   COM          {vec(com)}\n   COM velocity {vec(vel)}"
          f"\n   force of body on ground {vec(ground)}")
print("spherical joint at (1,2,3), body released with COM at (3,2,3): same motion shifted")
for t, com, _ in rows:
    print(f" t={t:g} COM {vec((1 + com[0], 2.0, 3 + com[2]))}")
print_errors(TIMES, errs, H)
c = Checks()
c.below("closed form against integration", worst, 1e-12)


def miss(side):
    return max(abs(side * com[0] - float(ADAMS[t][0])) for t, com, _ in rows)


print(f"largest COM x miss against ADAMS: released at +x {miss(1):.1e}, at -x {miss(-1):.1e}"
      f"  => the numbers are those of the release at {'+x' if miss(1) < miss(-1) else '-x'}")
side = 1 if miss(1) < miss(-1) else -1
for t, com, gr in rows:
    c.quoted(f"ADAMS COM x({t:g})", side * com[0], ADAMS[t][0])
    c.quoted(f"ADAMS COM z({t:g})", com[2], ADAMS[t][1])
    c.quoted(f"ADAMS spherical x({t:g})", 1 + side * com[0], ADAMS_SPH[t][0])
    c.quoted(f"ADAMS spherical z({t:g})", 3 + com[2], ADAMS_SPH[t][1])
    if t == 1.0:
        c.quoted("ADAMS reaction on ground x(1)", side * gr[0], "-11.4612")
        c.quoted("ADAMS reaction on ground z(1)", gr[2], "-23.2273")
c.finish()
