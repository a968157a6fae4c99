"""Torque-free asymmetric body (Euler top).

Model: I = diag(1, 2, 3) kg m^2 in body axes, no forces, orientation identity
at t = 0, body angular velocity 5 (0.3, 0.9, sqrt(0.1)) rad/s (|omega| = 5).
    I w' = (I w) x w   (body axes),   q' = q (0, w)/2   (q body -> world)
Integrated to order 12; the quaternion is NOT renormalised, its length is a
check.  It is printed with the sign that continues (1,0,0,0); -q is the same.

Independent closed form (Landau & Lifshitz I.37, here |L|^2 > 2 E I2, so w3
keeps its sign):
    w1 = A1 cn(tau), w2 = A2 sn(tau), w3 = A3 dn(tau),  tau = n t + tau0
    A1^2 = (2E I3 - L^2)/(I1 (I3-I1)),  A2^2 = (2E I3 - L^2)/(I2 (I3-I2)),
    A3^2 = (L^2 - 2E I1)/(I3 (I3-I1)),  n^2 = (I3-I2)(L^2 - 2E I1)/(I1 I2 I3),
    k^2 = (I2-I1)(2E I3 - L^2)/((I3-I2)(L^2 - 2E I1))
Orientation, also independent of the integration: the body sees L_body(t), which
fixes it up to a turn about the fixed L_world; that turn grows by
    psi' = |L| (2E - I3 w3^2)/(L1^2 + L2^2)
(3-1-3 Euler angles about L), integrated by Gauss quadrature of the closed form.
"""
import math
from refcommon import *

I = (1.0, 2.0, 3.0)
W0 = [5 * 0.3, 5 * 0.9, 5 * math.sqrt(0.1)]
TIMES = [1.0, 2.0, 5.0, 10.0]


def f(t, y):
    q, w = y[:4], y[4:]
    dq = quat_mul(q, [0.0] + w)
    return [0.5 * v for v in dq] + [(I[1] - I[2]) / I[0] * w[1] * w[2],
                                    (I[2] - I[0]) / I[1] * w[2] * w[0],
                                    (I[0] - I[1]) / I[2] * w[0] * w[1]]


E2 = sum(i * w * w for i, w in zip(I, W0))
LB = [i * w for i, w in zip(I, W0)]
L2 = dot(LB, LB)
A1 = math.sqrt((E2 * I[2] - L2) / (I[0] * (I[2] - I[0])))
A2 = math.sqrt((E2 * I[2] - L2) / (I[1] * (I[2] - I[1])))
A3 = math.sqrt((L2 - E2 * I[0]) / (I[2] * (I[2] - I[0])))
N = math.sqrt((I[2] - I[1]) * (L2 - E2 * I[0]) / (I[0] * I[1] * I[2]))
KK = math.sqrt((I[1] - I[0]) * (E2 * I[2] - L2) / ((I[2] - I[1]) * (L2 - E2 * I[0])))
TAU0 = ellip_f(math.atan2(W0[1] / A2, W0[0] / A1), KK)


def exact_body_omega(t):
    sn, cn, dn = sncndn(N * t + TAU0, KK)
    return [A1 * cn, A2 * sn, A3 * dn]


def frame(w, psi):
    """Body -> (frame with z along L), third Euler angle from the body's view."""
    l = math.sqrt(L2)
    e3 = [i * x / l for i, x in zip(I, w)]                    # L direction in body axes
    s = math.hypot(e3[0], e3[1])
    e1 = [-e3[1] / s, e3[0] / s, 0.0]        # in body axes: along z_body x L
    e2 = cross(e3, e1)
    c, sn = math.cos(psi), math.sin(psi)
    # rows: the L frame's axes in body components; the node line z_body x L is
    # minus the usual node, constant offset cancels against the start
    x = [c * a - sn * b for a, b in zip(e1, e2)]
    y = [sn * a + c * b for a, b in zip(e1, e2)]
    return [x, y, e3]


def psi_at(t):
    nodes, weights, _ = gauss_tableau(8)
    panels = max(1, round(t / 0.02))
    s, hh = 0.0, t / panels
    for p in range(panels):
        for c, b in zip(nodes, weights):
            w = exact_body_omega((p + c) * hh)
            s += hh * b * math.sqrt(L2) * (E2 - I[2] * w[2] ** 2) / ((I[0] * w[0]) ** 2 + (I[1] * w[1]) ** 2)
    return s


h = 0.05
ys, errs = reference(f, [1.0, 0.0, 0.0, 0.0] + W0, TIMES, h)
print(f"body omega at 0 {vec(W0)};  L^2/(2E) = {L2 / E2:.12g} (> I2 = 2)")
print(f"world angular momentum {vec(LB)} (constant), |L| = {math.sqrt(L2):.14g}; energy {E2 / 2:.14g} J")
print(f"modulus k = {KK:.14g}, period of body omega 4K/n = {4 * ellip_k(KK) / N:.14g} s")
worst_w = worst_r = worst_l = worst_e = worst_q = 0.0
R0 = frame(W0, 0.0)
for t, y in zip(TIMES, ys):
    q, w = y[:4], y[4:]
    R = quat_matrix(q)
    lw = matvec(R, [i * x for i, x in zip(I, w)])
    ww = matvec(R, w)
    e = 0.5 * sum(i * x * x for i, x in zip(I, w))
    ex = exact_body_omega(t)
    Rx = matmul(transpose(R0), frame(ex, psi_at(t)))
    print(f" t={t:g}\n   quaternion  {vec(q)}\n   world omega {vec(ww)}\n   body omega  {vec(w)}"
          f"\n   body omega by elliptic functions {vec(ex)}\n   ang. momentum {vec(lw)}  energy {num(e, 14)}")
    worst_w = max(worst_w, max(abs(a - b) for a, b in zip(ex, w)))
    worst_r = max(worst_r, max(abs(Rx[i][j] - R[i][j]) for i in range(3) for j in range(3)))
    worst_l = max(worst_l, math.dist(lw, LB))
    worst_e = max(worst_e, abs(e - E2 / 2))
    worst_q = max(worst_q, abs(dot(q, q) - 1))
print_errors(TIMES, errs, h)
c = Checks()
c.below("body omega: integration against elliptic functions (rad/s)", worst_w, 1e-11)
c.below("rotation matrix: integration against closed form + quadrature", worst_r, 1e-11)
c.below("angular momentum drift", worst_l, 1e-11)
c.below("energy drift", worst_e, 1e-11)
c.below("| |q|^2 - 1 |", worst_q, 1e-12)
c.finish()
