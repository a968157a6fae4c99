"""Oblique impact of an elastic sphere on a half-space with friction: the Mindlin-Deresiewicz contact in time.

Normal force by Hertz, tangential stress by Cattaneo and Mindlin with slip from the rim inwards, for any history of
both loads, no coupling of the two (similar materials, or Dundurs' constant neglected, as all of these theories do).
For such a contact the half-space may be replaced by independent springs on a line (Popov & Hess, Method of
Dimensionality Reduction, 2015; for impacts Lyashenko & Popov, Sci. Rep. 5 (2015) 8479): at a place x the normal spring
is pressed by d - x^2/R, the tangential one is dragged along and slides at mu times the normal force. It is the problem
that Maw, Barber & Fawcett (Wear 38 (1976) 101-114) solved with rings.

In units where m = E* = R = v_n = 1, with w the stretch of tangential springs times kappa/mu and
kappa = k_t/k_n = 2 (1 - nu)/(2 - nu) for one material:
    d'' = -(4/3) d^(3/2)              |w(x)| <= d - x^2         psi = kappa v_t/(mu v_n), v_t at the contact
    psi' = -(7/2) kappa int w dx      w' = psi
so that psi_2 is a function of psi_1 and kappa alone (Maw's chi is 7 kappa/4). Sliding throughout, psi_1 >= 7 kappa - 1,
is closed: psi_2 = psi_1 - 7 kappa. Springs of equal steps of x, leapfrog in time.
"""
import math
from refcommon import Checks

CASES = {0.3: 2 * 0.7 / 1.7}  # kappa by nu
PSI = [0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 6.0, 7.0]


def rebound(kappa, psi, n):
    """psi_2 with n springs on a side and 4 n steps."""
    deepest = (15 / 16) ** 0.4
    h = 2.943275 * deepest / (4 * n)
    dx = math.sqrt(deepest) / n
    shape = [((i + 0.5) * dx) ** 2 for i in range(n)]
    w = [0.0] * n
    d, v, active = 0.0, 1.0, 0
    while True:
        d += h * v
        if d <= 0:
            return psi
        total, stretch = 0.0, h * psi
        for i in range(n):
            limit = d - shape[i]
            if limit <= 0:
                for k in range(i, active):
                    w[k] = 0.0
                active = i
                break
            s = w[i] + stretch
            s = limit if s > limit else -limit if s < -limit else s
            w[i] = s
            total += s
        v -= h * 4 / 3 * d ** 1.5
        psi -= h * 3.5 * kappa * 2 * dx * total


def pushed_aside(n):
    """Largest difference from the closed form at a constant normal load, pushed by 0.8 of what slides and back to
    -0.8: F = 1 - (1 - u)^(3/2), then F_0 - 2 (1 - (1 - (u_0 - u)/2)^(3/2)) (Mindlin & Deresiewicz 1953)."""
    limit = [1 - ((i + 0.5) / n) ** 2 for i in range(n)]
    w, worst, full = [0.0] * n, 0.0, sum(limit)

    def load(u):
        return 1 - (1 - u) ** 1.5

    path = [k / 50 for k in range(1, 41)] + [0.8 - k / 50 for k in range(1, 81)]
    for k, u in enumerate(path):
        move = u - (path[k - 1] if k else 0)
        w = [max(-m, min(m, s + move)) for s, m in zip(w, limit)]
        exact = load(u) if k < 40 else load(0.8) - 2 * load((0.8 - u) / 2)
        worst = max(worst, abs(sum(w) / full - exact))
    return worst


if __name__ == "__main__":
    checks = Checks()
    checks.below("springs against the closed form, load and unload", pushed_aside(2000), 1e-6)
    for nu, kappa in CASES.items():
        print(f"nu {nu}, kappa {kappa:.6f}, chi {1.75 * kappa:.6f}: psi_1, psi_2, change from half the springs")
        for psi in PSI:
            a, b = rebound(kappa, psi, 300), rebound(kappa, psi, 600)
            print(f"  {psi:5.2f} {b:9.4f} {b - a:9.1e}")
            checks.below(f"converged at {psi}", abs(b - a), 5e-4)
            if psi >= 7 * kappa - 1:
                checks.below(f"sliding throughout at {psi}", abs(b - (psi - 7 * kappa)), 1e-5)
    checks.finish()
