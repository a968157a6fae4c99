#!/usr/bin/env python3
"""Every command as a person or a script uses it: what it prints, where, and its exit code."""
import glob
import json
import os
import pty
import re
import select
import shlex
import unittest
import xml.etree.ElementTree as xml

from harness import BAD_INPUT, DONE, EXPECTATION_FAILED, IO, ROOT, SHAPES, ProgramTest, chain_scenario

COMMANDS = ("run", "sweep", "check", "validate", "list", "describe", "schema", "manual", "export", "view", "shot", "report",
            "compare", "replay", "material")
LIBRARY = {os.path.splitext(os.path.basename(path))[0]: path
           for path in glob.glob(os.path.join(ROOT, "scenarios", "*", "*.yaml"))}


class Help(ProgramTest):
    def test_help_of_the_program_and_of_every_command(self):
        text = self.expect(DONE, "--help").out
        for command in COMMANDS:
            self.assertRegex(text, r"(?m)^  %s\b" % command)
            for option in ("--help", "-h"):
                outcome = self.expect(DONE, command, option)
                self.assertGreater(len(outcome.out), 80)
                self.assertIn("Usage", outcome.out)
                self.assertEqual(outcome.err, "")
        for code in ("0 done", "1 an expectation failed", "2 bad usage", "3 the simulation diverged", "4 input/output",
                     "130 interrupted"):
            self.assertIn(code, text)

    def test_the_table_of_commands_is_complete(self):
        listed = self.expect(DONE, "--help").out.split("Subcommands:")[1].split("Examples:")[0]
        self.assertEqual(sorted(re.findall(r"(?m)^  ([a-z]+) ", listed)), sorted(COMMANDS))

    def test_version_tells_commit_and_instruction_set(self):
        with open(os.path.join(ROOT, "CMakeLists.txt")) as file:
            version = re.search(r"project\(Hardpan VERSION ([0-9.]+)", file.read()).group(1)
        outcome = self.expect(DONE, "--version")
        self.assertRegex(outcome.out, r"^hardpan %s \(commit ([0-9a-f]{7,}\S*|unknown), \S+\)\n$" % re.escape(version))

    def test_list_shows_titles(self):
        text = self.expect(DONE, "list").out
        self.assertTrue(LIBRARY)
        for name, path in LIBRARY.items():
            with open(path) as file:
                title = re.search(r"(?m)^title: *(.+)$", file.read()).group(1).strip("\"'")
            self.assertRegex(text, r"(?m)^  %s +%s$" % (re.escape(name), re.escape(title)))
        self.assertNotIn("not a valid scenario", text)

    def test_describe_has_something_on_every_topic(self):
        listing = self.expect(DONE, "describe").out
        topics = re.findall(r"(?m)^  (\S+)  +\S", listing)
        for topic in ("scenario", "time", "bodies", "joints", "hinge", "sphere", "outputs", "expect"):
            self.assertIn(topic, topics)
        for topic in topics:
            outcome = self.expect(DONE, "describe", topic)
            self.assertGreater(len(outcome.out), 40, topic)
            self.assertNotIn("unknowns per step", outcome.out, "'%s' is hidden by a scenario of that name" % topic)
            self.assertEqual(outcome.err, "")

    def test_describe_a_name_that_is_both(self):
        self.write("scenarios/own/hinge.yaml", SHAPES)
        text = self.expect(DONE, "describe", "hinge").out
        self.assertIn("One axis of free rotation", text)
        self.assertIn("A scenario has this name too", text)
        self.assertIn("One of each", self.expect(DONE, "describe", "hinge", "--expanded").out)

    def test_describe_a_scenario(self):
        text = self.expect(DONE, "describe", "hanging-chain").out
        self.assertIn("Hanging chain, tensions", text)
        self.assertIn("hanging-chain.yaml", text)
        self.assertIn("bodies", text)

    def test_manual_has_every_top_level_key(self):
        text = self.expect(DONE, "manual").out
        for key in set(json.loads(self.expect(DONE, "schema").out)["properties"]) - {"include"}:
            self.assertRegex(text, r"(?m)^\| %s \|" % key)


TENSE = """hardpan: 1
time: {end: 1, step: 1.0e-3}
bodies:
  first: {mass: 0.1, inertia: [1.0e-4, 1.0e-4, 1.0e-4], position: [0, 0, -0.05]}
  second: {mass: 0.1, inertia: [1.0e-4, 1.0e-4, 1.0e-4], position: [0, 0, -0.15]}
  load: {mass: 1000, inertia: [50, 50, 50], position: [0, 0, -0.6]}
joints:
  upper: {kind: ball, between: [world, first], at: [0, 0, 0]}
  middle: {kind: ball, between: [first, second], at: [0, 0, -0.1]}
  lower: {kind: ball, between: [second, load], at: [0, 0, -0.2]}
"""


class Equations(ProgramTest):
    def test_dumped_steps_can_be_solved_again(self):
        self.expect(DONE, "run", "motors-and-bounds", "--out", "run", "--dump", "5,100", "--quiet")
        for step in (5, 100):
            table = self.expect(DONE, "replay", "run/problem-%d.txt" % step).out
            for solver in ("direct", "newton", "newton-cg"):
                self.assertRegex(table, r"(?m)^%s +converged" % solver)
        alone = self.expect(DONE, "replay", "run/problem-5.txt", "--solver", "pgs").out
        self.assertRegex(alone, r"(?m)^pgs ")
        self.assertNotRegex(alone, r"(?m)^newton ")

    def test_replay_under_another_law(self):
        self.expect(DONE, "run", "contact-convex", "--out", "slide", "--dump", "5", "--quiet")
        convex = self.expect(DONE, "replay", "slide/problem-5.txt", "--friction", "convex", "--tolerance", "1e-9").out
        for solver in ("newton", "newton-cg", "pgs", "apgd"):
            self.assertRegex(convex, r"(?m)^%s +converged.* ([0-9.]+e-(09|1[0-9])|0.00e.00) +[0-9.e+-]+$" % solver)
        self.assertNotIn("direct ", convex)
        two = self.expect(DONE, "replay", "slide/problem-5.txt", "--solver", "pgs", "--solver", "apgd").out
        self.assertEqual(2, len([line for line in two.splitlines() if line.startswith(("pgs", "apgd"))]))
        self.assertIn("allowed: cone", self.expect(BAD_INPUT, "replay", "slide/problem-5.txt", "--friction", "sticky").err)
        self.expect(BAD_INPUT, "replay", "slide/problem-5.txt", "--tolerance", "-1")

    def test_replay_refuses_what_is_no_problem(self):
        self.assertIn("cannot be opened", self.expect(IO, "replay", "nothing.txt").err)
        self.write("other.txt", "something else")
        self.assertIn("other.txt: stored problem", self.expect(IO, "replay", "other.txt").err)
        self.write("cut.txt", "hardpan-problem 2\nblocks 3\n6 0x1p+0")
        self.assertIn("cut.txt: stored problem", self.expect(IO, "replay", "cut.txt").err)
        self.assertIn("allowed: direct", self.expect(BAD_INPUT, "replay", "cut.txt", "--solver", "magic").err)

    def test_every_solver_runs_a_scenario(self):
        for solver in ("direct", "newton", "pgs"):
            self.expect(DONE, "check", "platform-struts", "--set", "solver.kind=%s" % solver,
                        "--set", "solver.tolerance=1e-11")  # of pgs: 2e-4 N in a row of 1e-10 m/N

    def test_a_step_beyond_the_geometric_limit_is_named(self):
        self.write("tense.yaml", TENSE)
        note = self.expect(DONE, "run", "tense.yaml", "--out", "a", "--set", "time.step=2.0e-4").err
        self.assertNotIn("geometric limit", note)
        outcome = self.hardpan("run", "tense.yaml", "--out", "b", "--set", "time.step=2.0e-3")
        self.assertRegex(outcome.err, r"note: the step of 0.002 s is beyond the geometric limit of [0-9.]+ s: .*'(first|second)'")


class Scenarios(ProgramTest):
    def test_expanded_scenarios_are_scenarios(self):
        for mesh in glob.glob(os.path.join(ROOT, "scenarios", "verify", "*.obj")):  # files lie beside the scenario
            with open(mesh) as file:
                self.write(os.path.basename(mesh), file.read())
        for name in LIBRARY:
            with self.subTest(scenario=name):
                text = self.expect(DONE, "describe", name, "--expanded").out
                self.write("expanded.yaml", text)
                self.assertIn("valid", self.expect(DONE, "validate", "expanded.yaml").out)
                self.assertEqual(self.expect(DONE, "describe", "expanded.yaml", "--expanded").out, text)
                for filled_in in ("solver:", "seed:", "gravity:", "step:"):
                    self.assertIn(filled_in, text)

    def test_schema_is_whole(self):
        schema = json.loads(self.expect(DONE, "schema").out)

        def references(node):
            if isinstance(node, dict):
                if isinstance(node.get("$ref"), str):
                    yield node["$ref"]
                for child in node.values():
                    yield from references(child)
            elif isinstance(node, list):
                for child in node:
                    yield from references(child)

        for reference in references(schema):
            self.assertTrue(reference.startswith("#/"), reference)
            node = schema
            for part in reference[2:].split("/"):
                self.assertIn(part, node, reference)
                node = node[part]
        self.assertIn({"required": ["hardpan", "time"]}, schema["anyOf"])
        self.assertIs(schema["additionalProperties"], False)

    def test_validate_counts(self):
        self.write("shapes.yaml", SHAPES)
        text = self.expect(DONE, "validate", "shapes.yaml").out
        for pattern in (r"shapes.yaml: valid", r"bodies +4 \(4 moving\)", r"joints +1 \(3 rows\)", r"loads +1",
                        r"24 velocities, 3 impulses", r"steps +10 of 0.01 s", r"expectations +1", r"memory"):
            self.assertRegex(text, pattern)
        self.assertEqual(os.listdir(self.folder), ["shapes.yaml"], "validate writes nothing")
        text = self.expect(DONE, "validate", "shapes.yaml", "--set", "bodies.drum.fixed=true").out
        self.assertRegex(text, r"bodies +4 \(3 moving\)")


class Run(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("shapes.yaml", SHAPES)

    def test_prints_results(self):
        outcome = self.expect(DONE, "run", "shapes.yaml", "--out", "run")
        for fragment in ("shapes: One of each", "done after 10 steps", "x real time", "energy_total_J", "ok", "height",
                         "free fall", "results in run", "curves  in run/curves.svg", "report  in run/report.html"):
            self.assertIn(fragment, outcome.out)
        self.assertEqual(outcome.err, "")

    def test_quiet_prints_nothing(self):
        for command in (("run", "shapes.yaml", "--quiet", "--out", "a"), ("run", "shapes.yaml", "-q", "--out", "b")):
            outcome = self.expect(DONE, *command)
            self.assertEqual((outcome.out, outcome.err), ("", ""))

    def test_default_folders_are_numbered(self):
        for _ in range(3):
            self.expect(DONE, "run", "shapes.yaml", "-q")
        self.assertEqual(sorted(os.listdir(self.path("runs"))), ["shapes-1", "shapes-2", "shapes-3"])
        self.expect(DONE, "run", "shapes.yaml", "-q", "--resume")
        self.assertEqual(len(os.listdir(self.path("runs"))), 3)

    def test_files_of_a_run(self):
        self.expect(DONE, "run", "shapes.yaml", "--out", "run", "-q")
        self.assertEqual(sorted(os.listdir(self.path("run"))), [
            "checkpoint-000000000010.h5", "curves.svg", "frames-000000.h5", "index.jsonl", "report.html", "scenario.yaml",
            "scene.json", "series.csv", "summary.json"])
        self.assertEqual(self.read("run", "series.csv").splitlines()[0],
                         b"time [s],ball.position.x [m],ball.position.y [m],ball.position.z [m]")
        self.assertEqual(len(self.read("run", "series.csv").splitlines()), 12)
        xml.fromstring(self.read("run", "curves.svg"))
        scene = json.loads(self.read("run", "scene.json"))
        self.assertEqual([body["name"] for body in scene["bodies"]], ["ball", "box", "drum", "point"])

    def test_summary_has_the_documented_keys(self):
        self.expect(DONE, "run", "shapes.yaml", "--out", "run", "-q", "--threads", "2")
        summary = self.summary("run")
        self.assertEqual(summary["status"], "done")
        self.assertRegex(summary["state_hash"], r"^[0-9a-f]{16}$")
        self.assertEqual(summary["title"], "One of each")
        timing = summary["timing"]
        self.assertEqual((timing["steps"], timing["resumed_from_step"]), (10, 0))
        self.assertAlmostEqual(timing["simulated_s"], 0.1)
        self.assertGreater(timing["wall_s"], 0)
        self.assertAlmostEqual(timing["real_time_factor"], 0.1 / timing["wall_s"], delta=1e-6 * timing["real_time_factor"])
        # Free fall from 2 m/s upwards for 0.1 s, semi-implicit Euler: z = v t - g t (t + h) / 2.
        height = 2 * 0.1 - 9.81 * 0.1 * 0.11 / 2
        self.assertAlmostEqual(summary["metrics"]["height"], height, places=3)
        expectation, = summary["expectations"]
        self.assertEqual((expectation["metric"], expectation["status"], expectation["low"], expectation["high"],
                          expectation["source"]), ("height", "passed", -1, 1, "free fall"))
        self.assertEqual(expectation["value"], summary["metrics"]["height"])
        self.assertEqual(summary["program"]["threads"], 2)
        self.assertIn(summary["program"]["commit"], self.expect(DONE, "--version").out)
        for metric in ("energy_total_J", "energy_kinetic_J", "energy_lost_J", "momentum_imbalance_Ns"):
            self.assertIn(metric, summary["metrics"])
        self.assertRegex(summary["finished"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertEqual(summary["command"], "hardpan run shapes.yaml")
        solver = summary["solver"]
        self.assertEqual(solver["solves"], 10)
        self.assertGreaterEqual(solver["iterations_max"], solver["iterations_mean"])
        self.assertLess(solver["residual_momentum_max_Ns"], 1e-9)
        self.assertLess(solver["residual_velocity_max_m_per_s"], 1e-9)

    def test_the_command_in_the_summary_repeats_the_run(self):
        self.write("it's odd.yaml", SHAPES)
        self.expect(DONE, "run", "it's odd.yaml", "--out", "first", "-q", "--threads", "2", "--set", "title='a b'",
                    "--set", "time.end=0.05")
        words = shlex.split(self.summary("first")["command"])
        self.assertEqual(words, ["hardpan", "run", "it's odd.yaml", "--set", "title='a b'", "--set", "time.end=0.05"])
        self.expect(DONE, *words[1:], "--out", "second", "-q")
        self.assertEqual(self.summary("second")["state_hash"], self.summary("first")["state_hash"])
        self.assertEqual(self.read("second", "scenario.yaml"), self.read("first", "scenario.yaml"))

    def test_set_changes_the_scenario(self):
        self.expect(DONE, "run", "shapes.yaml", "--out", "run", "-q", "--set", "time.end=0.2", "--set", "title=Longer",
                    "--set", "outputs.0.every=0.02")
        self.assertEqual(self.summary("run")["timing"]["steps"], 20)
        self.assertEqual(self.summary("run")["title"], "Longer")
        self.assertEqual(len(self.read("run", "series.csv").splitlines()), 12)

    def test_failed_expectation(self):
        outcome = self.expect(EXPECTATION_FAILED, "run", "shapes.yaml", "--out", "run", "--set",
                              "expect.0.between=[5, 6]")
        self.assertRegex(outcome.out, r"FAILED +height = 0\.\d+, expected 5 to 6")
        summary = self.summary("run")
        self.assertEqual((summary["status"], summary["expectations"][0]["status"]), ("done", "failed"))

    def test_log_file(self):
        self.expect(DONE, "run", "shapes.yaml", "--out", "run", "-q", "--log", "log.txt")
        first = self.read("log.txt").decode()
        self.assertRegex(first, r"(?m)^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ info +shapes.yaml: One of each$")
        self.expect(BAD_INPUT, "run", "shapes.yaml", "--out", "run", "-q", "--log", "log.txt")
        text = self.read("log.txt").decode()
        self.assertTrue(text.startswith(first), "a log is appended to")
        self.assertRegex(text, r"(?m)Z error +run: is not empty")

    def test_piped_output_has_no_carriage_returns(self):
        self.write("long.yaml", chain_scenario(links=10, steps=45000))
        outcome = self.expect(DONE, "run", "long.yaml", "--out", "run", "-v")
        self.assertNotIn("\r", outcome.out + outcome.err)
        if self.summary("run")["timing"]["wall_s"] > 2.5:
            self.assertRegex(outcome.err, r"(?m)^ *\d+ %  step \d+/45000 .* x real time .* left$")

    def test_progress_line_on_a_terminal(self):
        self.write("long.yaml", chain_scenario(links=10, steps=12000))
        master, slave = pty.openpty()
        self.addCleanup(os.close, master)
        process = self.start("run", "long.yaml", "--out", "run", stderr=slave)
        os.close(slave)
        shown = b""
        while True:
            ready, _, _ = select.select([master], [], [], 60)
            self.assertTrue(ready, "nothing on the terminal for a minute")
            try:
                data = os.read(master, 65536)
            except OSError:  # the other end is closed
                break
            if not data:
                break
            shown += data
        self.assertEqual(self.finish(process).code, DONE)
        lines = [line for line in shown.decode().split("\r") if line.strip()]
        self.assertGreaterEqual(len(lines), 2, shown)
        steps = []
        for line in lines:
            match = re.match(r" *(\d+) %  step (\d+)/12000  t ([0-9.]+)/12 s  (\S+) x real time  .*  (\S.*) left *$", line)
            self.assertTrue(match, repr(line))
            steps.append(int(match.group(2)))
            self.assertGreater(float(match.group(4)), 0)
        self.assertEqual(steps, sorted(steps))
        self.assertEqual(steps[-1], 12000)
        self.assertTrue(shown.endswith(b" \r"), "the line is wiped in the end")


class Check(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("set/good.yaml", SHAPES)
        self.write("set/silent.yaml", SHAPES[:SHAPES.index("expect:")])

    def test_all_passed(self):
        outcome = self.expect(DONE, "check", "set")
        self.assertIn("passed set/good.yaml", outcome.out)
        self.assertIn("skipped set/silent.yaml: expects nothing", outcome.out)
        self.assertIn("1 passed, 0 failed, 1 skipped", outcome.out)
        self.assertEqual(os.listdir(self.folder), ["set"], "check writes no files")

    def test_an_expectation_failed(self):
        self.write("set/wrong.yaml", SHAPES.replace("[-1, 1]", "[5, 6]"))
        outcome = self.expect(EXPECTATION_FAILED, "check", "set")
        self.assertIn("FAILED set/wrong.yaml", outcome.out)
        self.assertRegex(outcome.out, r"FAILED +height = .*expected 5 to 6")
        self.assertIn("1 passed, 1 failed, 1 skipped", outcome.out)

    def test_a_scenario_is_bad(self):
        self.write("set/bad.yaml", SHAPES.replace("joints:", "jonits:"))
        outcome = self.expect(BAD_INPUT, "check", "set")
        self.assertRegex(outcome.out, r"FAILED set/bad.yaml\n  set/bad.yaml:9:1: unknown key 'jonits'")
        self.assertIn("passed set/good.yaml", outcome.out)
        self.assertIn("1 passed, 1 failed, 1 skipped", outcome.out)

    def test_a_run_diverged(self):
        self.write("set/wild.yaml", SHAPES.replace(
            "kind: force, body: point, force: [1, 0, 0]", "kind: torque, body: point, torque: [1.0e4, 0, 0]"))
        outcome = self.expect(EXPECTATION_FAILED, "check", "set")
        self.assertIn("FAILED set/wild.yaml", outcome.out)
        self.assertIn("diverged", outcome.out)

    def test_by_name(self):
        outcome = self.expect(DONE, "check", "free-flight")
        self.assertIn("1 passed, 0 failed, 0 skipped", outcome.out)


if __name__ == "__main__":
    unittest.main()
