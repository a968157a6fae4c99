#!/usr/bin/env python3
"""How far joints give way: largest violation over compliance times largest force, per joint of the joint scenarios.

Runs each scenario with every joint's violation and reaction recorded in every step. 1 means that nothing but the
compliance shows; fails above MOST. Prints the table of docs/models/joints.md.

    HARDPAN=build/bin/hardpan tests/program/joint_drift.py [SECONDS]
"""
import csv
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.environ.get("HARDPAN") or os.path.join(ROOT, "build", "bin", "hardpan")
HOLDS_A_POINT = ("ball", "hinge", "distance", "fixed", "slider", "cylindrical", "universal", "planar", "screw",
                 "point-on-curve", "rolling")
DEFAULT = 1e-10  # m/N
MOST = 1.01


def joints_of(text):
    section = re.search(r"(?ms)^joints:\n(.*?)(?=^\S)", text)
    found = []
    for name, keys in re.findall(r"(?m)^  ([\w-]+):(.*(?:\n    .*)*)", section.group(1) if section else ""):
        kind = re.search(r"kind: ([\w-]+)", keys)
        if kind and kind.group(1) in HOLDS_A_POINT:
            found.append((name, kind.group(1)))
    return found


def measure(text, joints, step, seconds, folder):
    every = "".join("  - {field: %s, of: %s, every: %r}\n" % (field, name, step)
                    for name, _ in joints for field in ("violation", "reaction"))
    text = re.sub(r"(?m)^time: .*", "time: {end: %g, step: %r}" % (seconds, step), text)
    text = re.sub(r"(, )?\bcompliance: [0-9.e+-]+", "", text)  # all at the default, so that kinds can be compared
    text = re.sub(r"(?ms)^(outputs|expect):.*?(?=^\S|\Z)", "", text) + "outputs:\n" + every
    path = os.path.join(folder, "drift.yaml")
    with open(path, "w") as file:
        file.write(text)
    run = os.path.join(folder, "run")
    subprocess.run([PROGRAM, "run", path, "--out", run, "--force", "-q"], check=True, stderr=subprocess.DEVNULL)
    with open(os.path.join(run, "series.csv")) as file:
        rows = list(csv.reader(file))
    for k, (name, kind) in enumerate(joints):
        moments = [[float(x) for x in row] for row in rows[3:]]
        violation = max(row[1 + 4 * k] for row in moments)
        force = max(sum(x * x for x in row[2 + 4 * k:5 + 4 * k]) ** 0.5 for row in moments)
        yield name, kind, violation / (DEFAULT * force)


def main():
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    print("%-20s %-14s %-14s %10s %12s" % ("scenario", "joint", "kind", "step, s", "given way"))
    names = ["joint-" + kind for kind in HOLDS_A_POINT] + ["pendulum-" + kind for kind in ("ball", "hinge", "point")]
    worst = 0.0
    for name in names:
        path = os.path.join(ROOT, "scenarios", "verify", name + ".yaml")
        if not os.path.exists(path):
            continue
        with open(path) as file:
            text = file.read()
        step = float(re.search(r"step: ([0-9.e+-]+)", text).group(1))
        with tempfile.TemporaryDirectory() as folder:
            for joint, kind, ratio in measure(text, joints_of(text), step, seconds, folder):
                print("%-20s %-14s %-14s %10.3g %12.3f" % (name, joint, kind, step, ratio), flush=True)
                worst = max(worst, ratio)
    print("largest: %.3f, allowed: %g" % (worst, MOST))
    return 0 if 0 < worst <= MOST else 1


if __name__ == "__main__":
    sys.exit(main())
