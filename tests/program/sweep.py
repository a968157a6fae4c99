#!/usr/bin/env python3
"""hardpan sweep: combinations of values, one table and one page, taken up again after an interruption."""
import csv
import os
import signal
import time
import unittest

from harness import BAD_INPUT, DIVERGED, DONE, EXPECTATION_FAILED, INTERRUPTED, SHAPES, BadInput

FALL = """hardpan: 1
title: A ball that falls
time: {end: 0.5, step: 0.01}
bodies:
  ball: {mass: 2, inertia: [1, 1, 1], position: [0, 0, 10]}
outputs:
  - {of: ball, field: position, every: 0.1}
expect:
  - {of: ball, field: velocity.z, at: 0.5, equals: -4.905, tolerance: 1.0e-6, source: g t}
"""
LONG = FALL.replace("end: 0.5, step: 0.01", "end: 4000, step: 0.001").replace("every: 0.1", "every: 10")


class Sweep(BadInput):
    def setUp(self):
        super().setUp()
        self.write("fall.yaml", FALL)

    def table(self, folder="runs/fall-sweep"):
        with open(self.path(folder, "table.csv"), newline="") as file:
            return list(csv.DictReader(file))

    def test_all_combinations_in_one_table_and_one_page(self):
        out = self.expect(EXPECTATION_FAILED, "sweep", "fall.yaml", "--vary", "time.step=0.01,0.005", "--vary",
                          "gravity=[0, 0, -9.81],[0, 0, -1.62]").out
        self.assertRegex(out, r"(?m)^fall: 4 runs, \d+ at a time$")
        rows = self.table()
        self.assertEqual([(row["step"], row["gravity"]) for row in rows],
                         [(h, g) for h in ("0.01", "0.005") for g in ("[0, 0, -9.81]", "[0, 0, -1.62]")])
        name = next(key for key in rows[0] if key.startswith("ball_velocity_z"))
        for row in rows:
            pulls = 9.81 if "9.81" in row["gravity"] else 1.62
            self.assertAlmostEqual(float(row[name]), -0.5 * pulls, delta=1e-9)
            self.assertEqual(row["result"], "done" if pulls > 5 else "done, an expectation failed")
        folders = [f"step={h},gravity=0_0_{g}" for h in ("0.01", "0.005") for g in ("-9.81", "-1.62")]
        self.assertEqual(sorted(os.listdir(self.path("runs", "fall-sweep"))), sorted(folders + ["logs", "sweep.html", "table.csv"]))
        page = self.read("runs", "fall-sweep", "sweep.html").decode()
        for folder in folders:
            self.assertIn(folder, page)

    def test_what_is_finished_is_kept(self):
        arguments = ("sweep", "fall.yaml", "--out", "s", "--vary", "time.step=0.01,0.005")
        self.expect(DONE, *arguments)
        before = {name: os.stat(self.path("s", name, "index.jsonl")).st_mtime_ns for name in ("step=0.01", "step=0.005")}
        again = self.expect(DONE, *arguments[:-1], "time.step=0.01,0.005,0.002")
        self.assertIn("3 runs, 2 of them finished before", again.out)
        self.assertEqual(len(self.table("s")), 3)
        for name, then in before.items():
            self.assertEqual(os.stat(self.path("s", name, "index.jsonl")).st_mtime_ns, then)
        self.expect(DONE, *arguments, "--force", "--quiet")
        self.assertNotEqual(os.stat(self.path("s", "step=0.01", "index.jsonl")).st_mtime_ns, before["step=0.01"])

    def test_goes_on_after_an_interruption(self):
        self.write("long.yaml", LONG)
        arguments = ("sweep", "long.yaml", "--out", "s", "--jobs", "2", "--vary", "bodies.ball.mass=1,2,3")
        process = self.start(*arguments)
        deadline = time.time() + 30
        while not all(os.path.exists(self.path("s", name, "series.csv")) for name in ("mass=1", "mass=2")):
            self.assertLess(time.time(), deadline, "no run has begun")
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        outcome = self.finish(process)
        self.assertEqual(outcome.code, INTERRUPTED, outcome)
        self.assertIn("the same command goes on", outcome.err)
        self.assertFalse(os.path.exists(self.path("s", "mass=3")))
        self.assertEqual([row["result"] for row in self.table("s")], ["interrupted"] * 2)
        for name in ("mass=1", "mass=2"):
            self.assertEqual(self.summary("s/" + name)["status"], "interrupted")

    def test_a_run_that_diverges_stops_no_other(self):
        self.write("wild.yaml", SHAPES.replace("kind: force, body: point, force: [1, 0, 0]", "kind: torque, body: point, torque: [1.0e4, 0, 0]"))
        outcome = self.expect(DIVERGED, "sweep", "wild.yaml", "--vary", "time.step=1e-2,1e-5", "--jobs", "1")
        self.assertEqual([row["result"] for row in self.table("runs/wild-sweep")], ["diverged", "done"])
        self.assertRegex(outcome.err, r"(?m)^  error: the simulation diverged at t = ")
        self.assertIn("2/2  step=1e-5  done", outcome.err)

    def test_bad_input(self):
        for words, text in (
                (["--vary", "time.step"], r"expected a key and its values"),
                (["--vary", "=1,2"], r"expected a key and its values"),
                (["--vary", "time.step=1e-3,,2e-3"], r"a value is missing"),
                (["--vary", "time.step=1e-3,1e-3"], r"the value 1e-3 is there twice"),
                (["--vary", "time.step=1e-3", "--vary", "time.step=2e-3"], r"is there twice"),
                (["--vary", "time.stepp=1e-3"], r"stepp=1e-3: .*did you mean 'step'"),
                (["--vary", "time.step=1e-3,-1"], r"step=-1: .*time\.step"),
                ([], r"--vary is required")):
            self.assertRegex(self.expect(BAD_INPUT, "sweep", "fall.yaml", *words).err, text)
        self.assertFalse(os.path.exists(self.path("runs")), "nothing is run before all is checked")

    def test_another_study_is_not_mixed_in(self):
        self.expect(DONE, "sweep", "fall.yaml", "--out", "s", "--vary", "time.step=0.01")
        err = self.expect(BAD_INPUT, "sweep", "fall.yaml", "--out", "s", "--vary", "time.step=0.01", "--set", "time.end=0.6").err
        self.assertIn("is a run of another scenario", err)


if __name__ == "__main__":
    unittest.main()
