"""Damped vertical oscillator, closed form.

Model: m = 2 kg on a spring/damper along z from world (0, 0, 2); k = 200 N/m,
c = 1.5 N s/m, natural length 1; g = 9.81; starts at (0, 0, 1) at rest.  The
spring length is 2 - z (z stays below 2), so
    m z'' = -m g + k (1 - z) - c z'
z_eq = 1 - m g/k, a = z(0) - z_eq = m g/k, s = c/(2m), w = sqrt(k/m - s^2):
    z = z_eq + a e^(-s t) (cos w t + (s/w) sin w t)
    z' = -a (k/m)/w e^(-s t) sin w t
Dissipated: D = integral of c z'^2 = (c a^2 w0^4/w^2) * integral e^(-2st) sin^2 wt,
the latter in closed form; checked against the energy balance and integration.
Potential energy: m g z (zero at z = 0) + k (1 - z)^2/2.
"""
import math
from refcommon import *

M, K, C, G = 2.0, 200.0, 1.5, 9.81
TIMES = [0.5, 1.0, 2.0, 5.0]
A = M * G / K
ZEQ = 1.0 - A
S = C / (2 * M)
W0 = math.sqrt(K / M)
W = math.sqrt(K / M - S * S)


def exact(t):
    e, c, s = math.exp(-S * t), math.cos(W * t), math.sin(W * t)
    z = ZEQ + A * e * (c + S / W * s)
    v = -A * W0 ** 2 / W * e * s
    # int_0^t e^(-p x) sin^2(W x) dx with p = 2 S and sin^2 = (1 - cos 2 W x)/2
    p = 2 * S
    i1 = (1 - math.exp(-p * t)) / (2 * p)
    i2 = (p - math.exp(-p * t) * (p * math.cos(2 * W * t) - 2 * W * math.sin(2 * W * t))) / (2 * (p * p + 4 * W * W))
    return z, v, C * (A * W0 ** 2 / W) ** 2 * (i1 - i2)


def energy(z, v):
    return 0.5 * M * v * v + M * G * z + 0.5 * K * (1 - z) ** 2


h = 0.02
ode, errs = reference(lambda t, y: [y[1], -G + (K * (1 - y[0]) - C * y[1]) / M, C * y[1] ** 2],
                      [1.0, 0.0, 0.0], TIMES, h)
print(f"equilibrium z {ZEQ:.14g}, damping ratio {S / W0:.14g}, damped period {2 * math.pi / W:.14g} s, "
      f"undamped period {2 * math.pi / W0:.14g} s, log decrement {S * 2 * math.pi / W:.14g}")
print("t, z, vz, total energy, dissipated energy, force of the spring on the body (N, along z)")
worst = bal = 0.0
for t, y in zip(TIMES, ode):
    z, v, d = exact(t)
    print(f"  {t:<4g}", num(z), num(v), num(energy(z, v)), num(d), num(K * (1 - z) - C * v))
    worst = max(worst, *(abs(a - b) for a, b in zip((z, v, d), y)))
    bal = max(bal, abs(energy(z, v) + d - energy(1.0, 0.0)))
print(f"energy at t=0: {energy(1.0, 0.0):.14g} J")
print_errors(TIMES, errs, h)
c = Checks()
c.below("closed form against integration", worst, 1e-12)
c.below("energy balance E + D - E0", bal, 1e-12)
c.finish()
