"""Stops, dry friction and spring curves on sliders and hinges: closed forms and quadrature.

stops: let fall by H on a stop with restitution e: apex k has the height e^(2k) H at the time
    t1 (1 + 2 (e + ... + e^(k-1)) + e^k), t1 = sqrt(2 H/g).
chain: three masses in line, the first two pass each other until a stop: rate after = -e rate before.
friction: on a slope a = g sin a - F/m; on the level v0 t - mu g t^2/2 until v0^2/(2 mu g); a flywheel with
    bearing torque T stops at I w0/T after I w0^2/(2 T).
curves: m x'' = -F(x) with F = k x + k3 x^3 sampled straight between points, with amplitude A: period
    4 int_0^A dx/sqrt(2 (U(A) - U(x))/m), substituted x = A sin u (Gauss in each piece); damper C = c v |v| sampled:
    m v' = -C(v).
"""
import bisect
import math
from refcommon import *

G = 9.81
ROWS = []
checks = Checks()


def show(name, field, of, t, value, reduce=None):
    ROWS.append((name, field, of, t, value, reduce))
    print(f"  {name:9s} {of + '.' + field:26s} {'t=%g' % t if reduce is None else reduce:10s} {num(value)}")


t1 = math.sqrt(2 / G)
for e, of in ((0.5, "half"), (0.8, "lively")):
    for k in (1, 2, 3):
        t = t1 * (1 + 2 * sum(e ** j for j in range(1, k)) + e ** k)
        show("stop", "displacement", of, round(t, 4), -1 + e ** (2 * k))
show("chain", "displacement_rate", "tube", 0.5, -0.6)

m, a = 2.0, math.radians(20)
slip = 0.5 * m * G * math.sin(a)
for t in (1.0, 2.0):
    show("friction", "displacement", "sliding", t, 0.5 * (G * math.sin(a) - slip / m) * t * t)
v0, mu = 3.0, 0.3
show("friction", "displacement", "skid", 0.5, v0 * 0.5 - 0.5 * mu * G * 0.25)
show("friction", "displacement", "skid", 5.0, v0 * v0 / (2 * mu * G))
I, w0, T = 0.5, 10.0, 1.0
show("friction", "angle", "bearing", 2.5, w0 * 2.5 - 0.5 * T / I * 2.5 ** 2)
show("friction", "angle", "bearing", 10.0, I * w0 * w0 / (2 * T))


def sampled(f, xs):
    ys = [f(x) for x in xs]

    def value(x):
        i = min(max(bisect.bisect_right(xs, x) - 1, 0), len(xs) - 2)
        return ys[i] + (ys[i + 1] - ys[i]) / (xs[i + 1] - xs[i]) * (x - xs[i])
    return value


k, k3, mass, A = 20.0, 100.0, 1.0, 0.4
XS = [round(-0.5 + 0.025 * i, 3) for i in range(41)]
spring = sampled(lambda x: k * x + k3 * x ** 3, XS)


def potential(x):
    """From 0 to x >= 0, exact for straight pieces."""
    u, at = 0.0, 0.0
    for p in XS:
        if 0 < p < x:
            u += 0.5 * (spring(at) + spring(p)) * (p - at)
            at = p
    return u + 0.5 * (spring(at) + spring(x)) * (x - at)


def quarter(points):
    nodes, weights, _ = gauss_tableau(points)
    ends = [0.0] + [math.asin(p / A) for p in XS if 0 < p < A - 1e-12] + [math.pi / 2]
    total = 0.0
    for p, q in zip(ends, ends[1:]):
        for c, b in zip(nodes, weights):
            u = p + c * (q - p)
            total += b * (q - p) * A * math.cos(u) / math.sqrt(2 * (potential(A) - potential(A * math.sin(u))) / mass)
    return total


period = 4 * quarter(8)
checks.close("period: eight against six nodes", period, 4 * quarter(6), 1e-8)
x = integrate(lambda t, y: [y[1], -spring(y[0]) / mass], [A, 0.0], [period / 4], period / 4 / 400)[0][0]
checks.close("period: zero crossing of an integration", x, 0.0, 1e-5)
print(f"  speed at x = 0 for the amplitude {A}: {math.sqrt(2 * potential(A) / mass)!r}")
show("curves", "displacement", "hard_spring", 0, period, "period")
VS = [round(-3 + 0.1 * i, 2) for i in range(61)]
damper = sampled(lambda v: 0.8 * v * abs(v), VS)
for t, y in zip([1.0, 5.0], integrate(lambda t, y: [y[1], -damper(y[1]) / mass], [0.0, 2.0], [1.0, 5.0], 1e-3)):
    show("curves", "displacement", "drag", t, y[0])
    checks.close(f"drag: against v0/(1 + c v0 t/m), t={t:g}", y[0], math.log(1 + 0.8 * 2 * t) / 0.8, 1e-2)
checks.finish()
