#!/usr/bin/env python3
"""hardpan material: what it prints and writes, beside closed forms (REFERENCE 5.2, 5.3), and what it refuses."""
import csv
import math
import os
import re
import unittest
import xml.etree.ElementTree as xml

from harness import BAD_INPUT, DONE, BadInput

PATHS = ("uniaxial", "hydrostatic", "triaxial", "oedometer", "simple-shear", "cycles")
SOIL = """hardpan: 1
title: Two soils and a steel
seed: 4
time: {end: 1}
materials:
  steel: {young: 2.0e+11, poisson: 0.3}
  rubber: {friction: 0.9}
  cone: {young: 9.1e+7, poisson: 0.3, soil: {friction_angle_deg: 22, cohesion: 14000}}
"""
CLAY = """  clay:
    young: 9.1e+7
    soil: {friction_angle_deg: 22, cohesion: 14000, tension: 75000, cap: {ratio: 2.5, start: -1.0e+5, hardening: 1.0e-6, compaction: 0.1}}
"""


class Material(BadInput):
    def setUp(self):
        super().setUp()
        self.write("cone.yaml", SOIL)
        self.write("both.yaml", SOIL + CLAY)

    def table(self, folder, path):
        with open(self.path(folder, path + ".csv"), newline="") as file:
            return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]

    def metrics(self, folder, path):
        return self.summary(folder)["paths"][path]["metrics"]

    def test_all_paths_of_a_soil_in_the_library(self):
        out = self.expect(DONE, "material", "clay").out
        for path in PATHS:
            self.assertRegex(out, r"(?m)^%s: " % path)
        self.assertIn("report  in runs/clay-material/report.html", out)
        self.assertEqual(sorted(os.listdir(self.path("runs", "clay-material"))), sorted(
            [path + end for path in PATHS for end in (".csv", ".svg")] + ["report.html", "summary.json", "surface.svg"]))
        for path in PATHS + ("surface",):
            xml.fromstring(self.read("runs", "clay-material", path + ".svg"))
        page = self.read("runs", "clay-material", "report.html").decode()
        self.assertEqual(page.count("<svg"), len(PATHS) + 1)
        self.assertEqual(re.findall(r"(?:src|href)=", page), [], "the page needs nothing else")
        for path in PATHS:
            self.assertIn('id="%s"' % path, page)
            for name, value in self.metrics("runs/clay-material", path).items():
                self.assertRegex(out, r"(?m)^  %s +%s$" % (name, re.escape("%.9g" % value)))

    def test_triaxial_plateaus(self):
        for confining, q in ((0, 41511.707), (50e3, 101411.058), (100e3, 161310.410), (200e3, 281109.112)):
            self.expect(DONE, "material", "cone.yaml", "--path", "triaxial", "--confining", str(confining), "--strain", "0.02",
                        "--out", "run", "--force", "-q")
            rows = self.table("run", "triaxial")
            self.assertAlmostEqual(min(row["stress.zz [Pa]"] for row in rows), -confining - q, delta=1e-6 * q)
            self.assertAlmostEqual(self.metrics("run", "triaxial")["peak_axial_stress_Pa"], -confining - q, delta=1e-6 * q)

    def test_hydrostatic_table(self):
        self.expect(DONE, "material", "both.yaml", "--of", "clay", "--path", "hydrostatic", "--strain", "0.121233", "--out", "run", "-q")
        rows = self.table("run", "hydrostatic")
        bulk = 9.1e7 / (3 * (1 - 2 * 0.3))
        for row in rows[:201]:
            I1, volume = row["I1 [Pa]"], sum(row["strain." + k] for k in ("xx", "yy", "zz"))
            plastic = 0.1 * (math.exp(1e-6 * (I1 + 1e5)) - 1) if I1 < -1e5 else 0
            self.assertAlmostEqual(volume, I1 / (3 * bulk) + plastic, delta=1e-9)
        self.assertAlmostEqual(min(row["I1 [Pa]"] for row in rows), -5e6, delta=5e3)
        self.assertAlmostEqual(rows[-1]["I1 [Pa]"], 0, delta=1e-3)

    def test_elastic_materials_too(self):
        self.expect(DONE, "material", "cone.yaml", "--of", "steel", "--path", "uniaxial", "--path", "cycles", "--out", "run", "-q")
        metrics = self.metrics("run", "uniaxial")
        self.assertAlmostEqual(metrics["peak_axial_stress_Pa"], -2e11 * 0.01, delta=1)
        self.assertEqual(metrics["plastic_work_J_per_m3"], 0)
        self.assertNotIn("oedometer", self.summary("run")["paths"])

    def test_the_seed_of_cycles(self):
        def end(*options):
            self.expect(DONE, "material", "cone.yaml", "--path", "cycles", "--out", "run", "--force", "-q", *options)
            return self.metrics("run", "cycles")["work_J_per_m3"]
        self.assertEqual(end(), end("--seed", "4"))
        self.assertEqual(end("--seed", "5"), end("--set", "seed=5"))
        self.assertNotEqual(end(), end("--seed", "5"))

    def test_the_command_in_the_summary_repeats_it(self):
        self.expect(DONE, "material", "both.yaml", "--of", "clay", "--strain", "-0.05", "--steps", "50", "--path", "triaxial",
                    "--confining", "5e4", "--out", "run", "-q")
        words = self.summary("run")["command"].split()
        self.expect(DONE, *words[1:], "--out", "again", "-q")
        for name in os.listdir(self.path("run")):
            self.assertEqual(self.read("run", name), self.read("again", name), name)

    def test_overwriting_needs_force_and_spares_the_rest(self):
        self.expect(DONE, "material", "cone.yaml", "--out", "run", "-q")
        outcome = self.expect(BAD_INPUT, "material", "cone.yaml", "--out", "run")
        self.assert_one_message(outcome, ["run: is not empty", "--force"])
        self.write("run/diary.txt", "mine\n")
        self.expect(DONE, "material", "cone.yaml", "--out", "run", "--force", "--path", "oedometer", "-q")
        self.assertEqual(sorted(os.listdir(self.path("run"))),
                         ["diary.txt", "oedometer.csv", "oedometer.svg", "report.html", "summary.json", "surface.svg"])
        self.write("notes/diary.txt", "mine\n")
        outcome = self.expect(BAD_INPUT, "material", "cone.yaml", "--out", "notes", "--force")
        self.assert_one_message(outcome, ["notes: is not the folder of material results", "--force does not overwrite"])
        self.write("run.yaml", SOIL)
        self.expect(DONE, "run", "run.yaml", "--out", "other", "-q", "--set", "time.step=0.5")
        self.expect(BAD_INPUT, "material", "cone.yaml", "--out", "other", "--force")

    def refused(self, fragments, *arguments):
        outcome = self.expect(BAD_INPUT, "material", *arguments, "--out", "run")
        self.assert_one_message(outcome, fragments)
        self.assert_no_run("run", "runs")

    def test_what_is_refused(self):
        self.write("none.yaml", SOIL[:SOIL.index("  cone")])
        self.write("bare.yaml", SOIL[:SOIL.index("materials")])
        self.refused(["none.yaml: no material has 'soil'", "hardpan describe materials"], "none.yaml")
        self.refused(["bare.yaml: no material has 'soil'"], "bare.yaml")
        self.refused(["both.yaml: several materials have 'soil'", "--of", "cone, clay"], "both.yaml")
        self.refused(["no material named 'clya'", "did you mean 'clay'", "known: steel, rubber, cone, clay"], "both.yaml", "--of", "clya")
        self.refused(["cone.yaml:7", "material 'rubber' has no young"], "cone.yaml", "--of", "rubber")
        self.refused(["no path named 'triaxal'", "did you mean 'triaxial'", "allowed: uniaxial, hydrostatic"], "cone.yaml",
                     "--path", "triaxal")
        for strain in ("0", "0.5", "-0.7", "inf", "nan"):
            self.refused(["--strain: %s, must lie between -0.5 and 0.5" % strain], "cone.yaml", "--strain", strain)
        self.refused(["--strain", "much"], "cone.yaml", "--strain", "much")
        for pressure in ("-1", "inf", "nan"):
            self.refused(["--confining: %s Pa, must be at least 0" % pressure], "cone.yaml", "--confining", pressure)
        self.refused(["--confining: 1e+09 Pa, must be at most 0.3 times the bulk modulus, 2.275e+07 Pa"], "cone.yaml", "--confining", "1e9")
        self.refused(["--steps", "1 to 100000"], "cone.yaml", "--steps", "0")
        self.refused(["--seed: -3, must be at least 0"], "cone.yaml", "--seed", "-3")
        self.refused(["no such file, and no scenario of that name", "did you mean 'clay'"], "clya")

    def test_a_bad_soil_names_its_line(self):
        self.write("bad.yaml", SOIL + CLAY.replace("start: -1.0e+5", "start: 1.0e+5"))
        outcome = self.expect(BAD_INPUT, "material", "bad.yaml", "--of", "clay")
        self.assert_one_message(outcome, ["materials.clay.soil.cap.start", "at most 0 Pa"])
        self.assert_at_line(outcome, "bad.yaml", 11)


if __name__ == "__main__":
    unittest.main()
