"""What the program tests share: running the program, scenarios to run, and a reader of run folders that follows
docs/results.md and nothing else."""
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.path.abspath(os.environ.get("HARDPAN") or os.path.join(ROOT, "build", "bin", "hardpan"))

DONE, EXPECTATION_FAILED, BAD_INPUT, DIVERGED, IO, INTERRUPTED = 0, 1, 2, 3, 4, 130

# What must never reach a user, whatever the input.
CRASH_WORDS = ("terminate called", "what():", "Aborted", "Segmentation", "internal error", "Traceback", "HDF5-DIAG",
               "std::", "filesystem error", "runtime error", "Sanitizer")

TIMEOUT = 120  # s; a run that takes longer hangs


class Outcome:
    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def __str__(self):
        return "exit code %s\n--- stdout\n%s\n--- stderr\n%s" % (self.code, self.out, self.err)


def environment(folder):
    """The program sees the scenarios of this tree, wherever it was built, and nothing else of ours; what it keeps, it
    keeps in the folder of the test."""
    kept = {k: v for k, v in os.environ.items() if k != "HARDPAN"}
    return dict(kept, LC_ALL="C", HARDPAN_DATA=ROOT, HARDPAN_CACHE=os.path.join(folder, "cache"))


class ProgramTest(unittest.TestCase):
    """Each test gets a folder of its own, in which the program runs."""

    maxDiff = None

    @classmethod
    def setUpClass(cls):
        if not os.access(PROGRAM, os.X_OK):
            raise RuntimeError("%s: no such program; build it, or name it by HARDPAN" % PROGRAM)

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="hardpan-test-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        return name

    def start(self, *arguments, **options):
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        process = subprocess.Popen([PROGRAM, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   env=environment(self.folder), **options)
        self.addCleanup(end, process)
        return process

    def finish(self, process):
        try:
            out, err = process.communicate(timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            self.fail("%s: did not end within %d s" % (process.args, TIMEOUT))
        text = [(stream or b"").decode("utf-8", "replace") for stream in (out, err)]
        outcome = Outcome(process.returncode, *text)
        for word in CRASH_WORDS:
            self.assertNotIn(word, outcome.err, str(outcome))
        return outcome

    def hardpan(self, *arguments, **options):
        return self.finish(self.start(*arguments, **options))

    def expect(self, code, *arguments, **options):
        outcome = self.hardpan(*arguments, **options)
        self.assertEqual(outcome.code, code, "%s\n%s" % (" ".join(arguments), outcome))
        return outcome

    def read(self, *names):
        with open(self.path(*names), "rb") as file:
            return file.read()

    def summary(self, run):
        return json.loads(self.read(run, "summary.json"))


def end(process):
    if process.poll() is None:
        process.send_signal(signal.SIGKILL)
        process.wait()
    for stream in (process.stdout, process.stderr):
        if stream:
            stream.close()


# ---- Scenarios ---------------------------------------------------------------------------------------------

SHAPES = """hardpan: 1
title: One of each
time: {end: 0.1, step: 0.01}
bodies:
  ball: {mass: 1, shape: {kind: sphere, radius: 0.1}}
  box: {mass: 1, shape: {kind: box, size: [1, 2, 3]}, position: [2, 0, 0], angular_velocity: [0, 1, 0]}
  drum: {density: 1000, shape: {kind: cylinder, radius: 0.1, length: 0.4}, position: [4, 0, 0]}
  point: {mass: 1, inertia: [1, 1, 1], position: [6, 0, 0], velocity: [0, 0, 2]}
joints:
  arm: {kind: ball, between: [box, ball], at: [1, 0, 0]}
loads:
  push: {kind: force, body: point, force: [1, 0, 0]}
outputs:
  - {field: position, of: ball, every: 0.01}
  - {field: frames, every: 0.02}
expect:
  - {name: height, field: position.z, of: point, between: [-1, 1], source: free fall}
"""


class BadInput(ProgramTest):
    def assert_one_message(self, outcome, fragments):
        lines = outcome.err.splitlines()
        self.assertEqual(len(lines), 1, "expected one line\n%s" % outcome)
        self.assertTrue(lines[0].startswith("error: "), str(outcome))
        for fragment in fragments:
            self.assertIn(fragment, lines[0])

    def assert_at_line(self, outcome, file, line):
        self.assertRegex(outcome.err, r"^error: %s:%d(:\d+)?: " % (re.escape(file), line))

    def assert_no_run(self, *names):
        for name in names:
            self.assertFalse(os.path.exists(self.path(name)), "%s was written" % name)


def chain_scenario(links, steps, step=1e-3, checkpoint=None, frames=None, free=0, springs=0, shapes=True, extra=()):
    """A hanging chain released from the horizontal, free bodies that tumble, and springs from the world to the
    chain. Frames and checkpoints: every so many steps."""
    lines = ["hardpan: 1", "title: Chain", "time: {end: %r, step: %r}" % (steps * step, step), "bodies:"]
    shape = "shape: {kind: box, size: [0.1, 0.02, 0.02]}" if shapes else "inertia: [1e-4, 1e-4, 1e-4]"
    for i in range(links):
        lines.append("  link%d: {mass: 0.1, %s, position: [%r, 0, 0]}" % (i, shape, 0.05 + 0.1 * i))
    for i in range(free):
        lines.append("  free%d: {mass: %r, inertia: [1, 2, 2.5], position: [%d, 5, 0], velocity: [0, 0, %r], "
                     "angular_velocity: [%r, 2, 0.1]}" % (i, 1 + 0.1 * i, i, 0.1 * i, 0.01 * i))
    lines.append("joints:")
    for i in range(links):
        lines.append("  pin%d: {kind: %s, between: [%s, link%d], at: [%r, 0, 0]%s}" % (
            i, "hinge" if i % 2 else "ball", "link%d" % (i - 1) if i else "world", i, 0.1 * i,
            ", axis: [0, 1, 0]" if i % 2 else ""))
    for i in range(springs):
        x = 0.05 + 0.1 * (i % links)
        lines.append("  spring%d: {kind: spring, between: [world, link%d], points: [[%r, 0.3, 1], [%r, 0, 0]], "
                     "stiffness: %d, damping: 0.1}" % (i, i % links, x, x, 5 + i))
    lines += ["outputs:", "  - {field: position, of: link%d, every: %r}" % (links - 1, step),
              "  - {field: energy, every: %r}" % step]
    if frames:
        lines.append("  - {field: frames, every: %r}" % (frames * step))
    if checkpoint:
        lines.append("  - {field: checkpoint, every: %r}" % (checkpoint * step))
    lines += ["expect:",
              "  - {field: position.x, of: link%d, reduce: mean, between: [-100, 100], source: test}" % (links - 1),
              "  - {field: energy.kinetic, reduce: max, between: [0, 1e9], source: test}", *extra]
    return "\n".join(lines) + "\n"


# ---- Reading a run folder ----------------------------------------------------------------------------------

def fnv1a(data):
    """64-bit FNV-1a, 16 hexadecimal digits: hardpan/core/hash.h."""
    value = 0xcbf29ce484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return "%016x" % value


def read_index(folder):
    """The complete lines of index.jsonl; nothing when there is none (yet)."""
    try:
        with open(os.path.join(folder, "index.jsonl"), "rb") as file:
            text = file.read()
    except FileNotFoundError:
        return []
    return [json.loads(line) for line in text.split(b"\n")[:-1]]


def listed_files(folder):
    """Name -> line of the files that the index lists now."""
    files = {}
    for line in read_index(folder):
        if line["kind"] in ("frames", "checkpoint"):
            files[line["file"]] = line
        elif line["kind"] == "removed":
            files.pop(line["file"], None)
    return files


def damaged_files(folder):
    """Listed files that are not what the index says."""
    bad = []
    for name, line in listed_files(folder).items():
        with open(os.path.join(folder, name), "rb") as file:
            data = file.read()
        if len(data) != line["bytes"] or fnv1a(data) != line["checksum"]:
            bad.append(name)
    return bad


def wait_for(condition, seconds=60):
    """Until the condition holds; False when it has not come true in time."""
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(0.002)
    return True
