#!/usr/bin/env python3
"""A machine of 4 t on skids, on the soft forest soil of MESHFREE (Nordberg & Servin 2017, section 4.4), whose authors have
1/100 of real time on one core: how fast steps of 10 ms are, and how good. Standard library only.

    make bench

Speed: simulated time over that of the steps, and over that of the whole run with its results; the best of three. Then
the force on a skid beside `direct`, and how far it sinks beside steps of 1 ms with the same relaxation time.
"""
import argparse
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
SCENARIO = ROOT / "scenarios/bench/skids-meshfree.yaml"
WIDE = ["solid.box.low=[-4.2, -1.85, -0.5]", "solid.box.high=[4.2, 1.85, 0]"]  # 19,380 particles
CASES = {"2,100 particles, 1 thread": ([], 1), "2,100 particles, 2 threads": ([], 2),
         "19,380 particles, 1 thread": (WIDE, 1), "19,380 particles, 2 threads": (WIDE, 2)}


def run(program, folder, settings, threads):
    command = [program, "run", str(SCENARIO), "--out", folder, "--force", "--quiet", "--threads", str(threads)]
    for setting in settings:
        command += ["--set", setting]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"exit code {done.returncode}: {done.stderr.strip()[-300:]}")
    return json.loads((pathlib.Path(folder) / "summary.json").read_text())


def series(folder, column):
    with open(pathlib.Path(folder) / "series.csv", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    at = next(k for k, name in enumerate(rows[0]) if name.startswith(column))
    return {round(float(row[0]), 6): float(row[at]) for row in rows[1:]}


def speeds(summary):
    timing = summary["timing"]
    steps = sum(seconds for name, seconds in timing["phases_s"].items() if name != "record")
    return timing["simulated_s"] / steps, timing["real_time_factor"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=str(ROOT / "build/bin/hardpan"))
    options = parser.parse_args()
    print(f"{'case':28} {'steps':>8} {'whole':>8} {'iterations':>10}")
    with tempfile.TemporaryDirectory() as folder:
        for case, (settings, threads) in CASES.items():
            tries = [run(options.program, folder, settings, threads) for _ in range(3)]
            steps, whole = (max(speeds(summary)[k] for summary in tries) for k in (0, 1))
            print(f"{case:28} {steps:6.3f} x {whole:6.3f} x {tries[0]['solver']['iterations_mean']:10.2f}", flush=True)
        force, sinkage = {}, {}
        for solver, settings in (("ours", []), ("direct", ["solver={kind: direct, matrix_free: false, friction: cone}"])):
            run(options.program, folder, ["time.end=0.3"] + settings, 2)
            force[solver] = series(folder, "left.contact_force.solid.z")
        ours, direct = force.values()
        worst = max(abs(ours[t] - direct[t]) for t in direct if t > 0) / max(direct[t] for t in direct if t > 0)
        print(f"force on a skid, 0.3 s: within {100 * worst:.3f} % of the largest by 'direct'", flush=True)
        for step in ("0.01", "0.001"):
            run(options.program, folder, [f"time.step={step}"], 2)
            sinkage[step] = 0.05 - list(series(folder, "left.position.z").values())[-1]
        print("sinkage after 1 s: {:.2f} mm in steps of 10 ms, {:.2f} mm in steps of 1 ms".format(
            *(1e3 * z for z in sinkage.values())))


if __name__ == "__main__":
    main()
