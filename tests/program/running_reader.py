#!/usr/bin/env python3
"""Looks into the folder of a run while it is written, resumed and overwritten, as docs/results.md tells readers to:
whatever the index lists is complete, at every moment."""
import csv
import os
import signal
import time
import unittest
import xml.etree.ElementTree as xml

from harness import DONE, ProgramTest, chain_scenario, fnv1a, listed_files

try:
    import h5py
except ImportError:
    h5py = None

LOOKS = 250
SESSIONS = 9
EXPORTS = 12


class Reader:
    """Remembers what it has seen: a listed file never changes."""

    def __init__(self, test, folder):
        self.test, self.folder = test, folder
        self.known = {}  # (name, checksum) -> bytes
        self.looks = self.useful_looks = self.files_opened = self.frames_seen = self.gone = self.rows = 0

    def is_listed(self, name, line):
        now = listed_files(self.folder).get(name)
        return now is not None and now["checksum"] == line["checksum"]

    def look(self):
        self.looks += 1
        files = listed_files(self.folder)
        self.useful_looks += bool(files)
        last_time, last_step = -1.0, -1
        for name, line in files.items():
            whole = self.open(name, line)
            if not whole:
                self.gone += 1
                if line["kind"] == "frames":
                    break  # overwritten: what follows belongs to the old run too
                continue
            if line["kind"] == "frames":
                self.test.assertGreater(line["first_time"], last_time, name)
                self.test.assertGreater(line["first_step"], last_step, name)
                last_time, last_step = line["last_time"], line["last_step"]
        self.look_at_series()

    def open(self, name, line):
        """False when the file has gone since it was listed, as it may; anything else that is wrong fails."""
        key = (name, line["checksum"])
        try:
            with open(os.path.join(self.folder, name), "rb") as file:
                data = file.read()
            if self.known.get(key, data) != data:
                raise ValueError("has changed")
            if key not in self.known and (len(data) != line["bytes"] or fnv1a(data) != line["checksum"]):
                raise ValueError("is not what the index lists")
            if h5py:
                self.open_hdf5(os.path.join(self.folder, name), line)
        except (OSError, ValueError) as error:
            self.test.assertFalse(self.is_listed(name, line), "%s: %s" % (name, error))
            return False
        self.known[key] = data
        self.files_opened += 1
        return True

    def open_hdf5(self, path, line):
        with h5py.File(path, "r") as file:
            if file.attrs["hardpan_format"] != 1 or file.attrs["kind"] not in (line["kind"], line["kind"].encode()):
                raise ValueError("is of another kind")
            if line["kind"] != "frames":
                return
            times, steps = file["time"][:].tolist(), file["step"][:].tolist()
            self.check(times, line, "time")
            self.check(steps, line, "step")
            if len(file["bodies/position"]) != len(times):
                raise ValueError("has frames without a time")
            self.frames_seen += len(times)

    @staticmethod
    def check(values, line, what):
        if len(values) != line["frames"] or values[0] != line["first_" + what] or values[-1] != line["last_" + what]:
            raise ValueError("%s is not what the index lists" % what)
        if any(b <= a for a, b in zip(values, values[1:])):
            raise ValueError("%s does not grow" % what)

    def look_at_series(self):
        try:
            with open(os.path.join(self.folder, "series.csv"), newline="") as file:
                text = file.read()
        except FileNotFoundError:
            return
        rows = list(csv.reader(text[:text.rfind("\n") + 1].splitlines()))
        for row in rows:
            self.test.assertEqual(len(row), len(rows[0]), row)
        times = [float(row[0]) for row in rows[1:]]
        self.test.assertTrue(all(a < b for a, b in zip(times, times[1:])), "times in series.csv do not grow")
        self.rows = max(self.rows, len(times))


class RunningReader(ProgramTest):
    STEPS = 16000

    def setUp(self):
        super().setUp()
        self.write("chain.yaml", chain_scenario(links=12, steps=self.STEPS, frames=400, checkpoint=800))

    def export(self, run, out):
        outcome = self.expect(DONE, "export", run, "--out", out)
        self.assertEqual(outcome.err, "")
        frames = xml.parse(self.path(out, "frames.pvd")).getroot().findall("./Collection/DataSet")
        self.assertTrue(outcome.out.startswith("%d frames" % len(frames)), outcome.out)
        times = [float(frame.get("timestep")) for frame in frames]
        self.assertEqual(times, sorted(set(times)))
        return len(frames)

    def test_listed_files_are_whole_at_any_moment(self):
        reader = Reader(self, self.path("run"))
        sessions = 0
        until = time.monotonic() + 50
        while (reader.useful_looks < LOOKS or sessions < SESSIONS) and time.monotonic() < until:
            # In turn: a run to its end (over the one before), a run that is killed, and its resumption.
            turn = sessions % 3
            option = ["--resume"] if turn == 2 else ["--force"]
            process = self.start("run", "chain.yaml", "--out", "run", "-q", *option)
            while process.poll() is None:
                reader.look()
                if turn == 1 and len(listed_files(self.path("run"))) > 8:
                    process.send_signal(signal.SIGKILL)
            outcome = self.finish(process)
            self.assertIn(outcome.code, (DONE, -signal.SIGKILL) if turn == 1 else (DONE,), str(outcome))
            reader.look()
            sessions += 1
        print("%d looks (%d at files) in %d sessions, %d files opened, %d frames, %d had gone" % (
            reader.looks, reader.useful_looks, sessions, reader.files_opened, reader.frames_seen, reader.gone),
            flush=True)
        self.assertGreaterEqual(reader.useful_looks, 200)
        self.assertGreaterEqual(sessions, 3)
        self.assertEqual(reader.rows, self.STEPS + 1)

    def test_export_of_a_running_folder(self):
        exports, frames = 0, set()
        while exports < EXPORTS:
            process = self.start("run", "chain.yaml", "--out", "run", "-q", "--force")
            before = exports
            while process.poll() is None:
                if not os.path.exists(self.path("run", "index.jsonl")):
                    continue
                frames.add(self.export("run", "vtk%d" % exports))
                exports += 1
            self.assertEqual(self.finish(process).code, DONE)
            self.assertGreater(exports, before)
        self.assertEqual(self.export("run", "vtk"), self.STEPS // 400 + 1)
        self.assertGreater(len(frames), 2, "the exports saw the run grow")

    @unittest.skipUnless(h5py, "SKIPPED: h5py is missing (apt install python3-h5py)")
    def test_frames_have_been_opened_with_h5py(self):
        self.expect(DONE, "run", "chain.yaml", "--out", "run", "-q")
        reader = Reader(self, self.path("run"))
        reader.look()
        self.assertEqual(reader.frames_seen, self.STEPS // 400 + 1)


if __name__ == "__main__":
    unittest.main()
