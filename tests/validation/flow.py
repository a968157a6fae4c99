"""Studies with grains that flow: silos (Beverloo, Leniger & van de Velde, Chem. Eng. Sci. 15 (1961) 260-269)."""
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
    plot.line("(opening - 1.4 d)", [(1000 * MARGIN * DIAMETER, 0), (60, slope * (60 - 1000 * MARGIN * DIAMETER))], "#999",
              "6 4", 1)
    plot.write("validation-silo.svg")
    return ["![Rate over the opening](images/validation-silo.svg)"]


STUDIES = {
    "silo": {
        "about": "4,000 spheres of 5 mm run out of a square silo of 8 x 8 cm through square openings.",
        "scenario": "scenarios/validate/silo-discharge.yaml",
        "runs": {label(opening): [f"experiment.opening={opening}",
                                  f"experiment.duration={min(2.0, 0.6 * (0.04 / opening) ** 2.5):.3f}"]
                 for opening in OPENINGS},
        "table": table, "judge": gates, "draw": draw},
}
