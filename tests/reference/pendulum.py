"""Point-mass pendulum, exact.

Model: point mass on a massless rod L = 1 m, pivot at the origin, g = 9.81
along -z, released from rest at (x, z) = (-1, 0).
With phi from the downward vertical, x = L sin(phi), z = -L cos(phi):
    phi'' = -(g/L) sin(phi),  phi(0) = -pi/2,  phi'(0) = 0
Closed form: sin(phi/2) = -k cd(w t, k), k = sin(pi/4), w = sqrt(g/L);
period T = 4 K(k)/w.  Checked by order-12 integration.
"""
import math
from refcommon import *

L, G = 1.0, 9.81
K0 = math.sin(math.pi / 4)
W = math.sqrt(G / L)
TIMES = [1.0, 2.0, 5.0, 10.0]
QUOTED = {1: ("0.986291751", "-0.165010853"), 2: ("-0.793566195", "-0.608483930"),
          5: ("-0.942305435", "-0.334754338"), 10: ("-0.275087463", "-0.961419205")}

period = 4 * ellip_k(K0) / W
ode, errs = reference(lambda t, y: [y[1], -(G / L) * math.sin(y[0])],
                      [-math.pi / 2, 0.0], TIMES, 0.05)
print(f"period T = {period:.14g} s")
print("t, x, z, vx, vz (closed form)")
worst = 0.0
rows = []
for t, y in zip(TIMES, ode):
    sn, cn, dn = sncndn(W * t, K0)
    phi = 2 * math.asin(-K0 * cn / dn)
    # d/du cd(u) = -(1-k^2) sn/dn^2
    rate = 2 * K0 * W * (1 - K0 * K0) * sn / dn ** 2 / math.cos(phi / 2)
    worst = max(worst, abs(phi - y[0]), abs(rate - y[1]))
    x, z = L * math.sin(phi), -L * math.cos(phi)
    rows.append((t, x, z))
    print(f"  {t:<4g}", num(x), num(z), num(-z * rate), num(x * rate))
print_errors(TIMES, errs, 0.05)
c = Checks()
c.below("closed form against integration", worst, 1e-12)
c.quoted("period", period, "2.36784194758")
for t, x, z in rows:
    c.quoted(f"x({t:g})", x, QUOTED[t][0])
    c.quoted(f"z({t:g})", z, QUOTED[t][1])
c.finish()
