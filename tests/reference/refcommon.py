"""Shared tools of the reference solutions.  Standard library only.

Integrators (both of order 12, of unrelated construction, fixed steps):
  gbs12    Gragg-Bulirsch-Stoer: modified midpoint rule with 2,4,...,12
           substeps, extrapolated to zero step in h^2 (six columns).
  gauss12  six-stage Gauss-Legendre collocation, stages by fixed-point iteration.
`reference` runs gbs12 with steps h and h/2 and gauss12 with h/2, returns the
gbs12 h/2 states, and at each time the two largest state differences:
(h against h/2) and (gbs12 against gauss12).  These are the error estimates.

Elliptic functions: K and sn, cn, dn by the arithmetic-geometric mean, the
incomplete F by Carlson's R_F.  All take the modulus k (not m = k^2).
"""
import math
import sys

# ---------------------------------------------------------------- integrators


def gbs12(f, t, y, h):
    """Increment of y over [t, t+h] (order 12)."""
    n = len(y)
    row = []
    f0 = f(t, y)
    for j in range(1, 7):
        m = 2 * j
        s = h / m
        # work on increments from y, so that rounding scales with the increment
        d0 = [0.0] * n
        d1 = [s * f0[i] for i in range(n)]
        for k in range(1, m):
            g = f(t + k * s, [y[i] + d1[i] for i in range(n)])
            d0, d1 = d1, [d0[i] + 2.0 * s * g[i] for i in range(n)]
        new = [d1]
        for c in range(1, j):
            r = (h * 0 + m) ** 2 / (2 * (j - c)) ** 2 - 1      # in the arithmetic of h
            new.append([new[c - 1][i] + (new[c - 1][i] - row[c - 1][i]) / r
                        for i in range(n)])
        row = new
    return row[-1]


def gauss_tableau(s, one=1.0):
    """Nodes, weights and matrix of the s-stage Gauss rule on [0, 1], in the
    arithmetic of `one` (float, or numpy.longdouble for 64-bit mantissas)."""
    nodes, weights = [], []
    for i in range(s):
        x = one * math.cos(math.pi * (s - i - 0.25) / (s + 0.5))
        for _ in range(8):                       # Newton, quadratic from 1e-2
            p0, p1 = one, x
            for k in range(2, s + 1):
                p0, p1 = p1, ((2 * k - 1) * x * p1 - (k - 1) * p0) / k
            dp = s * (x * p1 - p0) / (x * x - 1.0)
            dx = p1 / dp
            x -= dx
        nodes.append(0.5 * (1.0 + x))
        weights.append(1.0 / ((1.0 - x * x) * dp * dp))
    # a_ij = integral of the j-th Lagrange polynomial over [0, c_i]; the same
    # Gauss rule, shrunk to [0, c_i], is exact for it
    a = []
    for i in range(s):
        line = []
        for j in range(s):
            v = 0.0 * one
            for q in range(s):
                x, l = nodes[i] * nodes[q], one
                for k in range(s):
                    if k != j:
                        l *= (x - nodes[k]) / (nodes[j] - nodes[k])
                v += weights[q] * l
            line.append(nodes[i] * v)
        a.append(line)
    return nodes, weights, a


_GAUSS = {}


def gauss12(f, t, y, h):
    """Increment of y over [t, t+h] (order 12)."""
    kind = type(h)
    if kind not in _GAUSS:
        _GAUSS[kind] = gauss_tableau(6, kind(1))
    c, b, a = _GAUSS[kind]
    s, n = len(c), len(y)
    f0 = f(t, y)
    k = [list(f0) for _ in range(s)]
    last = float("inf")
    for _ in range(60):
        z = [[y[i] + h * sum(a[p][q] * k[q][i] for q in range(s)) for i in range(n)]
             for p in range(s)]
        new = [f(t + c[p] * h, z[p]) for p in range(s)]
        change = h * max(abs(new[p][i] - k[p][i]) for p in range(s) for i in range(n))
        k = new
        if change == 0.0 or (change < 1e-13 and change >= 0.5 * last):
            break
        last = change
    else:
        if change > 1e-12:
            raise RuntimeError("gauss12: stages did not converge, take a smaller step")
    return [h * sum(b[q] * k[q][i] for q in range(s)) for i in range(n)]


def integrate(f, y0, times, h, step=gbs12):
    """States at `times` (increasing, from t=0); steps of about h that hit each
    time exactly.  Compensated (Kahan) accumulation."""
    t, y, low, out = 0.0, list(y0), [0.0] * len(y0), []
    for target in times:
        n = max(1, round((target - t) / h))
        hh, start = (target - t) / n, t
        for k in range(n):
            d = step(f, start + k * hh, y, hh)
            for i in range(len(y)):
                inc = d[i] - low[i]
                s = y[i] + inc
                low[i] = (s - y[i]) - inc
                y[i] = s
        t = target
        out.append(list(y))
    return out


def reference(f, y0, times, h):
    """(states, [(err h vs h/2, err gbs12 vs gauss12), ...])"""
    a = integrate(f, y0, times, h)
    b = integrate(f, y0, times, h / 2)
    c = integrate(f, y0, times, h / 2, gauss12)
    errs = [(max(abs(u - v) for u, v in zip(p, q)), max(abs(u - v) for u, v in zip(q, r)))
            for p, q, r in zip(a, b, c)]
    return b, errs


def print_errors(times, errs, h):
    print(f"convergence (largest state difference; gbs12 h={h:g} against h={h/2:g}; "
          f"gbs12 against gauss12 at h={h/2:g})")
    for t, (a, b) in zip(times, errs):
        print(f"  t={t:<5g} |h - h/2| = {a:.1e}   |gbs - gauss| = {b:.1e}")


# ---------------------------------------------------------- elliptic functions


def ellip_k(k):
    a, b = 1.0, math.sqrt((1.0 - k) * (1.0 + k))
    while abs(a - b) > 4e-16 * a:
        a, b = 0.5 * (a + b), math.sqrt(a * b)
    return math.pi / (a + b)


def sncndn(u, k):
    """Jacobi sn, cn, dn of real u, modulus 0 <= k < 1."""
    a, b, c = [1.0], math.sqrt((1.0 - k) * (1.0 + k)), [k]
    while abs(c[-1]) > 1e-17 and len(a) < 12:
        a0 = a[-1]
        a.append(0.5 * (a0 + b))
        c.append(0.5 * (a0 - b))
        b = math.sqrt(a0 * b)
    phi = 2.0 ** (len(a) - 1) * a[-1] * u
    for n in range(len(a) - 1, 0, -1):
        phi = 0.5 * (phi + math.asin(c[n] / a[n] * math.sin(phi)))
    sn = math.sin(phi)
    return sn, math.cos(phi), math.sqrt(1.0 - (k * sn) ** 2)


def carlson_rf(x, y, z):
    for _ in range(60):
        lam = math.sqrt(x * y) + math.sqrt(y * z) + math.sqrt(z * x)
        x, y, z = 0.25 * (x + lam), 0.25 * (y + lam), 0.25 * (z + lam)
        m = (x + y + z) / 3.0
        if max(abs(m - x), abs(m - y), abs(m - z)) < 1e-4 * m:
            break
    X, Y = (m - x) / m, (m - y) / m
    Z = -X - Y
    e2, e3 = X * Y - Z * Z, X * Y * Z
    return (1 - e2 / 10 + e3 / 14 + e2 * e2 / 24 - 3 * e2 * e3 / 44) / math.sqrt(m)


def ellip_f(phi, k):
    """Incomplete integral of the first kind, any real phi."""
    n = round(phi / math.pi)
    r = phi - n * math.pi
    s, c = math.sin(r), math.cos(r)
    return s * carlson_rf(c * c, 1.0 - (k * s) ** 2, 1.0) + 2 * n * ellip_k(k)


# ------------------------------------------------------------- linear algebra


def solve(a, b):
    """Gaussian elimination with partial pivoting."""
    n = len(b)
    m = [list(a[i]) + [b[i]] for i in range(n)]
    for i in range(n):
        p = max(range(i, n), key=lambda r: abs(m[r][i]))
        m[i], m[p] = m[p], m[i]
        for r in range(i + 1, n):
            q = m[r][i] / m[i][i]
            if q:
                for c in range(i, n + 1):
                    m[r][c] -= q * m[i][c]
    x = [0.0] * n
    for i in range(n - 1, -1, -1):
        x[i] = (m[i][n] - sum(m[i][c] * x[c] for c in range(i + 1, n))) / m[i][i]
    return x


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def quat_mul(p, q):
    a, b, c, d = p
    e, f, g, h = q
    return [a * e - b * f - c * g - d * h, a * f + b * e + c * h - d * g,
            a * g - b * h + c * e + d * f, a * h + b * g - c * f + d * e]


def quat_matrix(q):
    """Rotation matrix body -> world of (w, x, y, z), any length of q."""
    s = math.sqrt(dot(q, q))
    w, x, y, z = [v / s for v in q]
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]


def matvec(a, v):
    return [dot(r, v) for r in a]


def transpose(a):
    return [list(c) for c in zip(*a)]


def matmul(a, b):
    t = transpose(b)
    return [[dot(r, c) for c in t] for r in a]


# ------------------------------------------- planar chain in maximal coordinates


def chain_kkt(masses, inertias, lengths, g, theta, omega, tip_forces):
    """Accelerations of a chain of rods (hinge 1 at the origin, axis y, COM at
    mid-length) from Newton-Euler for each free body plus the differentiated
    joint constraints: unknowns (ax, az, alpha) of each link and the joint
    force (fx, fz) ON link i AT its upper hinge.  theta is the right-handed
    rotation about +y, so the rod direction is u = (cos, -sin) in (x, z).
    tip_forces[i]: (Fx, Fz) at the far end of link i.
    Returns (alphas, joint forces).  Independent check of the Lagrange form.
    """
    n = len(masses)
    size = 5 * n
    A = [[0.0] * size for _ in range(size)]
    rhs = [0.0] * size
    for i in range(n):
        c, s, l = math.cos(theta[i]), math.sin(theta[i]), lengths[i] / 2
        ax, az, al, fx, fz = 3 * i, 3 * i + 1, 3 * i + 2, 3 * n + 2 * i, 3 * n + 2 * i + 1
        Fx, Fz = tip_forces[i]
        # Newton: m a = f_i - f_(i+1) + F_tip + weight;  torque_y = rz Fx - rx Fz
        A[ax][ax], A[az][az], A[al][al] = masses[i], masses[i], inertias[i]
        A[ax][fx] = A[az][fz] = -1.0
        rhs[ax], rhs[az] = Fx, Fz - masses[i] * g
        A[al][fx], A[al][fz] = -(l * s), -l * c          # upper hinge at -l u = (-l c, +l s)
        rhs[al] = (-l * s) * Fx - (l * c) * Fz           # tip at +l u = (l c, -l s)
        if i + 1 < n:
            A[ax][fx + 2] = A[az][fz + 2] = 1.0
            A[al][fx + 2], A[al][fz + 2] = (-l * s), -l * c
        # acceleration of a point p u: a + alpha p (-s,-c) - omega^2 p (c,-s)
        rx, rz = 3 * n + 2 * i, 3 * n + 2 * i + 1
        A[rx][ax], A[rx][al] = 1.0, l * s
        A[rz][az], A[rz][al] = 1.0, l * c
        rhs[rx], rhs[rz] = -omega[i] ** 2 * l * c, omega[i] ** 2 * l * s
        if i > 0:
            cp, sp, lp = math.cos(theta[i - 1]), math.sin(theta[i - 1]), lengths[i - 1] / 2
            A[rx][ax - 3], A[rx][al - 3] = -1.0, lp * sp
            A[rz][az - 3], A[rz][al - 3] = -1.0, lp * cp
            rhs[rx] += -omega[i - 1] ** 2 * lp * cp
            rhs[rz] += omega[i - 1] ** 2 * lp * sp
    x = solve(A, rhs)
    return [x[3 * i + 2] for i in range(n)], [x[3 * n + 2 * i:3 * n + 2 * i + 2] for i in range(n)]


def semi_implicit_euler(accel, y0, times, h):
    """v += h a(q, v); q += h v, to show what a first-order scheme does."""
    n = len(y0) // 2
    q, v, out, step = list(y0[:n]), list(y0[n:]), [], 0
    for t in times:
        while step < round(t / h):
            a = accel(q, v)
            v = [v[i] + h * a[i] for i in range(n)]
            q = [q[i] + h * v[i] for i in range(n)]
            step += 1
        out.append(q + v)
    return out


# --------------------------------------------------------------------- output


def num(x, digits=13):
    return f"{x + 0.0: .{digits - 1}e}" if x != 0 and abs(x) < 1e-3 else f"{x + 0.0: .{digits}g}"


def vec(v, digits=13):
    return "(" + ", ".join(num(x, digits).strip() for x in v) + ")"


class Checks:
    """Counts failed checks; finish() ends the script with status 1 if any."""

    def __init__(self):
        self.failed = 0

    def close(self, what, got, want, tol):
        ok = abs(got - want) <= tol
        self.failed += not ok
        print(f"  [{'agrees' if ok else 'DISAGREES'}] {what}: {got:.12g} against {want:.12g} "
              f"(difference {got - want:.1e}, allowed {tol:.0e})")
        return ok

    def quoted(self, what, got, text):
        """got must round to the decimal number in text (half a unit of its last place)."""
        places = len(text.split(".")[1]) if "." in text else 0
        return self.close(what, got, float(text), 0.5 * 10.0 ** -places * (1 + 1e-6))

    def below(self, what, value, tol):
        ok = value <= tol
        self.failed += not ok
        print(f"  [{'ok' if ok else 'FAILED'}] {what}: {value:.1e} (allowed {tol:.0e})")
        return ok

    def finish(self):
        print("RESULT:", "all checks hold" if not self.failed else f"{self.failed} check(s) FAILED")
        sys.exit(1 if self.failed else 0)
