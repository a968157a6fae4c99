"""Rigid body on a ball joint (spherical compound pendulum).

Model: mass 2 kg, box 0.1 x 0.2 x 1.0 m, ball joint at the origin, COM at body
(0, 0, -0.5) from the joint, g = 9.81 along -z; initial orientation 60 degrees
about +y (q = (cos 30, 0, sin 30, 0), COM (-sin60, 0, -cos60)/2), initial world
angular velocity (0.5, 0.3, 2.0) rad/s.
Euler's equations about the fixed point, body axes, J = I_com + m (d^2 1 - d d^T):
    J w' = (J w) x w + d x R^T m g,     q' = q (0, w)/2
Reaction of the joint on the body: F = m (a_com + g z^),
    a_com = R (w' x d + w x (w x d)).
Second formulation for comparison: state (R, L) with world angular momentum
about the joint: L' = R d x m g, R' = [omega]x R, omega = R J^-1 R^T L.
Energy and L_z are conserved.  The quaternion is not renormalised (its length
is a check); -q is the same orientation.
"""
import math
from refcommon import *

M, G = 2.0, 9.81
BX, BY, BZ = 0.1, 0.2, 1.0
D = [0.0, 0.0, -0.5]
IC = [M * (BY ** 2 + BZ ** 2) / 12, M * (BX ** 2 + BZ ** 2) / 12, M * (BX ** 2 + BY ** 2) / 12]
J = [IC[0] + M * D[2] ** 2, IC[1] + M * D[2] ** 2, IC[2]]
Q0 = [math.cos(math.pi / 6), 0.0, math.sin(math.pi / 6), 0.0]
OMEGA0 = [0.5, 0.3, 2.0]
TIMES = [1.0, 2.0, 3.0]


def body_rate(R, w):
    gb = [-M * G * R[2][i] for i in range(3)]              # weight in body axes
    tq = cross(D, gb)
    gy = cross([J[i] * w[i] for i in range(3)], w)
    return [(gy[i] + tq[i]) / J[i] for i in range(3)]


def f(t, y):
    q, w = y[:4], y[4:]
    return [0.5 * v for v in quat_mul(q, [0.0] + w)] + body_rate(quat_matrix(q), w)


def f2(t, y):
    R, l = [y[0:3], y[3:6], y[6:9]], y[9:]
    lb = matvec(transpose(R), l)
    om = matvec(R, [lb[i] / J[i] for i in range(3)])
    cols = [cross(om, c) for c in transpose(R)]
    dR = transpose(cols)
    return dR[0] + dR[1] + dR[2] + cross(matvec(R, D), [0.0, 0.0, -M * G])


def observe(q, w):
    R = quat_matrix(q)
    com, om = matvec(R, D), matvec(R, w)
    acc = [a + b for a, b in zip(cross(body_rate(R, w), D), cross(w, cross(w, D)))]
    acc = matvec(R, acc)
    F = [M * acc[0], M * acc[1], M * (acc[2] + G)]
    lw = matvec(R, [J[i] * w[i] for i in range(3)])
    e = 0.5 * sum(J[i] * w[i] ** 2 for i in range(3)) + M * G * com[2]
    return com, om, cross(om, com), F, lw, e


h = 0.02
R0 = quat_matrix(Q0)
W0 = matvec(transpose(R0), OMEGA0)
ys, errs = reference(f, Q0 + W0, TIMES, h)
L0 = matvec(R0, [J[i] * W0[i] for i in range(3)])
ys2 = integrate(f2, R0[0] + R0[1] + R0[2] + L0, TIMES, h / 2, gauss12)
print(f"I_com = diag{vec(IC)}, J about the joint = diag{vec(J)}")
com, om, vel, F, lw, e0 = observe(Q0, W0)
lz0 = lw[2]
print(f"t=0: COM {vec(com)}, reaction on the body {vec(F)}, energy {num(e0)}, L_z {num(lz0)}")
de = dl = dq = dd = 0.0
for t, y, y2 in zip(TIMES, ys, ys2):
    q, w = y[:4], y[4:]
    com, om, vel, F, lw, e = observe(q, w)
    print(f" t={t:g}\n   COM          {vec(com)}\n   COM velocity {vec(vel)}\n   quaternion   {vec(q)}"
          f"\n   world omega  {vec(om)}\n   force of the joint on the body {vec(F)}"
          f"\n   energy {num(e)}  L_z {num(lw[2])}")
    R = quat_matrix(q)
    dd = max([dd] + [abs(R[i][j] - y2[3 * i + j]) for i in range(3) for j in range(3)]
             + [abs(a - b) for a, b in zip(lw, y2[9:])])
    de, dl, dq = max(de, abs(e - e0)), max(dl, abs(lw[2] - lz0)), max(dq, abs(dot(q, q) - 1))
print_errors(TIMES, errs, h)
c = Checks()
c.below("energy drift", de, 1e-11)
c.below("L_z drift", dl, 1e-11)
c.below("| |q|^2 - 1 |", dq, 1e-12)
c.below("quaternion/body form against (R, L) world form", dd, 1e-11)
c.finish()
