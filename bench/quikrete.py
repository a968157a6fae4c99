#!/usr/bin/env python3
"""Seconds per step of the three experiments of DEM-C (Melanz, Jayakumar & Negrut 2016) with rigid grains, detection
included, at the paper's step of 1 ms; beside what the paper has on eight cores. Standard library only.

    make bench                                                   300 steps of each from prepared soil
    bench/quikrete.py --program build/bin/hardpan --steps 0      whole runs: hours

Soil is prepared at the default tolerance, once (hardpan keeps it). Iterations are those per solve. At the end, one
iteration of apgd on dense soil (Project Chrono: 0.18 to 0.21 ms per 1,000 contacts at 2,000 and 0.35 to 0.43 at 38,000).
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
# name: scenario, settings, seconds per step of the paper
CASES = {
    "shear, 16.9 kPa": ("shear", [], 23.2),
    "shear, 71.4 kPa": ("shear", ["experiment.normal_stress=71400"], 80.6),
    "plate, 50 mm": ("plate", [], 27.9),
    "wheel, 80 N": ("wheel", [], 279.0),
}
USUAL = 1.641e-3  # N: a twentieth of the weight of a grain, the default
TOLERANCES = [5e-2, USUAL, 3e-4]


def measure(program, case, tolerance, steps, threads, folder):
    scenario, settings, _ = CASES[case]
    command = [program, "run", str(ROOT / f"scenarios/validate/{scenario}-quikrete.yaml"), "--out", folder, "--force",
               "--quiet", "--threads", str(threads), "--set", f"solver.force_tolerance={tolerance}",
               "--set", f"initial.prepare.solver.force_tolerance={USUAL}"]
    for setting in settings + ([f"time.end={steps * 1e-3}"] if steps else []):
        command += ["--set", setting]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{case}: exit code {done.returncode}: {done.stderr.strip()[-300:]}")
    summary = json.loads((pathlib.Path(folder) / "summary.json").read_text())
    phases = {name: seconds for name, seconds in summary["timing"]["phases_s"].items() if name != "record"}
    count = summary["timing"]["steps"]
    return sum(phases.values()) / count, phases["solve"] / count, phases["prepare"] / count, summary["solver"]


# Dense soil has more contacts: 2,330 and 45,320.
DENSE = {"shear, dense": ("shear", 0.05), "wheel, dense": ("wheel", 0.05)}


def time_iterations(program, case, folder):
    """Milliseconds of one iteration of apgd per 1,000 contacts, one thread; contacts."""
    scenario, friction = DENSE[case]
    subprocess.run([program, "run", str(ROOT / f"scenarios/validate/{scenario}-quikrete.yaml"), "--out", folder, "--force",
                    "--quiet", "--dump", "5", "--set", "time.end=0.005",
                    "--set", f"initial.prepare.materials.quikrete.friction={friction}"], check=True)
    best, contacts = None, None
    for _ in range(3):
        lines = subprocess.run([program, "replay", f"{folder}/problem-5.txt", "--solver", "apgd", "--friction", "convex",
                                "--tolerance", "1e-15", "--iterations", "1000"], capture_output=True, text=True,
                               check=True).stdout.splitlines()
        contacts = int(lines[0].split(" rows")[0].split()[-1]) / 3  # but for a few rows of joints
        _, _, iterations, milliseconds, *_ = lines[-1].split()
        time = float(milliseconds) / int(iterations) / contacts * 1000
        best = time if best is None else min(best, time)
    return best, contacts


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=str(ROOT / "build/bin/hardpan"))
    parser.add_argument("--steps", type=int, default=300, help="of each case; 0: whole runs")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", choices=list(CASES), action="append")
    options = parser.parse_args()
    print(f"{'case':16} {'tolerance':>10} {'s/step':>8} {'solve':>8} {'detect':>8} {'iterations':>10} {'unconverged':>11} "
          f"{'paper':>7} {'ratio':>7}")
    with tempfile.TemporaryDirectory() as folder:
        for case in options.only or CASES:
            for tolerance in TOLERANCES:
                whole, solve, detect, solver = measure(options.program, case, tolerance, options.steps, options.threads,
                                                       folder)
                print(f"{case:16} {tolerance:8.2g} N {whole:8.4f} {solve:8.4f} {detect:8.4f} "
                      f"{solver['iterations_mean']:10.0f} {solver['unconverged']:11} {CASES[case][2]:7.1f} "
                      f"{CASES[case][2] / whole:7.0f}", flush=True)
        for case in [] if options.only else DENSE:
            time, contacts = time_iterations(options.program, case, folder)
            print(f"{case:16} one iteration of apgd, {contacts:.0f} contacts: {time:.4f} ms per 1,000", flush=True)


if __name__ == "__main__":
    main()
