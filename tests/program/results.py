#!/usr/bin/env python3
"""What people do with a finished run: exports to other programs, reports and comparisons as pages."""
import json
import os
import resource
import unittest
import xml.etree.ElementTree as xml
from html.parser import HTMLParser

from harness import BAD_INPUT, DIVERGED, DONE, IO, SHAPES, ProgramTest, chain_scenario, read_index, wait_for

EVERY_SHAPE = """hardpan: 1
time: {end: 0.1, step: 0.01}
bodies:
  capsule: {mass: 1, shape: {kind: capsule, radius: 0.1, length: 0.4}, position: [0, 0, 1]}
  cone: {mass: 1, shape: {kind: cone, radius: 0.2, height: 0.4, at: [0, 0, 0.1]}, position: [1, 0, 1]}
  egg: {mass: 1, shape: {kind: ellipsoid, radii: [0.1, 0.2, 0.3]}, position: [2, 0, 1]}
  stone: {mass: 1, shape: {kind: hull, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}, position: [3, 0, 1]}
  tetra: {density: 1000, shape: {kind: mesh, file: parts/tetra.obj, scale: 0.5}, position: [4, 0, 1]}
  dumbbell:
    density: 1000
    shapes: [{kind: sphere, radius: 0.1, at: [0.5, 0, 0]}, {kind: sphere, radius: 0.1, at: [-0.5, 0, 0], density: 9}]
    position: [5, 0, 1]
  hills: {fixed: true, shape: {kind: height-field, file: parts/hills.txt, spacing: [1, 1], at: [0, 5, 0]}}
  ground: {fixed: true, shape: {kind: plane}}
outputs:
  - {field: frames, every: 0.05}
"""
GRAINS = """hardpan: 1
time: {end: 0.01, step: 1.0e-4}
materials:
  glass: {density: 2500, young: 1.0e+7, poisson: 0.25, friction: 0.3, restitution: 0.5}
ground: {model: grains-penalty, material: glass, grains: [[0, 0, 0.05, 0.005], [0.01, 0, 0.06, 0.002]]}
outputs:
  - {field: frames, every: 0.01}
"""
TETRA = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"


class Export(ProgramTest):
    # Points of the polygons: 11 rings of 24 and two poles; corners; two rims and their centres, at most.
    POINTS = {"ball": 11 * 24 + 2, "box": 8, "point": 1}

    def test_vtk_files(self):
        self.write("shapes.yaml", SHAPES)
        self.expect(DONE, "run", "shapes.yaml", "--out", "run", "-q")
        outcome = self.expect(DONE, "export", "run")
        self.assertEqual(outcome.out, "6 frames in run/vtk\n")
        self.check_vtk(self.path("run", "vtk"), 6)
        self.expect(DONE, "export", "run", "--out", "elsewhere/deep")
        self.check_vtk(self.path("elsewhere", "deep"), 6)
        self.expect(DONE, "run", "shapes.yaml", "--out", "run", "-q", "--resume")  # vtk/ is no stranger

    def test_every_shape_is_drawn(self):
        self.write("every.yaml", EVERY_SHAPE)
        self.write("parts/tetra.obj", TETRA)
        self.write("parts/hills.txt", "0 0 0\n0 1 0\n0 0 0\n")
        self.expect(DONE, "run", "every.yaml", "--out", "run", "-q")
        with open(self.path("run", "scene.json")) as file:
            bodies = {body["name"]: body for body in json.load(file)["bodies"]}
        self.assertEqual([part["kind"] for part in bodies["dumbbell"]["shapes"]], ["sphere", "sphere"])
        self.assertEqual(bodies["dumbbell"]["shapes"][0]["at"], [0.5, 0, 0])
        self.assertEqual(len(bodies["tetra"]["shape"]["triangles"]), 4)
        self.assertTrue(bodies["ground"]["shape"]["ground"])
        self.assertEqual(self.expect(DONE, "export", "run").out, "3 frames in run/vtk\n")
        piece = xml.parse(self.path("run", "vtk", "frame-000002.vtp")).getroot().find("./PolyData/Piece")
        self.assertEqual(piece.get("NumberOfVerts"), "0")
        # What the files hold is part of the scenario.
        self.expect(DONE, "run", "every.yaml", "--out", "run", "-q", "--resume")
        self.write("parts/tetra.obj", TETRA.replace("v 1", "v 2"))
        self.expect(IO, "run", "every.yaml", "--out", "run", "-q", "--resume")
        self.write("parts/tetra.obj", TETRA.replace("f 3 1 4", "f 1 3 4"))
        outcome = self.expect(BAD_INPUT, "validate", "every.yaml")
        self.assertIn("every.yaml:8:52: bodies.tetra.shape.file: parts/tetra.obj: the triangle of line 5", outcome.err)

    def test_grains_are_points(self):
        self.write("grains.yaml", GRAINS)
        self.expect(DONE, "run", "grains.yaml", "--out", "run", "-q")
        self.assertEqual(self.expect(DONE, "export", "run").out, "2 frames in run/vtk\n")
        sets = xml.parse(self.path("run", "vtk", "frames.pvd")).getroot().findall("./Collection/DataSet")
        self.assertEqual([(entry.get("part"), entry.get("file")) for entry in sets][2:],
                         [("0", "frame-000001.vtp"), ("1", "frame-000001-1.vtp")])
        piece = xml.parse(self.path("run", "vtk", "frame-000000-1.vtp")).getroot().find("./PolyData/Piece")
        arrays = {array.get("Name"): [float(word) for word in array.text.split()] for array in piece.iter("DataArray")}
        self.assertEqual(arrays["Points"], [0, 0, 0.05, 0.01, 0, 0.06])
        self.assertEqual(arrays["radius"], [0.0025, 0.001])
        self.assertEqual(len(arrays["velocity"]), 6)
        self.assertEqual(len(arrays["stress"]), 12)

    def check_vtk(self, folder, frames):
        sets = xml.parse(os.path.join(folder, "frames.pvd")).getroot().findall("./Collection/DataSet")
        self.assertEqual([round(float(entry.get("timestep")), 9) for entry in sets],
                         [round(0.02 * i, 9) for i in range(frames)])
        self.assertEqual(sorted(os.listdir(folder)), sorted(["frames.pvd"] + [entry.get("file") for entry in sets]))
        for i, entry in enumerate(sets):
            piece = xml.parse(os.path.join(folder, entry.get("file"))).getroot().find("./PolyData/Piece")
            self.check_piece(piece, 0.02 * i)

    def check_piece(self, piece, time):
        def numbers(path):
            return [float(word) for word in piece.find(path).text.split()]

        points = int(piece.get("NumberOfPoints"))
        cells = int(piece.get("NumberOfVerts")) + int(piece.get("NumberOfPolys"))
        coordinates = numbers("./Points/DataArray")
        self.assertEqual(len(coordinates), 3 * points)
        drum = points - sum(self.POINTS.values())
        self.assertIn(drum, (48, 50))
        self.assertEqual(int(piece.get("NumberOfVerts")), 1)
        body = numbers("./CellData/DataArray[@Name='body']")
        self.assertEqual(len(body), cells)
        self.assertEqual(set(body), {0, 1, 2, 3})
        self.assertEqual(len(numbers("./CellData/DataArray[@Name='velocity']")), 3 * cells)
        for kind in ("Verts", "Polys"):
            used = numbers("./%s/DataArray[@Name='connectivity']" % kind)
            offsets = numbers("./%s/DataArray[@Name='offsets']" % kind)
            self.assertEqual(offsets[-1], len(used))
            self.assertTrue(all(0 <= i < points for i in used))
        # The body without shape is the last point; it flies with 2 m/s upwards under gravity and 1 m/s^2 along x.
        steps = round(time / 0.01)
        self.assertAlmostEqual(coordinates[-3], 6 + 0.5 * time * time, delta=0.01 * time + 1e-12)
        self.assertAlmostEqual(coordinates[-1], 2 * time - 9.81 * 0.01**2 * steps * steps / 2, delta=0.1 * time + 1e-12)

    def test_a_run_without_frames_yet(self):
        self.write("shapes.yaml", SHAPES)
        self.expect(DONE, "run", "shapes.yaml", "--out", "run", "-q")
        header = self.read("run", "index.jsonl").splitlines(keepends=True)[0]
        self.write("run/index.jsonl", header)
        self.assertEqual(len(read_index(self.path("run"))), 1)
        self.assertEqual(self.expect(DONE, "export", "run", "--out", "vtk").out, "0 frames in vtk\n")


class PageReader(HTMLParser):
    """Complains about tags that are not closed in order; collects ids and text."""

    VOID = {"meta", "br", "path", "rect"}

    def __init__(self, page):
        super().__init__()
        self.open, self.ids, self.text = [], set(), ""
        self.feed(page)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        self.ids |= {value for name, value in attributes if name == "id"}
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert tag in self.VOID or self.open.pop() == tag, tag

    def handle_data(self, data):
        if self.open[-1:] not in (["script"], ["style"]):
            self.text += data


class Pages(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("shapes.yaml", SHAPES)
        self.expect(DONE, "run", "shapes.yaml", "--out", "run", "-q")

    def page(self, *names):
        return PageReader(self.read(*names).decode())

    def test_report_of_a_run(self):
        page = self.page("run", "report.html")
        self.assertLessEqual({"expectations", "metrics", "curves", "replay", "ledger", "timing", "solver", "scenario"},
                             page.ids)
        for fragment in ("One of each", "done; expectations: 1 of 1 passed", "free fall", "hardpan run shapes.yaml",
                         "hardpan run scenario.yaml", "energy_total_J", "iterations_mean",
                         self.summary("run")["state_hash"], self.read("run", "scenario.yaml").decode()):
            self.assertIn(fragment, page.text)
        self.assertLess(len(self.read("run", "report.html")), 3000000)
        self.assertNotRegex(self.read("run", "report.html").decode(), r"""(src|href)=["']""", "one file, no network")

    def test_report_again(self):
        first = self.read("run", "report.html")
        os.remove(self.path("run", "report.html"))
        self.assertEqual(self.expect(DONE, "report", "run").out, "report in run/report.html\n")
        self.assertEqual(self.read("run", "report.html"), first)
        for _ in range(2):  # a report may be overwritten
            self.expect(DONE, "report", "run", "--out", "copy.html")
        self.assertEqual(self.read("copy.html"), first)
        self.expect(DONE, "run", "shapes.yaml", "--out", "run", "-q", "--resume")
        self.assertIn("report.html", os.listdir(self.path("run")))

    def test_report_of_a_killed_run(self):
        self.write("long.yaml", chain_scenario(links=10, steps=200000, frames=10, checkpoint=100))
        process = self.start("run", "long.yaml", "--out", "killed", "-q")
        self.assertTrue(wait_for(lambda: len(read_index(self.path("killed"))) > 4))
        self.expect(DONE, "report", "killed", "--out", "running.html")
        process.kill()
        self.finish(process)
        self.expect(DONE, "report", "killed")
        for page in (self.page("running.html"), self.page("killed", "report.html")):
            self.assertIn("not finished", page.text)

    def test_report_of_a_diverged_run(self):
        self.write("wild.yaml", SHAPES.replace(
            "kind: force, body: point, force: [1, 0, 0]", "kind: torque, body: point, torque: [1.0e4, 0, 0]"))
        self.expect(DIVERGED, "run", "wild.yaml", "--out", "wild", "-q")
        self.assertRegex(self.page("wild", "report.html").text, r"diverged at t = ")

    def test_report_refuses(self):
        self.assertIn("is not the folder of a run", self.expect(IO, "report", "nowhere").err)
        self.write("mine.html", "<p>my own work")
        outcome = self.expect(BAD_INPUT, "report", "run", "--out", "mine.html")
        self.assertIn("mine.html: is there and is no report page", outcome.err)
        self.assertEqual(self.read("mine.html"), b"<p>my own work")
        self.expect(BAD_INPUT, "report", "run", "--out", "run")
        self.expect(IO, "report", "run", "--out", "no/such/folder.html")
        self.write("run/summary.json", "{")
        self.assertIn("summary.json: is no JSON", self.expect(IO, "report", "run").err)

    def test_a_report_that_cannot_be_written(self):
        size = len(self.read("run", "report.html"))
        largest = max(os.path.getsize(self.path("run", name)) for name in os.listdir(self.path("run"))
                      if name != "report.html")
        title = "x" * max(1, (largest - size) // 2 + 2000)  # so that the report is the largest file
        outcome = self.expect(IO, "run", "shapes.yaml", "--out", "full", "-q", "--set", "title=" + title,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (largest + 2000,) * 2))
        self.assertIn("report.html", outcome.err)
        self.assertEqual(self.summary("full")["status"], "done")

    def test_compare(self):
        self.expect(DONE, "run", "shapes.yaml", "--out", "other/run", "-q", "--set", "bodies.box.mass=2")
        for _ in range(2):  # a comparison may be overwritten
            outcome = self.expect(DONE, "compare", "run", "other/run")
        self.assertIn("comparison in compare.html", outcome.out)
        self.assertRegex(outcome.out, r"(?m)^energy_total_J +\S+ +\S+ +[+-]\S+ \(\S+ %\)$")
        page = self.page("compare.html")
        for fragment in ("bodies.box.mass", "other/run", "energy_total_J", "height"):
            self.assertIn(fragment, page.text)
        self.assertLessEqual({"runs", "metrics", "expectations", "curves", "scenarios", "timing"}, page.ids)
        self.assertNotIn("no curves in common", page.text)

    def test_compare_refuses(self):
        self.expect(BAD_INPUT, "compare")
        self.expect(BAD_INPUT, "compare", "run")
        self.assertIn("is not the folder of a run", self.expect(IO, "compare", "run", "nowhere").err)
        self.assertNotIn("compare.html", os.listdir(self.folder))
        self.write("mine.html", "<p>my own work")
        outcome = self.expect(BAD_INPUT, "compare", "run", "run", "--out", "mine.html")
        self.assertIn("--force", outcome.err)
        self.assertEqual(self.read("mine.html"), b"<p>my own work")
        self.expect(DONE, "compare", "run", "run", "--out", "mine.html", "--force")
        self.assertIn("The resolved scenarios are the same", self.page("mine.html").text)


if __name__ == "__main__":
    unittest.main()
