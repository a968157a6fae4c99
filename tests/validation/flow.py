"""Studies with grains that flow, or would: silos (Beverloo, Leniger & van de Velde, Chem. Eng. Sci. 15 (1961) 260-269;
Janssen, Z. Ver. dt. Ing. 39 (1895) 1045-1049) and heaps."""
import math

from plot import Plot

DIAMETER = 0.005
OPENINGS = [0.025, 0.03, 0.035, 0.04, 0.05]
MARGIN = 1.4  # grains by which an opening acts narrower


def label(opening):
    return f"{1000 * opening:g}-mm"


def rates(results):
    return [results.metric(label(opening), "mass_rate_kg_per_s") for opening in OPENINGS]


def exponent(results):
    """Slope of ln(rate) over ln(opening - 1.4 d), least squares."""
    x = [math.log(opening - MARGIN * DIAMETER) for opening in OPENINGS]
    y = [math.log(rate) for rate in rates(results)]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / sum((a - mean_x) ** 2 for a in x)


def table(results):
    rows = ["| opening, mm | rate, kg/s | run out |", "|---|---|---|"]
    return rows + [f"| {1000 * opening:g} | {rate:.3f} | {results.metric(label(opening), 'discharged_share'):.2f} |"
                   for opening, rate in zip(OPENINGS, rates(results))]


def gates(results):
    return [("exponent of (opening - 1.4 d): 2.5 +- 0.15", exponent(results), 2.35, 2.65)]


def draw(results):
    plot = Plot("Silo: rate to the power 1/2.5 over the opening", "opening, mm", "(kg/s)^(2/5)", [0, 10, 20, 30, 40, 50, 60],
                [0, 0.2, 0.4, 0.6, 0.8, 1, 1.2], (90, 60))
    points = [(1000 * opening, rate ** 0.4) for opening, rate in zip(OPENINGS, rates(results))]
    slope = sum(y / (x - 1000 * MARGIN * DIAMETER) for x, y in points) / len(points)
    plot.dots("measured", points, "#1f77b4", True)
    plot.line("(opening - 1.4 d)", [(1000 * MARGIN * DIAMETER, 0), (53, slope * (53 - 1000 * MARGIN * DIAMETER))], "#999",
              "6 4", 1)
    plot.write("validation-silo.svg")
    return ["![Rate over the opening](images/validation-silo.svg)"]


COUNTS = [1000, 2000, 4000, 7000]
SINKING = 1.7e-6  # of the floor per grain, m: the soil has to stretch before it slides along the walls


def janssen_table(results):
    rows = ["| grains | height, mm | weight, Pa | on the floor, Pa | Janssen, Pa | K | friction at the walls |",
            "|---|---|---|---|---|---|---|"]
    for count in COUNTS:
        metric = [results.metric(f"{count}", name) for name in
                  ("height_m", "weight_stress_Pa", "floor_stress_Pa", "janssen_stress_Pa", "lateral_ratio",
                   "mobilised_friction")]
        rows.append("| {} | {:.0f} | {:.0f} | {:.0f} | {:.0f} | {:.2f} | {:.3f} |".format(
            count, 1000 * metric[0], *metric[1:]))
    return rows


def janssen_gates(results):
    gates = [(f"{count} grains: stress on the floor over Janssen's, within 10 %",
              results.metric(f"{count}", "floor_over_janssen"), 0.9, 1.1) for count in COUNTS]
    shares = [results.metric(f"{COUNTS[-1]}", name) for name in ("floor_stress_Pa", "weight_stress_Pa")]
    return gates + [("share of the weight on the floor under the highest column: below 0.4", shares[0] / shares[1], 0, 0.4)]


def janssen_draw(results):
    plot = Plot("Silo: stress on the floor over the height of the soil", "height, mm", "kPa",
                [0, 50, 100, 150, 200, 250, 300, 350], [0, 0.5, 1, 1.5, 2, 2.5], (90, 60))
    last = f"{COUNTS[-1]}"
    length = sum(results.metric(f"{count}", "janssen_length_m") for count in COUNTS) / len(COUNTS)
    slope = results.metric(last, "weight_stress_Pa") / results.metric(last, "height_m")
    heights = [0.35 * k / 50 for k in range(51)]
    plot.line("weight alone", [(1000 * h, slope * h / 1000) for h in heights if slope * h < 2500], "#999", "2 4", 1)
    plot.line("Janssen, with the mean K", [(1000 * h, slope * length * (1 - math.exp(-h / length)) / 1000) for h in heights],
              "#999", "6 4", 1)
    plot.dots("measured", [(1000 * results.metric(f"{count}", "height_m"), results.metric(f"{count}", "floor_stress_Pa") / 1000)
                           for count in COUNTS], "#1f77b4", True)
    plot.write("validation-janssen.svg")
    return ["![Stress on the floor over the height](images/validation-janssen.svg)"]


FRICTIONS = [0.2, 0.5]


def repose_table(results):
    rows = ["| friction | rolling friction | angle, degrees |", "|---|---|---|"]
    return rows + [f"| {name.replace('-', ' | ')} | {results.metric(name, 'repose_angle_deg'):.1f} |"
                   for name in REPOSE_RUNS]


REPOSE_RUNS = {f"{friction}-{rolling}": [f"materials.sand.friction={friction}", f"ground.force.rolling_friction={rolling}"]
               for friction in FRICTIONS for rolling in (0.0, 0.1)}


def repose_gates(results):
    angle = {name: results.metric(name, "repose_angle_deg") for name in REPOSE_RUNS}
    return [("friction 0.5, no rolling friction: 15 to 30 degrees", angle["0.5-0.0"], 15, 30),
            ("steeper with more friction: difference above 0", angle["0.5-0.0"] - angle["0.2-0.0"], 0, 90),
            ("steeper with rolling friction: difference above 0", angle["0.5-0.1"] - angle["0.5-0.0"], 0, 90)]


STUDIES = {
    "janssen": {
        "about": "Spheres of 5 mm in a square silo 5 cm wide, whose floor sinks by 4 % of the height of the soil (means are over the "
                 "second half of that), at four heights; friction of grains and walls 0.2; K is measured in the same run.",
        "scenario": "scenarios/validate/silo-pressure.yaml",
        "runs": {f"{count}": [f"experiment.count={count}", f"experiment.distance={SINKING * count:g}"] for count in COUNTS},
        "table": janssen_table, "judge": janssen_gates, "draw": janssen_draw},
    "repose": {
        "about": "Heaps of 2,000 spheres of 5 mm that a lifted tube leaves behind on a tray with a rim lower than a grain.",
        "scenario": "scenarios/validate/repose-angle.yaml",
        "runs": REPOSE_RUNS, "table": repose_table, "judge": repose_gates},
    "silo": {
        "about": "4,000 spheres of 5 mm run out of a square silo of 8 x 8 cm through square openings.",
        "scenario": "scenarios/validate/silo-discharge.yaml",
        "runs": {label(opening): [f"experiment.opening={opening}",
                                  f"experiment.duration={min(2.0, 0.6 * (0.04 / opening) ** 2.5):.3f}"]
                 for opening in OPENINGS},
        "table": table, "judge": gates, "draw": draw},
}
