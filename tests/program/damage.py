#!/usr/bin/env python3
"""What goes wrong during a run and after it: divergence, damaged results, full disks, closed streams. The documented exit
code, one clear message, and nothing lost that was already computed."""
import json
import os
import re
import resource
import shutil
import subprocess
import unittest

from harness import (BAD_INPUT, DIVERGED, DONE, IO, BadInput, chain_scenario, damaged_files, fnv1a, listed_files,
                     read_index)

SPINNING = """hardpan: 1
gravity: [0, 0, 0]
time: {end: 1, step: 0.01}
bodies:
  top: {mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 1]}
loads:
  motor: {kind: torque, body: top, torque: [0, 0, 500]}
outputs:
  - {field: angular_velocity, of: top}
"""


GRAINS = """hardpan: 1
time: {end: 1, step: 2.0e-4}
materials:
  sand: {density: 2500, young: 5.0e+6, friction: 0.5}
bodies:
  plate: {mass: %s, shape: {kind: box, size: [0.1, 0.1, 0.01]}, position: [0.05, 0.05, 0.056], velocity: [0, 0, -1], material: sand}
  floor: {fixed: true, shape: {kind: box, size: [0.2, 0.2, 0.01]}, position: [0.05, 0.05, -0.005], material: sand}
ground:
  model: grains-penalty
  material: sand
  diameter: 0.01
  fill: {low: [0, 0, 0], high: [0.1, 0.1, 0.05]}
  world: {low: [-1, -1, %s], high: [2, 2, 2]}
outputs:
  - {field: coordination}
"""


def heavy_mass_on_a_light_chain(links=5):
    """Point-like links of a gram, a ton at the end, no damping and steps of 50 ms."""
    lines = ["hardpan: 1", "time: {end: 20, step: 0.05}", "bodies:"]
    for i in range(links):
        lines.append("  link%d: {mass: %s, inertia: [1, 1, 1], position: [%d, 0, 0]}" % (
            i, "1000" if i == links - 1 else "0.001", i + 1))
    lines.append("joints:")
    for i in range(links):
        lines.append("  rod%d: {kind: distance, between: [%s, link%d], points: [[%d, 0, 0], [%d, 0, 0]]}" % (
            i, "link%d" % (i - 1) if i else "world", i, i, i + 1))
    return "\n".join(lines) + "\noutputs: [{field: energy, every: 0.05}]\n"


# A hold goes its way from 0.5 s on, within a time.
SOLID = """hardpan: 1
time: {end: 6, step: 0.1}
gravity: [0, 0, 0]
materials: {rubber: {density: 1000, young: 1.0e+6, poisson: 0.25}}
solid:
  material: rubber
  box: {low: [0, 0, 0], high: [1, 1, 1]}
  spacing: 0.5
  holds: {bottom: {face: bottom}, top: {face: top, way_curve: [[0.5, 0], [%s, %s]]}}
outputs: [{field: energy, every: 0.1}]
"""


class Divergence(BadInput):
    def assert_diverges(self, text, fragments):
        self.write("case.yaml", text)
        outcome = self.expect(DIVERGED, "run", "case.yaml", "--out", "run")
        # What was noticed on the way may stand before it.
        outcome.err = "".join(line for line in outcome.err.splitlines(True) if not line.startswith("note: the step"))
        self.assert_one_message(outcome, ["the simulation diverged at t = ", "the last good state is saved in run", *fragments])
        summary = self.summary("run")
        self.assertEqual(summary["status"], "diverged")
        for fragment in fragments:
            self.assertIn(fragment, summary["reason"])
        steps = summary["timing"]["steps"]
        self.assertGreater(steps, 0)
        self.assertEqual(damaged_files(self.path("run")), [])
        last = [line for line in read_index(self.path("run")) if line["kind"] == "checkpoint"][-1]
        self.assertEqual((last["step"], last["state_hash"]), (steps, summary["state_hash"]))
        self.assertNotIn(b"nan", self.read("run", "series.csv"))
        # The saved state is good: the run can be taken up from it, and comes to the same end.
        again = self.expect(DIVERGED, "run", "case.yaml", "--out", "run", "--resume")
        # A resumed run has not seen the forces of its beginning: what it says of the step may differ.
        limit = r"; the step of .* can follow"
        self.assertEqual(re.sub(limit, "", again.err), re.sub(limit, "", outcome.err))
        self.assertEqual(self.summary("run")["timing"]["resumed_from_step"], steps)
        self.assertEqual(self.summary("run")["state_hash"], summary["state_hash"])

    def test_body_spins_too_fast_for_the_step(self):
        self.assert_diverges(SPINNING, ["body 'top' turns too fast for the step"])

    def test_a_grain_leaves_the_world(self):
        self.assert_diverges(GRAINS % ("1", "-0.2"), ["grain ", "has left the world", "-0.2"])

    def test_a_light_body_among_stiff_grains(self):
        self.assert_diverges(GRAINS % ("1.0e-5", "-0.2"), ["too long for body 'plate' among grains", "need less than"])

    def test_a_solid_is_turned_inside_out(self):
        self.assert_diverges(SOLID % (0.6, "-1.2"), ["particle ", "of the solid", "turned inside out"])

    def test_a_solid_is_strained_at_once(self):
        self.assert_diverges(SOLID % (1, "3"), ["particle ", "in one step", "a shorter step is needed"])

    def test_joint_comes_apart(self):
        self.assert_diverges(heavy_mass_on_a_light_chain() + "solver: {damping_steps: 0}\n",
                             ["joint 'rod", "has come apart by", "step 0.05 s is too large?"])

    def test_energy_runs_away(self):
        self.assert_diverges(heavy_mass_on_a_light_chain() + "solver: {damping_steps: 0, max_violation: 1.0e+9}\n",
                             ["energy runs away", "step 0.05 s is too large?"])

    def test_diverged_is_told_even_when_quiet(self):
        self.write("case.yaml", SPINNING)
        outcome = self.expect(DIVERGED, "run", "case.yaml", "--out", "run", "-q")
        self.assertEqual(outcome.out, "")
        self.assert_one_message(outcome, ["diverged"])


class Recorded(BadInput):
    """A finished run of this scenario, to be damaged; and what it must come to again."""

    def setUp(self):
        super().setUp()
        self.write("chain.yaml", chain_scenario(links=5, steps=600, frames=20, checkpoint=100))
        self.expect(DONE, "run", "chain.yaml", "--out", "run", "-q")
        self.whole = self.summary("run"), self.read("run", "series.csv")
        self.checkpoints = [name for name in listed_files(self.path("run")) if name.startswith("checkpoint")]
        self.assertEqual(len(self.checkpoints), 3)

    def resume(self, code=DONE, *options):
        return self.expect(code, "run", "chain.yaml", "--out", "run", "-q", "--resume", *options)

    def assert_whole(self, run="run"):
        summary, series = self.summary(run), self.read(run, "series.csv")
        for key in ("status", "state_hash", "metrics", "expectations"):
            self.assertEqual(summary[key], self.whole[0][key])
        self.assertTrue(series == self.whole[1], "series.csv differs")
        self.assertEqual(damaged_files(self.path(run)), [])

    def edit_index(self, change):
        lines = self.read("run", "index.jsonl").decode().splitlines(keepends=True)
        change(lines)
        self.write("run/index.jsonl", "".join(lines))

    def refused(self, fragments):
        before = {name: self.read("run", name) for name in os.listdir(self.path("run"))}
        self.assert_one_message(self.resume(IO), fragments)
        self.assertEqual({name: self.read("run", name) for name in os.listdir(self.path("run"))}, before,
                         "a refused --resume changes nothing")


class DamagedRuns(Recorded):
    def assert_falls_back(self, why):
        outcome = self.resume()
        warnings = outcome.err.splitlines()
        self.assertEqual(len(warnings), 1, outcome.err)
        self.assertRegex(warnings[0], r"^warning: checkpoint of step 600 is unusable, looking for an older one: "
                                      r"run/checkpoint-000000000600\.h5: .*" + why)
        self.assertEqual(self.summary("run")["timing"]["resumed_from_step"], 500)
        self.assert_whole()

    def test_truncated_checkpoint(self):
        os.truncate(self.path("run", self.checkpoints[-1]), 1000)
        self.assert_falls_back("1000 bytes")

    def test_flipped_bit_in_a_checkpoint(self):
        data = bytearray(self.read("run", self.checkpoints[-1]))
        data[len(data) // 2] ^= 0x10
        self.write("run/" + self.checkpoints[-1], bytes(data))
        self.assert_falls_back("checksum")

    def test_missing_checkpoint(self):
        os.remove(self.path("run", self.checkpoints[-1]))
        self.assert_falls_back("No such file")

    def test_checkpoint_of_another_run(self):
        self.write("other.yaml", chain_scenario(links=4, steps=600, checkpoint=100))
        self.expect(DONE, "run", "other.yaml", "--out", "other", "-q")
        shutil.copy(self.path("other", self.checkpoints[-1]), self.path("run"))
        self.assert_falls_back("(bytes|checksum)")

    def test_checkpoint_of_another_run_with_a_forged_index(self):
        self.write("other.yaml", chain_scenario(links=4, steps=600, checkpoint=100))
        self.expect(DONE, "run", "other.yaml", "--out", "other", "-q")
        shutil.copy(self.path("other", self.checkpoints[-1]), self.path("run"))
        data = self.read("run", self.checkpoints[-1])

        def forge(lines):
            i = max(i for i, line in enumerate(lines) if self.checkpoints[-1] in line)
            lines[i] = json.dumps(dict(json.loads(lines[i]), bytes=len(data), checksum=fnv1a(data))) + "\n"

        self.edit_index(forge)
        self.assert_one_message(self.resume(IO), ["run: the checkpoint of step 600 cannot be taken up", "'bodies/position'"])

    def test_all_checkpoints_damaged(self):
        for name in self.checkpoints:
            os.truncate(self.path("run", name), 0)
        outcome = self.resume()
        warnings = outcome.err.splitlines()
        self.assertEqual(len(warnings), 4, outcome.err)
        self.assertRegex(warnings[-1], r"^warning: run: no usable checkpoint: the run starts from the beginning")
        self.assertEqual(self.summary("run")["timing"]["resumed_from_step"], 0)
        self.assert_whole()

    def test_other_scenario(self):
        self.write("chain.yaml", chain_scenario(links=4, steps=600, frames=20, checkpoint=100))
        self.refused(["run: cannot be resumed", "scenario hash"])

    def test_other_version(self):
        self.edit_index(lambda lines: lines.__setitem__(0, re.sub(r'"version":"[^"]*"', '"version":"9.9"', lines[0])))
        self.refused(["run: cannot be resumed", "version is '9.9'"])

    def test_other_instruction_set(self):
        self.edit_index(lambda lines: lines.__setitem__(
            0, re.sub(r'"instruction_set":"[^"]*"', '"instruction_set":"abacus"', lines[0])))
        self.refused(["run: cannot be resumed", "instruction set is 'abacus'"])

    def test_other_format(self):
        self.edit_index(lambda lines: lines.__setitem__(0, lines[0].replace('"format":1', '"format":7')))
        self.refused(["run/index.jsonl:1", "format 7"])

    def test_damaged_line_in_the_middle_of_the_index(self):
        self.edit_index(lambda lines: lines.__setitem__(3, "{\"kind\":\"fra\n"))
        self.refused(["run/index.jsonl:4: ", "not a JSON object"])
        self.assert_one_message(self.expect(IO, "export", "run"), ["run/index.jsonl:4: "])

    def test_torn_last_line_of_the_index(self):
        self.edit_index(lambda lines: lines.append('{"kind":"frames","fi'))
        self.assertEqual(self.resume().err, "")
        self.assert_whole()

    def test_index_that_leads_out_of_the_folder(self):
        self.edit_index(lambda lines: lines.__setitem__(
            1, re.sub(r'"file":"[^"]*"', '"file":"../chain.yaml"', lines[1])))
        self.refused(["run/index.jsonl:2: ", "../chain.yaml"])

    def test_empty_index(self):
        self.write("run/index.jsonl", "")
        self.refused(["run/index.jsonl", "header of a run is missing"])

    def test_series_that_was_cut(self):
        os.truncate(self.path("run", "series.csv"), 100)
        self.refused(["run/series.csv", "cut"])

    def test_series_of_other_columns(self):
        text = self.read("run", "series.csv")
        self.write("run/series.csv", b"T" + text[1:])
        self.assert_one_message(self.resume(IO), ["run/series.csv", "other columns"])

    def test_export_of_damaged_frames(self):
        frames = [name for name in listed_files(self.path("run")) if name.startswith("frames")]
        os.truncate(self.path("run", frames[0]), 50)
        self.assert_one_message(self.expect(IO, "export", "run"), ["run/" + frames[0], "50"])


class FullDisks(Recorded):
    def assert_goes_on_when_there_is_room(self, run):
        """As a person would: --resume when there is a run, else once more."""
        self.assertEqual(damaged_files(self.path(run)), [])
        resume = ["--resume"] if os.path.exists(self.path(run, "index.jsonl")) else []
        outcome = self.expect(DONE, "run", "chain.yaml", "--out", run, "-q", *resume)
        for line in outcome.err.splitlines():
            self.assertTrue(line.startswith("warning: "), outcome.err)
        self.assert_whole(run)

    def test_file_size_limits(self):
        # The limits hit, in turn: the index, the stored scenario, a checkpoint, the series.
        hit = set()
        for limit in (64, 1000, 5000, 12000, 50000):
            with self.subTest(limit=limit):
                run = "limit%d" % limit
                outcome = self.expect(IO, "run", "chain.yaml", "--out", run, preexec_fn=lambda: resource.setrlimit(
                    resource.RLIMIT_FSIZE, (limit, limit)))
                self.assert_one_message(outcome, [run + "/", "cannot be written: File too large"])
                hit.add(re.search(r"%s/([a-z]+)" % run, outcome.err).group(1))
                self.assertNotIn("summary.json", os.listdir(self.path(run)))
                self.assert_goes_on_when_there_is_room(run)
        self.assertGreaterEqual(len(hit), 3, hit)

    def test_full_file_system(self):
        os.mkdir(self.path("small"))
        mount = ["mount", "-t", "tmpfs", "-o", "size=128k", "none", self.path("small")]
        if os.geteuid() != 0 or subprocess.run(mount, stderr=subprocess.DEVNULL).returncode != 0:
            self.skipTest("SKIPPED: needs the right to mount a tmpfs")
        self.addCleanup(subprocess.run, ["umount", "-l", self.path("small")])
        outcome = self.expect(IO, "run", "chain.yaml", "--out", "small/run")
        self.assert_one_message(outcome, ["small/run/", "No space left on device"])
        self.assertTrue([line for line in read_index(self.path("small/run")) if line["kind"] == "checkpoint"])
        subprocess.run(["mount", "-o", "remount,size=16m", self.path("small")], check=True)
        self.assert_goes_on_when_there_is_room("small/run")
        self.assertGreater(self.summary("small/run")["timing"]["resumed_from_step"], 0)

    def test_log_on_a_full_disk_does_not_end_the_run(self):
        outcome = self.expect(DONE, "run", "chain.yaml", "--out", "new", "-q", "--log", "/dev/full")
        self.assertEqual(outcome.err, "warning: /dev/full: the log file cannot be written: No space left on device\n")
        self.assert_whole("new")


class Streams(BadInput):
    """Standard output and standard error may be full, or nobody may read them any more."""

    def test_standard_output_is_full(self):
        for command in ("schema", "manual", "list", "describe"):
            with self.subTest(command=command), open("/dev/full", "wb") as full:
                self.assert_one_message(self.expect(IO, command, stdout=full), ["standard output"])

    def closed_pipe(self):
        reader, writer = os.pipe()
        os.close(reader)
        self.addCleanup(os.close, writer)
        return writer

    def test_nobody_reads_standard_output(self):
        self.assert_one_message(self.expect(IO, "manual", stdout=self.closed_pipe()), ["standard output"])

    def test_nobody_reads_standard_error(self):
        self.assertEqual(self.hardpan("run", "nothing-like-it", stderr=self.closed_pipe()).code, BAD_INPUT)
        # A run tells its progress after a second.
        self.write("chain.yaml", chain_scenario(links=10, steps=45000))
        self.expect(DONE, "run", "chain.yaml", "--out", "run", "-v", stderr=self.closed_pipe())
        self.assertEqual(self.summary("run")["status"], "done")


if __name__ == "__main__":
    unittest.main()
