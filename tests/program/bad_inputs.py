#!/usr/bin/env python3
"""Bad input of every kind: the documented exit code, one clear message, and nothing that looks like a run.

The cases are tables; scenarios have theirs in bad_scenarios.py."""
import os
import re
import unittest

from bad_scenarios import SCENARIOS, scenario
from harness import BAD_INPUT, DONE, IO, BadInput

# name: (bytes of the file, line or None, fragments)
FILES = {
    "empty_file": (b"", 1, ["the document is empty"]),
    "only_a_comment": (b"# nothing\n", 1, ["the document is empty"]),
    "binary_garbage": (bytes(range(256)) * 8, 1, ["control character (byte 0x00)"]),
    "invalid_utf8": (b"hardpan: 1\ntitle: caf\xe9\n", 2, ["0xe9 is not valid UTF-8", "save the file as UTF-8"]),
    "utf16": ("hardpan: 1\n".encode("utf-16"), 1, ["not valid UTF-8"]),
    "unclosed_bracket": (b"hardpan: 1\ngravity: [0, 0, 1\n", 3, ["a '[' is not closed"]),
    "null_byte_in_a_text": (b"hardpan: 1\ntitle: a\0b\n", 2, ["control character"]),
}

# name: (arguments, exit code, fragments); good.yaml is a sound scenario, run a finished run of it, notes a folder
# with a stranger's file, gone a dangling link.
COMMANDS = {
    "no_command": ([], BAD_INPUT, ["command", "run, sweep, check"]),
    "unknown_command": (["rnu", "good.yaml"], BAD_INPUT, ["unknown command 'rnu'", "did you mean 'run'", "run, sweep, check"]),
    "unknown_option": (["run", "good.yaml", "--frobnicate"], BAD_INPUT, ["--frobnicate", "run --help"]),
    "missing_argument": (["run"], BAD_INPUT, ["scenario is required"]),
    "missing_option_value": (["run", "good.yaml", "--out"], BAD_INPUT, ["--out"]),
    "two_scenarios": (["run", "good.yaml", "good.yaml"], BAD_INPUT, ["not expected: good.yaml"]),
    "unknown_scenario_name": (["run", "hanging-chian"], BAD_INPUT,
                              ["hanging-chian: no such file, and no scenario of that name", "did you mean 'hanging-chain'"]),
    "empty_scenario_name": (["run", ""], BAD_INPUT, ["no such file"]),
    "scenario_is_a_folder": (["run", "notes"], BAD_INPUT, ["notes: is a folder, not a scenario file"]),
    "scenario_is_a_dangling_link": (["run", "gone"], BAD_INPUT, ["gone: no such file"]),
    "no_threads": (["run", "good.yaml", "--threads", "0"], BAD_INPUT, ["--threads", "1 to 1024"]),
    "threads_in_words": (["run", "good.yaml", "--threads", "two"], BAD_INPUT, ["--threads", "two"]),
    "force_and_resume": (["run", "good.yaml", "--force", "--resume"], BAD_INPUT, ["--force", "excludes", "--resume"]),
    "quiet_and_verbose": (["run", "good.yaml", "-q", "-v"], BAD_INPUT, ["--quiet", "excludes", "--verbose"]),
    "set_without_value": (["run", "good.yaml", "--set", "time.end"], BAD_INPUT, ["--set time.end", "path=value"]),
    "set_without_path": (["run", "good.yaml", "--set", "=2"], BAD_INPUT, ["--set =2", "path=value"]),
    "set_to_nothing": (["run", "good.yaml", "--set", "time.end="], BAD_INPUT, ["--set time.end=", "value is missing"]),
    "set_two_values": (["run", "good.yaml", "--set", "time.end=1, 2"], BAD_INPUT, ["--set", "more than one value"]),
    "set_unclosed": (["run", "good.yaml", "--set", "gravity=[1, 2"], BAD_INPUT, ["--set gravity", "bracket"]),
    "set_unknown_key": (["run", "good.yaml", "--set", "time.stpe=1"], BAD_INPUT,
                        ["--set time.stpe=1", "'stpe'", "did you mean 'step'"]),
    "set_into_a_number": (["run", "good.yaml", "--set", "time.end.x=1"], BAD_INPUT,
                          ["--set time.end.x=1", "'x' cannot be set inside the number 0.1"]),
    "set_beyond_a_list": (["run", "good.yaml", "--set", "outputs.7.every=1"], BAD_INPUT,
                          ["--set outputs.7.every=1", "'7' is not an index of a list of 1"]),
    "set_impossible": (["run", "good.yaml", "--set", "time.step=-1"], BAD_INPUT, ["--set time.step=-1", "greater than 0 s"]),
    "out_is_not_empty": (["run", "good.yaml", "--out", "run"], BAD_INPUT, ["run: is not empty", "--force", "--resume"]),
    "out_holds_other_things": (["run", "good.yaml", "--out", "notes"], BAD_INPUT, ["notes: is not empty"]),
    "force_on_other_things": (["run", "good.yaml", "--out", "notes", "--force"], BAD_INPUT,
                              ["notes: is not the folder of a run", "--force does not overwrite"]),
    "out_is_a_file": (["run", "good.yaml", "--out", "good.yaml"], BAD_INPUT, ["good.yaml: is not a folder"]),
    "out_below_a_file": (["run", "good.yaml", "--out", "good.yaml/run"], IO, ["good.yaml/run", "Not a directory"]),
    "out_where_nothing_can_be": (["run", "good.yaml", "--out", "/proc/nothing/run"], IO, ["/proc/nothing", "No such file"]),
    "resume_nothing": (["run", "good.yaml", "--out", "new", "--resume"], IO, ["new: there is no run to resume"]),
    "resume_the_newest_of_none": (["run", "good.yaml", "--resume"], BAD_INPUT, ["no run of 'good'", "--out"]),
    "resume_no_run": (["run", "good.yaml", "--out", "notes", "--resume"], IO, ["notes: there is no run to resume"]),
    "resume_below_a_file": (["run", "good.yaml", "--out", "good.yaml/run", "--resume"], IO, ["good.yaml/run", "no run"]),
    "resume_another_scenario": (["run", "good.yaml", "--out", "run", "--resume", "--set", "time.end=0.2"], IO,
                                ["run: cannot be resumed", "scenario hash"]),
    "export_no_run": (["export", "notes"], IO, ["notes: is not the folder of a run", "index.jsonl"]),
    "export_nothing": (["export", "new"], IO, ["new: is not the folder of a run"]),
    "export_to_a_file": (["export", "run", "--out", "good.yaml"], IO, ["good.yaml", "cannot be made"]),
    "log_in_no_folder": (["run", "good.yaml", "--log", "new/log.txt"], IO, ["new/log.txt", "log file", "No such file"]),
    "log_is_a_folder": (["run", "good.yaml", "--log", "notes"], IO, ["notes", "log file", "Is a directory"]),
    "describe_unknown": (["describe", "hing"], BAD_INPUT, ["'hing'", "did you mean 'hinge'"]),
    "describe_expanded_of_a_key": (["describe", "hinge", "--expanded"], BAD_INPUT, ["--expanded needs a scenario", "'hinge'"]),
    "validate_unknown": (["validate", "nothing-like-it"], BAD_INPUT, ["nothing-like-it: no such file"]),
    "check_nothing": (["check"], BAD_INPUT, ["paths is required"]),
    "check_a_folder_without_scenarios": (["check", "notes"], BAD_INPUT, ["notes: holds no scenario"]),
    "check_unknown": (["check", "nothing-like-it"], BAD_INPUT, ["nothing-like-it: no such file"]),
}


class BadScenarios(BadInput):
    def try_scenario(self, text, line, fragments):
        self.write("case.yaml", text)
        outcome = self.expect(BAD_INPUT, "run", "case.yaml", "--out", "run")
        self.assert_one_message(outcome, fragments)
        if line:
            self.assert_at_line(outcome, "case.yaml", line)
        self.assertNotIn("steps", outcome.out)
        self.assert_no_run("run", "runs")
        self.assertEqual(self.expect(BAD_INPUT, "validate", "case.yaml").err, outcome.err)

    def test_the_good_one_is_good(self):
        self.write("case.yaml", scenario())
        self.assertEqual(self.expect(DONE, "run", "case.yaml", "--out", "run", "-q").err, "")

    def test_huge_file(self):
        with open(self.path("case.yaml"), "wb") as file:
            file.truncate(1 << 40)
        outcome = self.expect(BAD_INPUT, "run", "case.yaml", "--out", "run")
        self.assert_one_message(outcome, ["case.yaml: larger than the allowed", "MiB"])
        self.assert_no_run("run")

    def test_include_cycle_over_two_files(self):
        self.write("case.yaml", "include: sub/a.yaml\n" + scenario())
        self.write("sub/a.yaml", "title: a\ninclude: ../b.yaml\n")
        self.write("b.yaml", "seed: 1\n\ninclude: [sub/a.yaml]\n")
        outcome = self.expect(BAD_INPUT, "run", "case.yaml", "--out", "run")
        self.assert_one_message(outcome, ["a file includes itself", "case.yaml -> sub/a.yaml -> b.yaml -> sub/a.yaml"])
        self.assert_at_line(outcome, "b.yaml", 3)

    def test_error_in_an_included_file_names_that_file(self):
        self.write("case.yaml", "include: base.yaml\n" + scenario())
        self.write("base.yaml", "title: a\n\ngravty: [0, 0, 1]\n")
        outcome = self.expect(BAD_INPUT, "run", "case.yaml", "--out", "run")
        self.assert_one_message(outcome, ["'gravty'", "did you mean 'gravity'"])
        self.assert_at_line(outcome, "base.yaml", 3)

    def test_unreadable_file(self):
        self.write("case.yaml", scenario())
        os.chmod(self.path("case.yaml"), 0)
        if os.access(self.path("case.yaml"), os.R_OK):
            self.skipTest("SKIPPED: this user reads everything (the dangling link and the folder stand in for it)")
        self.assert_one_message(self.expect(IO, "run", "case.yaml"), ["case.yaml", "Permission denied"])

    def test_several_mistakes_get_a_line_each(self):
        self.write("case.yaml", scenario(time="time: {end: -1}", gravity="gravity: 1", x="colour: red"))
        lines = self.expect(BAD_INPUT, "run", "case.yaml").err.splitlines()
        self.assertEqual([re.search(r"case\.yaml:(\d+):", line).group(1) for line in lines], ["2", "12", "13"])


class BadCommands(BadInput):
    def try_command(self, arguments, code, fragments):
        self.write("good.yaml", scenario())
        self.write("notes/diary.txt", "mine\n")
        os.symlink("nowhere.yaml", self.path("gone"))
        if "run" in arguments[1:]:
            self.expect(DONE, "run", "good.yaml", "--out", "run", "-q")
        before = self.tree()
        outcome = self.expect(code, *arguments)
        self.assert_one_message(outcome, fragments)
        self.assertEqual(self.tree(), before, "a refused command changes nothing")

    def tree(self):
        files = {}
        for folder, folders, names in os.walk(self.folder):
            for name in names + folders:
                path = os.path.join(folder, name)
                files[path] = self.read(path) if os.path.isfile(path) else None
        return files


def add_cases():
    def add(test, name, method, *arguments):
        def case(self):
            getattr(self, method)(*arguments)
        assert not hasattr(test, "test_" + name), name
        setattr(test, "test_" + name, case)

    for name, (text, fragments) in SCENARIOS.items():
        marked = [i for i, line in enumerate(text.splitlines(), 1) if line.endswith("#!")]
        assert len(marked) <= 1, name
        # What is missing has no line of its own: the map in which it is missing stands for it.
        add(BadScenarios, name, "try_scenario", text, marked[0] if marked else 1, fragments)
    for name, (data, line, fragments) in FILES.items():
        add(BadScenarios, name, "try_scenario", data, line, fragments)
    for name, (arguments, code, fragments) in COMMANDS.items():
        add(BadCommands, name, "try_command", arguments, code, fragments)


add_cases()


if __name__ == "__main__":
    unittest.main()
