#!/usr/bin/env python3
"""Same binary, same scenario: same bits. For any number of threads, however often a run is interrupted or killed
and resumed, and from the resolved scenario it stores."""
import glob
import os
import random
import signal
import time
import unittest

from harness import (DONE, INTERRUPTED, IO, ROOT, ProgramTest, chain_scenario, damaged_files, read_index, wait_for)

try:
    import h5py
except ImportError:
    h5py = None

VERIFY = sorted(glob.glob(os.path.join(ROOT, "scenarios", "verify", "*.yaml")))
KILLS = 20


def frames_of(folder):
    """(step, bytes of all arrays) of every frame: how they are spread over files depends on the wall clock."""
    frames = []
    for line in read_index(folder):
        if line["kind"] != "frames":
            continue
        with h5py.File(os.path.join(folder, line["file"]), "r") as file:
            arrays = [file[name][:] for name in ("time", "bodies/position", "bodies/orientation", "bodies/velocity",
                                                 "bodies/angular_velocity")]
            for i, step in enumerate(file["step"][:]):
                frames.append((int(step), b"".join(array[i].tobytes() for array in arrays)))
    return frames


class SameBits(ProgramTest):
    def results(self, run):
        """All that must not depend on how the run came about."""
        summary = self.summary(run)
        results = {key: summary[key] for key in ("status", "state_hash", "metrics", "expectations")}
        results["steps"] = summary["timing"]["steps"]
        results["simulated_s"] = summary["timing"]["simulated_s"]
        results["series"] = self.read(run, "series.csv") if os.path.exists(self.path(run, "series.csv")) else None
        results["scenario"] = self.read(run, "scenario.yaml")
        if h5py:
            results["frames"] = frames_of(self.path(run))
        return results

    def assert_same_results(self, run, undisturbed, note=""):
        self.assertEqual(damaged_files(self.path(run)), [])
        ours = self.results(run)
        for key in undisturbed:
            # assertEqual on long texts takes minutes to show the difference
            self.assertTrue(ours[key] == undisturbed[key], "%s differs %s" % (key, note))


@unittest.skipUnless(h5py, "SKIPPED: h5py is missing (apt install python3-h5py), so frames are not compared")
class Frames(SameBits):
    def test_frames_are_among_the_results(self):
        self.write("chain.yaml", chain_scenario(links=2, steps=20, frames=5))
        self.expect(DONE, "run", "chain.yaml", "--out", "run", "-q")
        self.assertEqual([step for step, _ in self.results("run")["frames"]], [0, 5, 10, 15, 20])


class Threads(SameBits):
    def assert_thread_count_does_not_matter(self, scenario, *options):
        found = {}
        for threads in ("1", "2", "3"):
            self.expect(DONE, "run", scenario, "--out", "t" + threads, "--threads", threads, "-q", *options)
            found[threads] = self.results("t" + threads)
        for threads in ("2", "3"):
            for key in found["1"]:
                self.assertTrue(found[threads][key] == found["1"][key],
                                "%s: %s differs with %s threads" % (scenario, key, threads))
        self.assertRegex(found["1"]["state_hash"], r"^[0-9a-f]{16}$")
        return found["1"]["state_hash"]

    def test_verification_scenarios(self):
        self.assertTrue(VERIFY)
        hashes = set()
        for number, scenario in enumerate(VERIFY):
            with self.subTest(scenario=os.path.basename(scenario)):
                self.folder = os.path.join(self.folder, str(number))
                os.mkdir(self.folder)
                hashes.add(self.assert_thread_count_does_not_matter(scenario, "--set", "expect=[]", "--set",
                                                                    "time.end=0.25"))
                self.folder = os.path.dirname(self.folder)
        self.assertGreater(len(hashes), len(VERIFY) // 2, "a hash that does not tell states apart is no hash")

    def test_several_hundred_bodies(self):
        self.write("big.yaml", chain_scenario(links=600, free=200, springs=300, steps=40, frames=20))
        self.assert_thread_count_does_not_matter("big.yaml")


class InTheMiddle(SameBits):
    def test_avalanche(self):
        self.disturb("contact-avalanche", "--set", "time.end=1", "--set", "expect=[]")

    def test_shear(self):
        self.disturb("grains-shear-incremental", "--set", "experiment.count=300", "--set", "experiment.settle=0.1",
                     "--set", "time.end=0.06", "--set", "expect=[]")

    def test_rigid_grains(self):
        self.disturb("rigid-grains-mixed", "--set", "time.end=0.4", "--set", "expect=[]")

    def test_soil(self):
        self.disturb("triaxial-capped-soil", "--set", "experiment.particles=4", "--set", "experiment.settle=0.5", "--set",
                     "experiment.duration=0.5", "--set", "time.end=0.4", "--set", "expect=[]", middle=40)

    def disturb(self, name, *settings, middle=200):
        """Two threads, and a kill in the middle."""
        command = ["run", os.path.join(ROOT, "scenarios", "verify", name + ".yaml"), "-q", "--set",
                   "outputs=[{field: energy, every: 0.005}, {field: checkpoint, every: 0.01}]", *settings]
        self.expect(DONE, *command, "--out", "one", "--threads", "1")
        undisturbed = self.results("one")
        self.expect(DONE, *command, "--out", "two", "--threads", "2")
        self.assert_same_results("two", undisturbed, "with 2 threads")
        process = self.start(*command, "--out", "killed")

        def half_way():
            return process.poll() is not None or any(line["kind"] == "checkpoint" and line["step"] >= middle
                                                     for line in read_index(self.path("killed")))
        self.assertTrue(wait_for(half_way))
        process.kill()
        self.finish(process)
        last = max(line["step"] for line in read_index(self.path("killed")) if line["kind"] == "checkpoint")
        self.assertLess(last, undisturbed["steps"])
        self.expect(DONE, *command, "--out", "killed", "--resume")
        self.assert_same_results("killed", undisturbed, "after a kill")


class Repetition(SameBits):
    def test_run_twice_and_from_the_stored_scenario(self):
        self.write("chain.yaml", chain_scenario(links=6, free=2, springs=2, steps=200, frames=50))
        self.expect(DONE, "run", "chain.yaml", "--out", "first", "-q")
        undisturbed = self.results("first")
        self.expect(DONE, "run", "chain.yaml", "--out", "second", "-q")
        self.assert_same_results("second", undisturbed)
        self.expect(DONE, "run", "first/scenario.yaml", "--out", "stored", "-q")
        self.assert_same_results("stored", undisturbed)
        self.expect(DONE, "run", "chain.yaml", "--out", "first", "-q", "--force")
        self.assert_same_results("first", undisturbed)

    def test_another_scenario_has_another_hash(self):
        self.write("chain.yaml", chain_scenario(links=3, steps=50))
        self.expect(DONE, "run", "chain.yaml", "--out", "a", "-q")
        self.expect(DONE, "run", "chain.yaml", "--out", "b", "-q", "--set", "bodies.link2.mass=0.1000000000000001")
        self.assertNotEqual(self.summary("a")["state_hash"], self.summary("b")["state_hash"])

    def test_resume_of_a_finished_run_is_harmless(self):
        self.write("chain.yaml", chain_scenario(links=4, steps=100, frames=10, checkpoint=30))
        self.expect(DONE, "run", "chain.yaml", "--out", "run", "-q")
        undisturbed, index = self.results("run"), self.read("run", "index.jsonl")
        for _ in range(3):
            self.expect(DONE, "run", "chain.yaml", "--out", "run", "-q", "--resume")
            self.assert_same_results("run", undisturbed)
            self.assertEqual(self.read("run", "index.jsonl"), index)


class Interruptions(SameBits):
    """One scenario of a second or more, disturbed in every way."""

    # Checkpoints are frequent, but a part of the run lies between two of them.
    STEPS, CHECKPOINT = 16000, 410
    undisturbed = wall = None

    def setUp(self):
        super().setUp()
        self.write("chain.yaml", chain_scenario(links=10, free=3, springs=3, steps=self.STEPS, frames=200,
                                                checkpoint=self.CHECKPOINT))
        if not self.undisturbed:
            self.run_undisturbed()
        self.seed = int(os.environ.get("HARDPAN_TEST_SEED") or random.randrange(10**6))
        self.random = random.Random(self.seed)
        print("seed %d (HARDPAN_TEST_SEED repeats it), %.2f s undisturbed" % (self.seed, self.wall), flush=True)

    def run_undisturbed(self):
        start = time.monotonic()
        self.expect(DONE, "run", "chain.yaml", "--out", "undisturbed", "-q")
        Interruptions.wall = time.monotonic() - start
        Interruptions.undisturbed = self.results("undisturbed")
        self.assertEqual(self.undisturbed["steps"], self.STEPS)

    def run_or_resume(self, run, *options):
        """Whichever the folder asks for, as a person would: the folder is no run before its index is there."""
        resume = ["--resume"] if os.path.exists(self.path(run, "index.jsonl")) else []
        return self.start("run", "chain.yaml", "--out", run, "-q", *resume, *options)

    def disturb(self, run, number, seconds):
        """Sends the signal after so many seconds; the exit code, 0 when the run was faster."""
        process = self.run_or_resume(run)
        time.sleep(seconds)
        if process.poll() is None:
            process.send_signal(number)
        return self.finish(process)

    def test_interrupted_and_resumed_many_times(self):
        for trial in range(2):
            run = "interrupted%d" % trial
            interruptions = 0
            for _ in range(60):
                process = self.run_or_resume(run)
                # Signals before the program has begun end it at once, as they do any program.
                seen = [len(read_index(self.path(run)))]
                self.assertTrue(wait_for(lambda: process.poll() is not None
                                         or len(read_index(self.path(run))) != seen[0]))
                time.sleep(self.random.uniform(0, 0.3) * self.wall)
                if process.poll() is None:
                    process.send_signal(self.random.choice([signal.SIGINT, signal.SIGTERM]))
                outcome = self.finish(process)
                if outcome.code == DONE:
                    break
                self.assertEqual(outcome.code, INTERRUPTED, str(outcome))
                self.assertIn("--resume", outcome.err)
                summary = self.summary(run)
                self.assertEqual(summary["status"], "interrupted")
                checkpoints = [line for line in read_index(self.path(run)) if line["kind"] == "checkpoint"]
                self.assertEqual(checkpoints[-1]["step"], summary["timing"]["steps"])
                self.assertEqual(checkpoints[-1]["state_hash"], summary["state_hash"])
                interruptions += 1
            self.assertEqual(outcome.code, DONE)
            self.assertGreater(interruptions, 0)
            self.assert_same_results(run, self.undisturbed, "after %d interruptions" % interruptions)

    def test_interrupted_before_the_first_step(self):
        # The included file is a pipe, so that the program surely waits for it when the signal comes.
        os.mkfifo(self.path("base.yaml"))
        self.write("outer.yaml", "include: base.yaml\n")
        process = self.start("run", "outer.yaml", "--out", "early", "-q")
        writer = [-1]

        def opened():
            try:
                writer[0] = os.open(self.path("base.yaml"), os.O_WRONLY | os.O_NONBLOCK)
            except OSError:
                return False
            return True

        self.assertTrue(wait_for(opened))
        process.send_signal(signal.SIGINT)
        time.sleep(0.1)
        os.set_blocking(writer[0], True)
        os.write(writer[0], self.read("chain.yaml"))
        os.close(writer[0])
        outcome = self.finish(process)
        self.assertEqual(outcome.code, INTERRUPTED, str(outcome))
        self.assertEqual(self.summary("early")["timing"]["steps"], 0)
        self.expect(DONE, "run", "chain.yaml", "--out", "early", "-q", "--resume")
        self.assert_same_results("early", self.undisturbed)

    def test_killed_at_random_moments(self):
        kills = trials = 0
        while kills < KILLS:
            run, killed = "killed%d" % trials, []
            trials += 1
            # Three kills per run: the later ones hit a resumed run.
            for _ in range(3):
                moment = self.random.uniform(0, 0.5 if killed else 0.9) * self.wall
                outcome = self.disturb(run, signal.SIGKILL, moment)
                if outcome.code == DONE:
                    break
                self.assertEqual(outcome.code, -signal.SIGKILL, str(outcome))
                killed.append("%.3f s" % moment)
                self.assertEqual(damaged_files(self.path(run)), [], "seed %d" % self.seed)
            kills += len(killed)
            outcome = self.finish(self.run_or_resume(run))
            self.assertEqual(outcome.code, DONE, "seed %d, killed after %s\n%s" % (self.seed, killed, outcome))
            self.assert_same_results(run, self.undisturbed, "seed %d, killed after %s" % (self.seed, killed))
            self.assertEqual([n for n in os.listdir(self.path(run)) if n.endswith(".tmp")], [])
            self.assertLess(trials, 3 * KILLS, "the runs are too short to be killed")

    def test_killed_before_the_first_checkpoint(self):
        process = self.start("run", "chain.yaml", "--out", "run", "-q", "--set",
                             "outputs=[{field: position, of: link9, every: 0.001}]")
        self.assertTrue(wait_for(lambda: os.path.exists(self.path("run", "series.csv"))))
        process.kill()
        self.assertEqual(self.finish(process).code, -signal.SIGKILL)
        self.assertEqual([line["kind"] for line in read_index(self.path("run"))], ["run"])
        options = ("--set", "outputs=[{field: position, of: link9, every: 0.001}]")
        outcome = self.expect(DONE, "run", "chain.yaml", "--out", "run", "--resume", "-q", *options)
        self.assertEqual(len(outcome.err.splitlines()), 1, outcome.err)
        self.assertRegex(outcome.err, r"^warning: run: .*starts from the beginning")
        self.expect(DONE, "run", "chain.yaml", "--out", "whole", "-q", *options)
        self.assert_same_results("run", self.results("whole"))
        self.assertEqual(self.summary("run")["state_hash"], self.undisturbed["state_hash"],
                         "what is recorded must not change what is computed")

    def test_a_run_that_goes_on_is_not_taken_from_its_writer(self):
        process = self.start("run", "chain.yaml", "--out", "run", "-q")
        self.assertTrue(wait_for(lambda: len(read_index(self.path("run"))) > 2))
        process.send_signal(signal.SIGSTOP)
        for option in ("--resume", "--force"):
            outcome = self.expect(IO, "run", "chain.yaml", "--out", "run", option)
            self.assertIn("another process is writing this run", outcome.err)
        process.send_signal(signal.SIGCONT)
        self.assertEqual(self.finish(process).code, DONE)
        self.assert_same_results("run", self.undisturbed)


if __name__ == "__main__":
    unittest.main()
