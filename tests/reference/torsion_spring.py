"""Hinge with torsion spring and damper, closed form.

Model: rod of mass 1.5, box 1.0 x 0.04 x 0.04, hinged at one end, axis z
(vertical, gravity does no work); J = m (lx^2 + ly^2)/12 + m (lx/2)^2;
k = 3 N m/rad, c = 0.05 N m s/rad, rest angle 30 degrees, starts at angle 0 at
rest, hinge at the origin and rod along +x at angle 0 (angle right-handed about +z):
    J th'' = -k (th - th0) - c th'
    th = th0 (1 - e^(-s t)(cos w t + (s/w) sin w t)), s = c/(2J), w = sqrt(k/J - s^2)
"""
import math
from refcommon import *

M, LX, LY, K, C = 1.5, 1.0, 0.04, 3.0, 0.05
J = M * (LX ** 2 + LY ** 2) / 12 + M * (LX / 2) ** 2
TH0 = math.pi / 6
TIMES = [1.0, 2.0, 5.0]
S = C / (2 * J)
W = math.sqrt(K / J - S * S)

h = 0.05
ode, errs = reference(lambda t, y: [y[1], (-K * (y[0] - TH0) - C * y[1]) / J], [0.0, 0.0], TIMES, h)
print(f"J about the hinge {J:.14g} kg m^2, damped period {2 * math.pi / W:.14g} s")
print("t, angle (rad), rate (rad/s), COM x, COM y, energy, dissipated")
worst = 0.0
for t, y in zip(TIMES, ode):
    e = math.exp(-S * t)
    th = TH0 * (1 - e * (math.cos(W * t) + S / W * math.sin(W * t)))
    om = TH0 * (K / J) / W * e * math.sin(W * t)
    en = 0.5 * J * om ** 2 + 0.5 * K * (th - TH0) ** 2
    print(f"  {t:<4g}", num(th), num(om), num(LX / 2 * math.cos(th)), num(LX / 2 * math.sin(th)),
          num(en), num(0.5 * K * TH0 ** 2 - en))
    worst = max(worst, abs(th - y[0]), abs(om - y[1]))
print_errors(TIMES, errs, h)
c = Checks()
c.below("closed form against integration", worst, 1e-12)
c.finish()
