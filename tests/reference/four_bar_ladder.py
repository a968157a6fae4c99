"""Ladder of N four-bar linkages (IFToMM benchmark A02), closed form.

Model: N+1 upright rods hinged to the ground at x = 0, 1, ..., N and N level
rods between their upper ends; every rod 1 m, 1 kg, uniform and thin; g = 9.81
along -z; all hinge axes y.  At the start all upright rods stand on +z and the
upper ends move at 1 m/s along +x.
All upright rods stay parallel, so one angle theta from +z towards +x
(right-handed about +y) describes the motion.  An upright rod turns about its
foot (1/3), a level rod moves on a circle of 1 m without turning (1):
    I = (N+1)/3 + N,  V = (N+1)/2 + N,  I theta'' = V g sin theta
    E = I theta'^2/2 + V g cos theta
Seen from the bottom (phi = theta - pi) it is a pendulum that goes round:
    phi'^2 = w^2 (1 - k^2 sin^2(phi/2)),  w^2 = 1 + 4 V g/I,  k^2 = (4 V g/I)/w^2
    phi/2 = am(w (t - T/2)/2, k),  time of a turn T = 4 K(k)/w
Upper end of the first rod: B0 = (sin theta, 0, cos theta).
Twice a turn all rods lie in one line, where the constraints lose rank and the
linkages could fold over; the benchmark asks that they do not.
Forces: an end rod carries half a level rod, an inner one two halves, so the level
rods pass torque on with the lever cos theta.  Their horizontal force has a pole at
the singular pose (N = 2: g tan theta/36 on the level rod), which any joint
compliance cuts off.  From the balance of the first rod about its foot, with half the
level rod's weight and vertical inertia on it:
    Fx cos theta = theta''/3 - g sin theta/2 - sin theta (g + z'')/2,  z = cos theta
is the force of the level rod on the first one; the hinge gives -Fx to the level rod.

Source of the problem: M. Gonzalez, D. Dopico, U. Lugris, J. Cuadrado, "A
benchmarking system for MBS simulation software: problem standardization and
performance measurement", Multibody System Dynamics 16 (2006), 179-190; IFToMM
Library of Computational Benchmark Problems, "N-four-bar mechanism".

`four_bar_ladder.py yaml N` prints bodies and joints of the scenario.
"""
import math
import sys
from refcommon import *

G = 9.81
TIMES = [0.5, 1.0, 2.0, 5.0, 10.0]
QUOTED = {2: {"turn": "1.9425149226", "energy": "35.835",
              0.5: ("0.69528663", "0.71873256"), 1.0: ("-0.19502030", "-0.98079921"),
              2.0: ("0.05781580", "0.99832727"), 5.0: ("-0.81131046", "-0.58461555"),
              10.0: ("0.32845811", "0.94451854")},
          40: {"turn": "1.9656019287", 10.0: ("0.18051223", "0.98357274")}}


def constants(n):
    inertia, v = (n + 1) / 3 + n, (n + 1) / 2 + n
    a = 4 * v * G / inertia
    w = math.sqrt(1 + a)
    k = math.sqrt(a) / w
    return inertia, v, w, k, 4 * ellip_k(k) / w


def closed_form(n, t):
    """theta (counting turns), theta', B0."""
    _, _, w, k, turn = constants(n)
    sn, cn, dn = sncndn(0.5 * w * (t - 0.5 * turn), k)
    turns = math.floor(t / turn)
    r = t - turns * turn                       # phi/2 runs from -pi/2 to pi/2 in a turn
    s, c, _ = sncndn(0.5 * w * (r - 0.5 * turn), k)
    theta = 2 * math.atan2(s, c) + math.pi + 2 * math.pi * turns
    return theta, w * dn, (-2 * sn * cn, 2 * sn * sn - 1)


def first_force(n, t):
    """(Fx, Fz) on the first level rod at its left end."""
    inertia, v, _, _, _ = constants(n)
    th, om, _ = closed_form(n, t)
    s, c = math.sin(th), math.cos(th)
    acc = v * G * s / inertia
    az = -s * acc - c * om * om
    return -(acc / 3 - G * s / 2 - s * (G + az) / 2) / c, (G + az) / 2


def yaml(n):
    rod = "mass: 1, inertia: {}, shape: {{kind: box, size: {}}}"
    up = rod.format("[0.083333333333333333, 0.083333333333333333, 1.0e-6]", "[0.04, 0.04, 1]")
    level = rod.format("[1.0e-6, 0.083333333333333333, 0.083333333333333333]", "[1, 0.04, 0.04]")
    print("bodies:")
    for i in range(n + 1):
        print(f"  up{i}: {{{up}, position: [{i}, 0, 0.5], velocity: [0.5, 0, 0], angular_velocity: [0, 1, 0]}}")
    for i in range(n):
        print(f"  level{i}: {{{level}, position: [{i}.5, 0, 1], velocity: [1, 0, 0]}}")
    print("joints:")
    for i in range(n + 1):
        print(f"  foot{i}: {{kind: hinge, between: [world, up{i}], at: [{i}, 0, 0], axis: [0, 1, 0]}}")
    for i in range(n):
        print(f"  left{i}: {{kind: hinge, between: [up{i}, level{i}], at: [{i}, 0, 1], axis: [0, 1, 0]}}")
        print(f"  right{i}: {{kind: hinge, between: [up{i + 1}, level{i}], at: [{i + 1}, 0, 1], axis: [0, 1, 0]}}")


def main():
    c = Checks()
    for n in (2, 40):
        inertia, v, w, k, turn = constants(n)
        print(f"N = {n}: I = {inertia:.12g}, V = {v:.12g}, energy {num(v * G + inertia / 2)} J, "
              f"turn {turn:.13g} s, all rods in line at {quarter(n):.10g} s")
        print("  t, theta, theta', B0 x, B0 z, energy")
        rate = v * G / inertia
        ys, errs = reference(lambda t, y: [y[1], rate * math.sin(y[0])], [0.0, 1.0], TIMES, 0.04)
        for t, y in zip(TIMES, ys):
            th, om, b = closed_form(n, t)
            e = inertia * om * om / 2 + v * G * math.cos(th)
            print(f"  {t:<4g}", num(th), num(om), num(b[0]), num(b[1]), num(e))
            c.below(f"N={n} t={t:g} closed form against integration", max(abs(th - y[0]), abs(om - y[1])), 1e-11)
            c.below(f"N={n} t={t:g} energy", abs(e - v * G - inertia / 2), 1e-10 * e)
            if t in QUOTED[n]:
                c.quoted(f"N={n} t={t:g} B0 x", b[0], QUOTED[n][t][0])
                c.quoted(f"N={n} t={t:g} B0 z", b[1], QUOTED[n][t][1])
        for t in (0.5, 0.7, 1.0):
            print(f"  t={t:g}: theta {num(closed_form(n, t)[0])}, force on the first level rod at its left end "
                  f"{vec(first_force(n, t))} N")
        print_errors(TIMES, errs, 0.04)
        c.quoted(f"N={n} time of a turn", turn, QUOTED[n]["turn"])
    c.finish()


def quarter(n):
    """First time at which theta = pi/2, by quadrature of 1/theta' in theta (Gauss, 20 points)."""
    inertia, v, _, _, _ = constants(n)
    x, wt, _ = gauss_tableau(20)
    return sum(wi * (math.pi / 2) / math.sqrt(1 + 2 * v * G / inertia * (1 - math.cos(math.pi / 2 * xi)))
               for xi, wi in zip(x, wt))


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "yaml":
        yaml(int(sys.argv[2]))
    else:
        main()
