"""Hanging chain at rest: joint tensions, closed form.

Model: n = 10 links of 0.5 kg hanging straight down, joint 1 holds link 1 to
the ground, joint k holds link k to link k-1; g = 9.81.  The joint carries all
that hangs below it:  T_k = g * sum_(i>=k) m_i.  (Force of joint k on link k is
(0, 0, +T_k).)  Checked by solving the links' force balances as one linear system.
"""
from refcommon import *

N, MASS, G = 10, 0.5, 9.81
tension = [G * MASS * (N - k + 1) for k in range(1, N + 1)]
# link i: T_i - T_(i+1) = m g
a = [[(1.0 if j == i else -1.0 if j == i + 1 else 0.0) for j in range(N)] for i in range(N)]
x = solve(a, [MASS * G] * N)
print("joint k, tension (N)")
for k, t in enumerate(tension, 1):
    print(f"  {k:<3d} {t:.12f}")
c = Checks()
c.below("closed form against the force balances", max(abs(p - q) for p, q in zip(tension, x)), 1e-12)
c.finish()
