"""Impact of two balls: closed form.

Normal n from a to b at the instant of touch, r the radii, I = 2/5 m r^2, u the velocity of b against a at the point
of contact before the impact:
    normal    P = -(1 + e) u_n m_ab,                       1/m_ab = 1/m_a + 1/m_b
    sliding   T = -mu P u_t/|u_t|   or, if that is less,   T = -(2/7) m_ab u_t   (it sticks: u_t = 0 afterwards)
For balls the tangent plane decouples from the normal: 1/m_t = 1/m_ab + r_a^2/I_a + r_b^2/I_b = (7/2)/m_ab.
"""
import math
from refcommon import Checks, cross, dot, vec

CASES = {
    # v in m/s; b waits, a comes. The offset across makes it oblique.
    "head_on": dict(mu=0.0, e=0.7, a=dict(m=1.0, r=0.1, x=[0.0, 0.0, 0.0], v=[4.0, 0.0, 0.0], w=[0.0, 0.0, 0.0]),
                    b=dict(m=3.0, r=0.15, x=[0.5, 0.0, 0.0], v=[0.0, 0.0, 0.0], w=[0.0, 0.0, 0.0])),
    "oblique": dict(mu=0.0, e=0.7, a=dict(m=1.0, r=0.1, x=[0.0, 0.0, 0.0], v=[4.0, 0.0, 0.0], w=[0.0, 0.0, 0.0]),
                    b=dict(m=3.0, r=0.15, x=[0.5, 0.12, 0.05], v=[0.0, 0.0, 0.0], w=[0.0, 0.0, 0.0])),
    "sliding": dict(mu=0.1, e=0.5, a=dict(m=1.0, r=0.1, x=[0.0, 0.0, 0.0], v=[4.0, 0.0, 0.0], w=[0.0, 0.0, 0.0]),
                    b=dict(m=3.0, r=0.15, x=[0.5, 0.12, 0.05], v=[0.0, 0.0, 0.0], w=[0.0, 0.0, 0.0])),
    "sticking": dict(mu=0.9, e=0.5, a=dict(m=1.0, r=0.1, x=[0.0, 0.0, 0.0], v=[4.0, 0.0, 0.0], w=[0.0, 0.0, 0.0]),
                     b=dict(m=3.0, r=0.15, x=[0.5, 0.12, 0.05], v=[0.0, 0.0, 0.0], w=[0.0, 0.0, 0.0])),
    "spinning": dict(mu=0.2, e=0.8, a=dict(m=2.0, r=0.1, x=[0.0, 0.0, 0.0], v=[3.0, 0.0, 0.0], w=[0.0, 20.0, -35.0]),
                     b=dict(m=1.0, r=0.1, x=[0.5, 0.0, 0.0], v=[-1.0, 0.0, 0.0], w=[5.0, 0.0, 10.0])),
}


def touch(c):
    """Time of the first touch and positions then."""
    a, b = c["a"], c["b"]
    d = [q - p for p, q in zip(a["x"], b["x"])]
    v = [q - p for p, q in zip(a["v"], b["v"])]
    A, B, C = dot(v, v), dot(d, v), dot(d, d) - (a["r"] + b["r"]) ** 2
    t = (-B - math.sqrt(B * B - A * C)) / A
    return t, [x + t * y for x, y in zip(d, v)]


def ball_impact(c):
    a, b, e, mu = c["a"], c["b"], c["e"], c["mu"]
    _, d = touch(c)
    n = [x / math.sqrt(dot(d, d)) for x in d]
    ra, rb = [a["r"] * x for x in n], [-b["r"] * x for x in n]
    ua = [x + y for x, y in zip(a["v"], cross(a["w"], ra))]
    ub = [x + y for x, y in zip(b["v"], cross(b["w"], rb))]
    u = [y - x for x, y in zip(ua, ub)]
    un = dot(u, n)
    ut = [x - un * k for x, k in zip(u, n)]
    size = math.sqrt(dot(ut, ut))
    m = 1 / (1 / a["m"] + 1 / b["m"])
    P = -(1 + e) * un * m
    stick = 2 / 7 * m * size
    T = min(mu * P, stick)
    J = [P * k - (T * x / size if size > 0 else 0) for k, x in zip(n, ut)]
    out = {"mode": "sticking" if stick <= mu * P else "sliding"}
    for s, body, sign, arm in (("a", a, -1, ra), ("b", b, 1, rb)):
        I = 0.4 * body["m"] * body["r"] ** 2
        turn = cross(arm, J)
        out[s] = dict(v=[x + sign * j / body["m"] for x, j in zip(body["v"], J)],
                      w=[x + sign * j / I for x, j in zip(body["w"], turn)])
    return out


def energy(body, state):
    return 0.5 * body["m"] * (dot(state["v"], state["v"]) + 0.4 * body["r"] ** 2 * dot(state["w"], state["w"]))


if __name__ == "__main__":
    checks = Checks()
    for name, c in CASES.items():
        after = ball_impact(c)
        print(f"{name} ({after['mode']}), touch at {touch(c)[0]:.9f} s")
        for s in "ab":
            print(f"  {s}: velocity {vec(after[s]['v'])}, spin {vec(after[s]['w'])}")
        before = sum(energy(c[s], c[s]) for s in "ab")
        checks.below(f"{name}: energy gained", sum(energy(c[s], after[s]) for s in "ab") - before, 1e-12)
        for k in range(3):
            p = sum(c[s]["m"] * (after[s]["v"][k] - c[s]["v"][k]) for s in "ab")
            checks.below(f"{name}: momentum {'xyz'[k]}", abs(p), 1e-12)
        if after["mode"] == "sticking" and c["mu"] > 0:
            _, d = touch(c)
            n = [x / math.sqrt(dot(d, d)) for x in d]
            ua = [x + y for x, y in zip(after["a"]["v"], cross(after["a"]["w"], [c["a"]["r"] * x for x in n]))]
            ub = [x + y for x, y in zip(after["b"]["v"], cross(after["b"]["w"], [-c["b"]["r"] * x for x in n]))]
            u = [y - x for x, y in zip(ua, ub)]
            checks.below(f"{name}: sliding left", max(abs(x - dot(u, n) * k) for x, k in zip(u, n)), 1e-12)
    checks.finish()
