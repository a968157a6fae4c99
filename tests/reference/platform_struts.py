"""A platform on 100 struts, statics by compliance.

Struts with ball ends stand between ground points a_i (z = 0) and points b_i of the platform (z = 2), inclined
in all directions, each with its own compliance e_i. The platform is rigid: a small displacement u = (shift,
turn) about its centre of mass stretches strut i by J_i u, J_i = (n_i, (b_i - c) x n_i), so that
    sum_i J_i^T J_i / e_i  u = -W,    f_i = J_i u / e_i   (tension positive),    W = (0, 0, -m g, 0, 0, 0).
Deflections are below 1e-7 m, second-order terms below 1e-6 of the forces.
Prints the forces; with the argument `yaml` the bodies and joints of scenarios/verify/platform-struts.yaml.
"""
import math
import sys

M, G, N = 5000.0, 9.81, 10
CENTRE = (0.3, -0.2, 2.5)


def strut(i):
    row, column = divmod(i, N)
    b = (-1.8 + 0.4 * column, -0.9 + 0.2 * row, 2.0)
    angle = 2.399963 * i
    tilt = 0.2 + 0.05 * (i % 7)
    a = (round(b[0] + tilt * math.cos(angle), 6), round(b[1] + tilt * math.sin(angle), 6), 0.0)
    return a, tuple(round(x, 6) for x in b), 1e-10 * (1 + 0.5 * (i % 5))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def solve(matrix, right):
    n = len(right)
    rows = [row[:] + [r] for row, r in zip(matrix, right)]
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(k + 1, n):
            factor = rows[i][k] / rows[k][k]
            for j in range(k, n + 1):
                rows[i][j] -= factor * rows[k][j]
    x = [0.0] * n
    for k in reversed(range(n)):
        x[k] = (rows[k][n] - sum(rows[k][j] * x[j] for j in range(k + 1, n))) / rows[k][k]
    return x


def forces():
    jacobians = []
    for i in range(N * N):
        a, b, e = strut(i)
        d = tuple(q - p for p, q in zip(a, b))
        length = math.sqrt(sum(x * x for x in d))
        n = tuple(x / length for x in d)
        jacobians.append(n + cross(tuple(q - c for q, c in zip(b, CENTRE)), n))
    stiffness = [[sum(J[r] * J[c] / strut(i)[2] for i, J in enumerate(jacobians)) for c in range(6)] for r in range(6)]
    u = solve(stiffness, [0, 0, -M * G, 0, 0, 0])
    result = [sum(J[k] * u[k] for k in range(6)) / strut(i)[2] for i, J in enumerate(jacobians)]
    # Equilibrium: the struts push back with -f along n.
    for k in range(6):
        held = -sum(f * J[k] for f, J in zip(result, jacobians))
        assert abs(held - (M * G if k == 2 else 0)) < 1e-8 * M * G, (k, held)
    return result, jacobians


if __name__ == "__main__":
    result, jacobians = forces()
    if "yaml" in sys.argv:
        for i in range(N * N):
            a, b, e = strut(i)
            print(f"  s{i}: {{kind: distance, between: [world, platform], points: [{list(a)}, {list(b)}], compliance: {e:.2e}}}")
    else:
        for i, (f, J) in enumerate(zip(result, jacobians)):
            print(f"s{i}: tension {f:.9g} N, on the platform ({', '.join(f'{-f * x:.9g}' for x in J[:3])}) N")
