"""Studies with the triaxial cell."""
from plot import Plot

RUNS = {f"{packing}-{stress}": [f"experiment.stress={stress}", f"experiment.dense={'true' if packing == 'dense' else 'false'}"]
        for packing in ("dense", "loose") for stress in (5000, 10000, 20000)}
COLOURS = {"5000": "#2a9d4a", "10000": "#1f77b4", "20000": "#b35900"}


def table(results):
    rows = ["| | peak, degrees | residual, degrees | void ratio at first | at last | mean error of the stress at the sides |",
            "|---|---|---|---|---|---|"]
    for label in RUNS:
        packing, stress = label.split("-")
        metric = [results.metric(label, name) for name in ("peak_friction_angle_deg", "residual_friction_angle_deg",
                                                           "void_ratio_initial", "void_ratio_residual",
                                                           "radial_stress_error")]
        rows.append("| {}, {:g} kPa | {:.1f} | {:.1f} | {:.3f} | {:.3f} | {:.1f} % |".format(
            packing, float(stress) / 1000, *metric[:4], 100 * metric[4]))
    return rows


def gates(results):
    def angle(label, name):
        return results.metric(label, f"{name}_friction_angle_deg")
    rows = []
    for stress in ("5000", "10000", "20000"):
        dense, loose = f"dense-{stress}", f"loose-{stress}"
        rows += [(f"{float(stress) / 1000:g} kPa: residual angles of dense and loose soil differ by at most 2 degrees",
                  abs(angle(dense, "residual") - angle(loose, "residual")), 0, 2),
                 (f"{float(stress) / 1000:g} kPa: dense soil has a peak, in degrees above its residual angle",
                  angle(dense, "peak") - angle(dense, "residual"), 2, 30),
                 (f"{float(stress) / 1000:g} kPa: servos keep their stress within 1 % on average",
                  results.metric(dense, "radial_stress_error"), 0, 0.01)]
    return rows


def draw(results):
    files = []
    for name, title, column, unit, ticks in (
            ("ratio", "axial over radial stress", ("axial_stress", "radial_stress"), "ratio", [0, 1, 2, 3, 4]),
            ("volume", "change of the volume", "volume_strain", "V/V_0 - 1", [-0.04, -0.02, 0, 0.02, 0.04, 0.06, 0.08, 0.1])):
        plot = Plot(f"Triaxial compression of 2,000 spheres: {title}", "axial strain", unit, [0, 0.05, 0.1, 0.15, 0.2, 0.25],
                    ticks, (90, 60) if name == "volume" else (480, 300))
        for label in RUNS:
            packing, stress = label.split("-")
            plot.line(f"{packing}, {float(stress) / 1000:g} kPa", results.curve(label, "axial_strain", column),
                      COLOURS[stress], "" if packing == "dense" else "6 4", 1.4)
        plot.write(f"validation-triaxial-{name}.svg")
        files.append(f"![{title}](images/validation-triaxial-{name}.svg)")
    return files


STUDIES = {
    "triaxial": {
        "about": "2,000 spheres of 4 to 6 mm, friction 0.5, between smooth walls; dense: pressed together without friction, "
                 "loose: with it. Soil forgets how it was made: residual angles must agree.",
        "scenario": "scenarios/validate/triaxial-grains.yaml", "runs": RUNS,
        "table": table, "judge": gates, "draw": draw},
}
