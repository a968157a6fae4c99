#!/usr/bin/env python3
"""Plants the faults of tests/sabotage/faults.txt one by one in a copy of the tree; a test must catch each.

Exit code 0: every fault was caught. 1: one survived, no longer applies or does not build, or the tree was not
green to begin with. 2: bad usage or a bad list.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
FIELDS = {"file", "old", "new", "why", "first"}
# `unit` runs straight from the test program, `repo` looks at sources only, `install` and `browser` are slow.
EXCLUDED_LABELS = "unit|repo|install|browser"


class BadList(Exception):
    pass


# ---- the list

def read_faults(path):
    faults, entry = [], None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        line = line.strip()
        where = f"{path}:{number}"
        if not line or line.startswith("#"):
            continue
        if match := re.fullmatch(r"\[([a-z0-9-]+)\]", line):
            entry = {"id": match[1], "where": where}
            faults.append(entry)
            continue
        key, colon, value = line.partition(":")
        if not colon or key not in FIELDS or entry is None:
            raise BadList(f"{where}: expected [name] or one of {', '.join(sorted(FIELDS))} with a colon, got '{line}'")
        if key in entry:
            raise BadList(f"{where}: '{key}' is given twice")
        entry[key] = value.strip()
    seen = set()
    for fault in faults:
        lacking = {"file", "old", "new", "why"} - fault.keys()
        if lacking:
            raise BadList(f"{fault['where']}: [{fault['id']}] lacks {', '.join(sorted(lacking))}")
        if not fault["old"] or fault["old"] == fault["new"]:
            raise BadList(f"{fault['where']}: [{fault['id']}] changes nothing")
        if fault["id"] in seen:
            raise BadList(f"{fault['where']}: [{fault['id']}] is there twice")
        seen.add(fault["id"])
    return faults


def occurrences(fault, tree):
    path = tree / fault["file"]
    return path.read_text(encoding="utf-8").count(fault["old"]) if path.is_file() else 0


def stale(fault, tree):
    """Why the fault no longer applies, or nothing."""
    if not (tree / fault["file"]).is_file():
        return f"fault no longer applies: no file {fault['file']}"
    count = occurrences(fault, tree)
    return None if count == 1 else f"fault no longer applies: '{fault['old']}' occurs {count} times in {fault['file']}"


def list_faults(faults):
    bad = 0
    for fault in faults:
        problem = stale(fault, ROOT)
        bad += bool(problem)
        print(f"{fault['id']}\n    {fault['file']}: {fault['old']}\n    -> {fault['new']}\n    {problem or fault['why']}")
    print(f"{len(faults)} faults, {bad} no longer apply")
    return 1 if bad else 0


# ---- the copy

def files_of_tree():
    """What git tracks or would track, as it lies on disk; without git, everything but builds and runs."""
    git = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                         capture_output=True)
    if git.returncode == 0:
        names = {os.fsdecode(name) for name in git.stdout.split(b"\0") if name}
    else:
        names = {str(p.relative_to(ROOT)) for p in ROOT.rglob("*") if not re.match(r"build|runs|\.git/", str(p.relative_to(ROOT)))}
    return {name for name in names if (ROOT / name).is_file()}


def copy_tree(tree):
    """Brings the copy up to date. Files that did not change keep their time, so that a second run builds little."""
    names = files_of_tree()
    for old in [p for p in tree.rglob("*") if not p.is_dir()] if tree.exists() else []:
        if str(old.relative_to(tree)) not in names:
            old.unlink()
    for name in names:
        source, target = ROOT / name, tree / name
        data = source.read_bytes()
        if target.is_file() and target.read_bytes() == data:
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        shutil.copymode(source, target)


# ---- building and testing

def run(command, cwd, timeout=None):
    """(exit code, output); the code is None after a timeout."""
    # A session of its own, so that a timeout ends the children too.
    process = subprocess.Popen([str(c) for c in command], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               stdin=subprocess.DEVNULL, text=True, errors="replace", start_new_session=True)
    try:
        output, _ = process.communicate(timeout=timeout)
        return process.returncode, output
    except BaseException as problem:
        os.killpg(process.pid, 9)
        output, _ = process.communicate()
        if isinstance(problem, subprocess.TimeoutExpired):
            return None, output
        raise


class Workshop:
    def __init__(self, folder, jobs, flags):
        self.tree, self.build_folder, self.jobs, self.flags = folder / "tree", folder / "build", jobs, flags
        self.limit = None  # seconds for one suite; set from the clean run

    def configure(self):
        generator = ["-G", "Ninja"] if shutil.which("ninja") and not (self.build_folder / "CMakeCache.txt").exists() else []
        return run(["cmake", "-S", self.tree, "-B", self.build_folder, *generator, "-DCMAKE_BUILD_TYPE=Release",
                    f"-DCMAKE_CXX_FLAGS_RELEASE={self.flags}", "-DHARDPAN_TESTS=ON"], self.tree)

    def build(self):
        return run(["cmake", "--build", self.build_folder, "-j", self.jobs], self.tree)

    def first_failure(self, first=None):
        """The name of the first test that fails, or nothing, and its output."""
        for suite in ([lambda: self.unit_tests(first)] if first else []) + [self.unit_tests, self.other_tests, self.scenarios]:
            name, output = suite()
            if name:
                return name, output
        return None, ""

    def unit_tests(self, only="*"):
        code, output = run([self.build_folder / "bin" / "hardpan_tests", "--gtest_fail_fast", "--gtest_brief=0",
                            "--gtest_color=no", f"--gtest_filter={only}"], self.build_folder, self.limit)
        if code == 0:
            return None, output
        if failed := re.search(r"^\[  FAILED  \] ([^\s,]+)", output, re.M):
            return failed[1], output
        started = re.findall(r"^\[ RUN      \] (\S+)", output, re.M)
        return f"{started[-1] if started else 'hardpan_tests'} ({'timeout' if code is None else f'crash, {code}'})", output

    def other_tests(self):
        code, output = run(["ctest", "--test-dir", self.build_folder, "-LE", EXCLUDED_LABELS, "--stop-on-failure",
                            "--output-on-failure", "-j", self.jobs], self.tree, self.limit)
        if code == 0 or "No tests were found" in output:
            return None, output
        failed = re.search(r"^\s*\d+ - (\S+) \(", output, re.M)
        return failed[1] if failed else f"ctest ({'timeout' if code is None else code})", output

    def scenarios(self):
        program, folder = self.build_folder / "bin" / "hardpan", self.tree / "scenarios" / "verify"
        if program.exists():
            for path in sorted(folder.rglob("*.yaml")):
                code, output = run([program, "check", path.relative_to(self.tree)], self.tree, self.limit)
                if code != 0:
                    return str(path.relative_to(self.tree)) + (" (timeout)" if code is None else ""), output
        return None, ""

    def judge(self, fault):
        """(verdict, whether that is what we want, output to show when it is not)."""
        if problem := stale(fault, self.tree):
            return problem, False, ""
        path = self.tree / fault["file"]
        original = path.read_text(encoding="utf-8")
        path.write_text(original.replace(fault["old"], fault["new"]), encoding="utf-8")
        try:
            code, output = self.build()
            if code != 0:
                return "does not build: not a valid fault", False, output
            name, _ = self.first_failure(fault.get("first"))
            return (name, True, "") if name else ("SURVIVED", False, "")
        finally:
            path.write_text(original, encoding="utf-8")  # with a new time: what was built from the fault is stale


def prepare(shop):
    """Copies, builds and tests the tree without faults."""
    start = time.monotonic()
    copy_tree(shop.tree)
    for what, step in [("configure", shop.configure), ("build", shop.build)]:
        code, output = step()
        if code != 0:
            print(f"{output[-4000:]}\nsabotage: the tree without faults does not {what}")
            return False
    built = time.monotonic()
    name, output = shop.first_failure()
    if name:
        print(f"{output[-4000:]}\nsabotage: the tree without faults fails {name}; nothing can be learnt from faults")
        return False
    tested = time.monotonic() - built
    shop.limit = 60 + 10 * tested
    print(f"clean tree: builds in {built - start:.1f} s, green in {tested:.1f} s", flush=True)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--list", action="store_true", help="show the faults, and whether they still apply; builds nothing")
    parser.add_argument("--only", metavar="ID", action="append", help="try this fault only (may be given several times)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2, help="compile jobs")
    parser.add_argument("--faults", type=pathlib.Path, default=ROOT / "tests" / "sabotage" / "faults.txt", help="another list")
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build-sabotage", help="folder for the copy and its build")
    parser.add_argument("--flags", default="-O1", help="compiler flags")
    options = parser.parse_args()

    try:
        faults = read_faults(options.faults)
    except (BadList, OSError) as problem:
        print(problem, file=sys.stderr)
        return 2
    if options.only:
        unknown = set(options.only) - {fault["id"] for fault in faults}
        if unknown:
            print(f"no fault named {', '.join(sorted(unknown))}; --list shows them", file=sys.stderr)
            return 2
        faults = [fault for fault in faults if fault["id"] in options.only]
    if options.list:
        return list_faults(faults)

    shop = Workshop(options.work.resolve(), options.jobs, options.flags)
    if not prepare(shop):
        return 1
    width = max([len(fault["id"]) for fault in faults] + [5])
    print(f"{'fault':{width}}  {'seconds':>7}  caught by")
    bad = 0
    for fault in faults:
        start = time.monotonic()
        verdict, wanted, output = shop.judge(fault)
        bad += not wanted
        print(f"{fault['id']:{width}}  {time.monotonic() - start:7.1f}  {verdict}", flush=True)
        if output:
            print(output[-2000:])
    print(f"{len(faults)} faults, {len(faults) - bad} caught, {bad} not")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
