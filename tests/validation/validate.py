#!/usr/bin/env python3
"""Long comparisons with published results and other programs: runs scenarios with variations, judges them, and writes
the tables of docs/validation.md and the pictures beside it. Standard library only.

    make validate                                      all studies
    tests/validation/validate.py --only quartz-1800    one of them; --list names them

A run that is there already is not repeated (--fresh does), so an interrupted validation goes on where it was. Exit code
1: a result is not what was expected of it.
"""
import argparse
import concurrent.futures
import csv
import datetime
import json
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / "docs/images")]
sys.dont_write_bytecode = True
import direct_shear  # noqa: E402
import flow  # noqa: E402
import liggghts  # noqa: E402
import meshfree_paper  # noqa: E402
import quikrete  # noqa: E402
import solids  # noqa: E402
import triaxial  # noqa: E402

STUDIES = {**direct_shear.STUDIES, **triaxial.STUDIES, **flow.STUDIES, **liggghts.STUDIES,
           **solids.STUDIES, **meshfree_paper.STUDIES, **quikrete.STUDIES}


class Results:
    """What the runs of a study gave: metrics and curves by the label of a run."""

    def __init__(self, folder):
        self.folder = folder

    def metric(self, label, name):
        return json.loads((self.folder / label / "summary.json").read_text())["metrics"][name]

    def mean(self, labels, name):
        values = [self.metric(label, name) for label in labels]
        return sum(values) / len(values)

    def curve(self, label, x, y):
        """Pairs of two columns of series.csv; y may be a pair of columns, whose ratio is meant."""
        with open(self.folder / label / "series.csv", newline="") as file:
            rows = list(csv.reader(file))
        place = {name.split(" [")[0]: k for k, name in enumerate(rows[0])}
        value = (lambda row: float(row[place[y]])) if isinstance(y, str) else \
            (lambda row: float(row[place[y[0]]]) / float(row[place[y[1]]]))
        return [(float(row[place[x]]), value(row)) for row in rows[2:]]


def run(program, study, label, settings, folder):
    out = folder / label
    command = [program, "run", str(ROOT / study["scenario"]), "--out", str(out), "--quiet", "--threads", "1"]
    command += ["--resume"] if (out / "index.jsonl").exists() else ["--force"]
    for setting in settings:
        command += ["--set", setting]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        return f"{label}: exit code {done.returncode}: {done.stderr.strip()[-400:]}"
    return None


def is_done(folder, label):
    try:
        return json.loads((folder / label / "summary.json").read_text())["status"] == "done"
    except (OSError, ValueError, KeyError):
        return False


def run_all(program, name, study, folder, jobs):
    missing = [(label, settings) for label, settings in study["runs"].items() if not is_done(folder, label)]
    print(f"{name}: {len(study['runs'])} runs, {len(missing)} to do", flush=True)
    faults = []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        waiting = {pool.submit(run, program, study, label, settings, folder): label for label, settings in missing}
        for count, future in enumerate(concurrent.futures.as_completed(waiting), 1):
            fault = future.result()
            print(f"  {count}/{len(missing)} {fault or waiting[future]}", flush=True)
            faults += [fault] if fault else []
    return faults


def version(program):
    """As the program tells it, with its commit: "hardpan 0.1.0 (commit 1a2b3c4, x86-64)"."""
    return subprocess.run([program, "--version"], capture_output=True, text=True).stdout.strip()


def section(name, study, results, program):
    """The text of the document, and whether all was as expected."""
    lines = [f"## {name}", "", study["about"], "", f"`tests/validation/validate.py --only {name}`, "
             f"{datetime.date.today()}, {version(program)}. Scenario: `{study['scenario']}`.", ""]
    lines += study["table"](results)
    lines += ["", "| expected | measured | |", "|---|---|---|"]
    good = True
    for text, value, low, high in study["judge"](results):
        passed = low <= value <= high
        good = good and passed
        lines.append(f"| {text} | {value:.3g} | {'yes' if passed else '**no**'} |")
    lines += ["", *study.get("draw", lambda _: [])(results)]
    if "draw_frames" in study:  # from what particles were like at the end
        lines += ["", *study["draw_frames"](program, results.folder)]
    return "\n".join(lines).rstrip() + "\n", good


def write(document, name, text):
    """Replaces the section of that name, or adds it."""
    head = "# Validation\n\nLong comparisons with published results, as last measured; `make validate` repeats them.\n"
    parts = (document.read_text() if document.exists() else head).split("\n## ")
    kept = {part.split("\n", 1)[0]: part.rstrip() for part in parts[1:]}
    kept[name] = text[3:].rstrip()
    order = [study for study in STUDIES if study in kept] + [study for study in kept if study not in STUDIES]
    document.write_text("\n\n## ".join([parts[0].rstrip(), *(kept[study] for study in order)]) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", default=str(ROOT / "build/bin/hardpan"))
    parser.add_argument("--runs", type=pathlib.Path, default=ROOT / "build/validation", help="where the runs go")
    parser.add_argument("--only", action="append", help="a study; may be given several times")
    parser.add_argument("--list", action="store_true", help="name the studies")
    parser.add_argument("--fresh", action="store_true", help="repeat runs that are there")
    parser.add_argument("--jobs", type=int, default=2, help="runs at a time")
    options = parser.parse_args()
    if options.list:
        print("\n".join(f"{name:16} {len(study['runs']):3} runs  {study['scenario']}" for name, study in STUDIES.items()))
        return 0
    unknown = set(options.only or []) - set(STUDIES)
    if unknown:
        parser.error(f"no study {', '.join(sorted(unknown))}; there are {', '.join(STUDIES)}")
    good = True
    for name in options.only or STUDIES:
        study, folder = STUDIES[name], options.runs / name
        if "needs" in study and not shutil.which(study["needs"]):
            print(f"{name}: needs the program {study['needs']}, which `tools/setup.sh peers` installs", file=sys.stderr)
            good = False
            continue
        if options.fresh:
            shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True, exist_ok=True)
        faults = run_all(options.program, name, study, folder, options.jobs)
        if "peer" in study and not faults:  # another program, on what the runs gave
            faults = study["peer"](options.program, folder, options.jobs)
        if faults:
            print("\n".join(faults), file=sys.stderr)
            good = False
            continue
        text, met = section(name, study, Results(folder), options.program)
        write(ROOT / "docs/validation.md", name, text)
        print(text)
        good = good and met
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
