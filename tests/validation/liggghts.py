"""The direct shear box against LIGGGHTS, a program of others with the same law of contact, from the same grains.

LIGGGHTS is the Debian package of that name (`tools/setup.sh peers`); it is run beside Hardpan, never linked. Its results
are written as if they were a run of ours, so that tables and pictures treat them alike.
"""
import concurrent.futures
import csv
import functools
import json
import math
import pathlib
import subprocess
import tempfile
import xml.etree.ElementTree

from direct_shear import HEAD, row
from plot import Plot

SEEDS = [1, 2]
KINDS = ["displacement", "incremental"]  # the first one is the law of LIGGGHTS
YOUNG, POISSON, DENSITY, RESTITUTION, FRICTION, WALL_FRICTION = 4.0e+7, 0.22, 2550, 0.87, 0.18, 0.0939
STRESS, SPEED, DISTANCE, STEP, ROWS = 12500, 0.02, 0.01, 1e-5, 200
GRAVITY, RESIDUAL = 9.81, 0.25  # the share of the way over which the residual is a mean
FASTEST = 1.0                   # m/s, of the lid: LIGGGHTS wants a bound, which is never reached


def exported(program, run):
    """Arrays of the grains (lists of rows) in the first and the last frame, and corners of all bodies in the first."""
    def arrays(file):
        found = {}
        for array in xml.etree.ElementTree.parse(file).iter("DataArray"):
            numbers, wide = [float(word) for word in array.text.split()], int(array.get("NumberOfComponents"))
            found[array.get("Name")] = [numbers[k:k + wide] for k in range(0, len(numbers), wide)]
        return found

    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "export", str(run), "--out", folder], check=True, capture_output=True)
        files = sorted(pathlib.Path(folder).glob("frame-*-1.vtp"))
        bodies = arrays(str(files[0]).replace("-1.vtp", ".vtp"))
        return arrays(files[0]), arrays(files[-1]), bodies["Points"]


# ---- the input of LIGGGHTS

def input_head(folder, grains, bounds, step, gravity):
    """Writes the grains, and gives the commands up to the walls."""
    places, velocities, radii = grains["Points"], grains["velocity"], grains["radius"]
    lines = ["grains", "", f"{len(places)} atoms", "2 atom types", ""]
    lines += [f"{low} {high} {axis}lo {axis}hi" for axis, (low, high) in zip("xyz", bounds)]
    lines += ["", "Atoms", ""]
    lines += [f"{k} 1 {2 * r:.17g} {DENSITY} {x:.17g} {y:.17g} {z:.17g}"
              for k, ((x, y, z), (r,)) in enumerate(zip(places, radii), 1)]
    lines += ["", "Velocities", ""]
    lines += [f"{k} {x:.17g} {y:.17g} {z:.17g} 0 0 0" for k, (x, y, z) in enumerate(velocities, 1)]
    (folder / "grains.data").write_text("\n".join(lines) + "\n")
    wall = math.sqrt(FRICTION * WALL_FRICTION)
    return f"""units si
atom_style sphere
atom_modify map array
boundary f f f
newton off
communicate single vel yes
read_data grains.data
neighbor 0.001 bin
neigh_modify delay 0
fix young all property/global youngsModulus peratomtype {YOUNG} {YOUNG}
fix poisson all property/global poissonsRatio peratomtype {POISSON} {POISSON}
fix restitution all property/global coefficientRestitution peratomtypepair 2 {" ".join(4 * [str(RESTITUTION)])}
fix friction all property/global coefficientFriction peratomtypepair 2 {FRICTION} {wall} {wall} {wall}
pair_style gran model hertz tangential history
pair_coeff * *
timestep {step}
fix weight all gravity {gravity} vector 0 0 -1
"""


def run_liggghts(folder, text):
    (folder / "in.txt").write_text(text)
    done = subprocess.run(["liggghts", "-in", "in.txt"], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{folder.name}: liggghts ended with {done.returncode}: {done.stdout.strip()[-400:]}")


# ---- impacts, to know that the law is the same

IMPACT = """hardpan: 1
title: An impact
gravity: [0, 0, {gravity}]
time: {{end: {end}, step: 1.0e-5}}
materials:
  glass: {{density: {density}, young: {young}, poisson: {poisson}, friction: {friction}, restitution: {restitution}}}
  walls: {{young: {young}, poisson: {poisson}, friction: {wall_friction}, restitution: {restitution}}}
bodies:
  floor: {{fixed: true, shape: {{kind: plane}}, material: walls}}
ground:
  model: grains-penalty
  material: glass
  {grains}
  step: 1.0e-6
  force: {{tangential: displacement}}
outputs:
  - {{field: frames, every: {end}}}
"""
FALL = "grains: [[0, 0, 0.01, 0.006], [{}, 0, 0.04, 0.006]]"  # the lower one bounces and meets the other one
SLIPS = {"one on the floor, oblique, sticking": 0.1, "one on the floor, oblique, sliding": 1.0}  # m/s along the floor
THROW = "diameter: 0.006\n  fill: {{low: [0, 0, 0.003], high: [0.0065, 0.0065, 0.0095], count: 1, velocity: [{}, 0, -1]}}"
IMPACTS = {  # gravity, end, grains
    **{name: (0, 0.008, THROW.format(slip)) for name, slip in SLIPS.items()},
    "two in the air, central": (-GRAVITY, 0.085, FALL.format(0)),
    "two in the air, oblique": (-GRAVITY, 0.085, FALL.format(0.003)),
}


def impact(program, folder, gravity, end, grains):
    """Velocities after an impact by both programs: [(vx, vz) of each grain], twice."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "impact.yaml").write_text(IMPACT.format(
        gravity=gravity, end=end, grains=grains, density=DENSITY, young=YOUNG, poisson=POISSON, friction=FRICTION,
        restitution=RESTITUTION, wall_friction=WALL_FRICTION))
    subprocess.run([program, "run", str(folder / "impact.yaml"), "--out", str(folder / "ours"), "--force", "--quiet",
                    "--threads", "1"], check=True, capture_output=True)
    first, last, _ = exported(program, folder / "ours")
    run_liggghts(folder, input_head(folder, first, 2 * [(-0.05, 0.05)] + [(-0.01, 0.1)], 1e-6, -gravity) + f"""
fix walls all wall/gran model hertz tangential history primitive type 2 zplane 0
fix go all nve/sphere
dump all all custom {round(end / 1e-6)} after.txt id vx vz
dump_modify all sort id format "%d %.12g %.12g"
run {round(end / 1e-6)}
""")
    rows = (folder / "after.txt").read_text().split("\n")[-1 - len(first["Points"]):-1]
    return [(x, z) for x, _, z in last["velocity"]], [tuple(map(float, text.split()[1:])) for text in rows]


def with_their_changes(slip, approach=1.0, step=1e-6):
    """Speed along the floor after an impact on it by our law with two things changed: the damper is not cut at Coulomb's
    limit, and friction follows |F_n| where the force pulls."""
    radius, friction = 0.003, math.sqrt(FRICTION * WALL_FRICTION)
    mass = DENSITY * 4 / 3 * math.pi * radius ** 3
    zeta = -math.log(RESTITUTION) / math.hypot(math.log(RESTITUTION), math.pi)
    damping = 2 * math.sqrt(5 / 6) * zeta
    k_n, k_t = 4 / 3 * YOUNG / (2 * (1 - POISSON ** 2)), 8 * YOUNG / (4 * (2 - POISSON) * (1 + POISSON))
    overlap, spin, spring = step * approach, 0.0, 0.0
    while overlap > 0:
        width, arm = math.sqrt(radius * overlap), radius - overlap / 2
        normal = k_n * width * overlap + damping * math.sqrt(1.5 * k_n * width * mass) * approach
        speed, limit = slip + spin * arm, friction * abs(normal)
        spring += step * speed
        force = -k_t * width * spring
        if abs(force) > limit:
            force = math.copysign(limit, force)
            spring = -force / (k_t * width)
        else:
            force -= damping * math.sqrt(k_t * width * mass) * speed
        approach -= step * normal / mass
        slip += step * force / mass
        spin += step * force * arm / (0.4 * mass * radius ** 2)
        overlap += step * approach
    return slip


# ---- the box

def box_of(run):
    bodies = {body["name"]: body for body in json.loads((run / "scene.json").read_text())["bodies"]}
    lower, upper, lid = bodies["lower"]["shapes"][1], bodies["upper"]["shapes"][0], bodies["lid"]
    return {"x": lid["shape"]["size"][0] / 2, "y": lid["shape"]["size"][1] / 2, "wall": lower["size"][0],
            "lower": lower["at"][2] + lower["size"][2] / 2, "upper": upper["at"][2] - upper["size"][2] / 2,
            "top": upper["at"][2] + upper["size"][2] / 2, "lid_mass": lid["mass"]}


def lid_heights(corners):
    """Of its lower and upper side; the lid is the last body."""
    return min(z for _, _, z in corners[-8:]), max(z for _, _, z in corners[-8:])


def ring(box, out, z):
    """Corners of the inside, or further out."""
    x, y = box["x"] + out, box["y"] + out
    return [(-x, -y, z), (x, -y, z), (x, y, z), (-x, y, z)]


def between(a, b):
    return [(a[k], a[(k + 1) % 4], b[(k + 1) % 4], b[k]) for k in range(4)]


def write_stl(file, quads):
    """What grains can touch: sides that nothing touches are left out."""
    lines = ["solid box"]
    for a, b, c, d in quads:
        for corners in ((a, b, c), (a, c, d)):
            lines += ["facet normal 0 0 0", "outer loop"] + ["vertex {:.17g} {:.17g} {:.17g}".format(*p) for p in corners]
            lines += ["endloop", "endfacet"]
    file.write_text("\n".join(lines + ["endsolid box"]) + "\n")


def shear_input(folder, grains, box, lid):
    """The lid is a dead load on a mass: v' = (F - load)/m, by a servo that has an integrating part and no other."""
    load, steps = STRESS * 4 * box["x"] * box["y"], round(DISTANCE / SPEED / STEP)
    plane = (box["lower"] + box["upper"]) / 2
    write_stl(folder / "lower.stl", [ring(box, 0, 0)] + between(ring(box, 0, 0), ring(box, 0, box["lower"]))
              + between(ring(box, 0, box["lower"]), ring(box, box["wall"], box["lower"])))
    write_stl(folder / "upper.stl", between(ring(box, 0, box["upper"]), ring(box, 0, box["top"]))
              + between(ring(box, 0, box["upper"]), ring(box, box["wall"], box["upper"])))
    write_stl(folder / "lid.stl", [ring(box, 0, lid)])
    reach = box["wall"] + 2 * DISTANCE
    bounds = [(-box["x"] - reach, box["x"] + reach), (-box["y"] - reach, box["y"] + reach), (-0.01, box["top"] + 0.01)]
    each = steps // ROWS
    return input_head(folder, grains, bounds, STEP, GRAVITY) + f"""
fix lower all mesh/surface/stress file lower.stl type 2
fix upper all mesh/surface/stress file upper.stl type 2
fix lid all mesh/surface/stress/servo file lid.stl type 2 com 0 0 {lid:.17g} ctrlPV force axis 0 0 -1 &
  target_val {load:.17g} vel_max {FASTEST} kp 0 ki {load / box["lid_mass"] / FASTEST:.17g}
fix walls all wall/gran model hertz tangential history mesh n_meshes 3 meshes lower upper lid
fix move all move/mesh mesh lower linear {SPEED} 0 0
fix go all nve/sphere
variable above atom "mass*(z > {plane})"
compute above all reduce sum v_above
fix rows all ave/time 1 {each} {each} f_upper[1] f_lid[1] f_upper[3] f_lid[3] f_lid[9] c_above file rows.txt
thermo {10 * each}
run {steps}
"""


def table_of(folder, area, lid):
    """Rows as those of the measurement direct-shear: displacement, shear, normal and lid stress, rise of the lid."""
    table = []
    for text in (folder / "rows.txt").read_text().split("\n"):
        if text and not text.startswith("#"):
            step, upper_x, lid_x, upper_z, lid_z, height, above = map(float, text.split())
            middle = step - 0.5 * (DISTANCE / SPEED / STEP / ROWS - 1)
            table.append((step * STEP, SPEED * middle * STEP, (upper_x + lid_x) / area,
                          (upper_z + lid_z + GRAVITY * above) / area, lid_z / area, height - lid))
    return table


def write_results(folder, table, void_ratio):
    """The metrics of direct-shear, by its definitions (hardpan/lab/direct_shear.cpp)."""
    last = [entry for entry in table if entry[1] >= (1 - RESIDUAL) * table[-1][1]]
    _, _, shear, normal, lid, rise = [sum(column) / len(last) for column in zip(*last)]
    metrics = {"peak_stress_ratio": max(entry[2] / entry[3] for entry in table), "residual_stress_ratio": shear / normal,
               "peak_shear_stress_Pa": max(entry[2] for entry in table), "residual_shear_stress_Pa": shear,
               "normal_stress_Pa": normal, "void_ratio_initial": void_ratio, "dilation_m": rise,
               "peak_applied_ratio": max(entry[2] / entry[4] for entry in table), "residual_applied_ratio": shear / lid,
               "lid_stress_Pa": lid}
    with open(folder / "series.csv", "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["time [s]", "displacement [m]", "shear_stress [Pa]", "normal_stress [Pa]", "lid_stress [Pa]",
                      "dilation [m]"])
        out.writerows([(0, 0, 0, STRESS, STRESS, 0), *table])
    (folder / "summary.json").write_text(json.dumps({"status": "done", "metrics": metrics}, indent=1) + "\n")


def shear(program, source, folder):
    folder.mkdir(parents=True, exist_ok=True)
    grains, _, corners = exported(program, source)
    box, (lid, _) = box_of(source), lid_heights(corners)
    run_liggghts(folder, shear_input(folder, grains, box, lid))
    area, solid = 4 * box["x"] * box["y"], sum(4 / 3 * math.pi * r ** 3 for r, in grains["radius"])
    write_results(folder, table_of(folder, area, lid), lid * area / solid - 1)


def bare(program, source, folder):
    """Ours once more from what LIGGGHTS knows: the places of grains and lid, and no memory of the preparation."""
    grains, _, corners = exported(program, source)
    low, high = lid_heights(corners)
    scenario = folder.with_suffix(".yaml")
    scenario.write_text("\n".join([
        "hardpan: 1", f"include: {json.dumps(str(source.resolve() / 'scenario.yaml'))}", "initial: null",
        f"measure: {{height: {low}}}", f"bodies: {{lid: {{position: [0, 0, {(low + high) / 2}]}}}}",
        "ground:", "  fill: null", "  diameter: null", "  grains:",
        *(f"    - [{x:.17g}, {y:.17g}, {z:.17g}, {2 * r:.17g}]"
          for (x, y, z), (r,) in zip(grains["Points"], grains["radius"]))]) + "\n")
    done = subprocess.run([program, "run", str(scenario), "--out", str(folder), "--force", "--quiet", "--threads", "1"],
                          capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{folder.name}: exit code {done.returncode}: {done.stderr.strip()[-400:]}")


def peer(program, folder, jobs):
    """Runs LIGGGHTS, and ours from the bare start, where that has not been done yet; returns faults."""
    def once(task):
        work, result = task
        try:
            if not result.exists() or json.loads(result.read_text())["status"] != "done":
                work()
            return []
        except (RuntimeError, subprocess.CalledProcessError) as fault:
            return [str(fault)]

    def impacts():
        found = {name: impact(program, folder / "impacts" / str(k), *case)
                 for k, (name, case) in enumerate(IMPACTS.items())}
        (folder / "impacts.json").write_text(json.dumps({"status": "done", "found": found}, indent=1) + "\n")

    tasks = [(impacts, folder / "impacts.json")]
    for seed in SEEDS:
        for kind, work in (("liggghts", shear), ("bare", bare)):
            target = folder / f"{kind}-{seed}"
            source = folder / f"displacement-{seed}"
            tasks.append((functools.partial(work, program, source, target), target / "summary.json"))
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return sum(pool.map(once, tasks), [])


# ---- the study

def settings(kind, seed):
    """Both laws shear the sample that was prepared with the default one."""
    return [f"seed={seed}", f"experiment.normal_stress={STRESS}", f"materials.glass.young={YOUNG:.1e}",
            f"materials.walls.young={YOUNG:.1e}", f"ground.force.tangential={kind}",
            "initial.prepare.ground.force.tangential=incremental"]


NAMES = {"liggghts": "LIGGGHTS", "bare": "Hardpan `displacement`, bare start",
         **{kind: f"Hardpan `{kind}`" for kind in KINDS}}


def labels(kind):
    return [f"{kind}-{seed}" for seed in SEEDS]


def impacts_of(results):
    return json.loads((results.folder / "impacts.json").read_text())["found"]


def impact_differences(results):
    """Of the velocities after an impact, the largest over the speed of that grain, %."""
    return {name: max(100 * math.dist(a, b) / math.hypot(*b) for a, b in zip(*both))
            for name, both in impacts_of(results).items()}


def table(results):
    lines = HEAD + [row(results, f"{NAMES[kind]}, mean of {len(SEEDS)}", labels(kind)) for kind in NAMES]
    lines += ["", "| shear stress, kPa: peak, residual | " + " | ".join(NAMES.values()) + " |",
              "|---" * (1 + len(NAMES)) + "|"]
    for seed in SEEDS:
        cells = ["{:.2f}, {:.2f}".format(*(results.metric(f"{kind}-{seed}", f"{which}_shear_stress_Pa") / 1000
                                          for which in ("peak", "residual"))) for kind in NAMES]
        lines.append(f"| packing {seed} | " + " | ".join(cells) + " |")
    lines += ["", "| impact, velocity after it, m/s: x, z | LIGGGHTS | Hardpan `displacement` | difference | "
              "x by our law with the two changes |", "|---|---|---|---|---|"]
    for name, both in impacts_of(results).items():
        ours, theirs = ("; ".join("{:.5f}, {:.5f}".format(*v) for v in grains) for grains in both)
        changed = f"{with_their_changes(SLIPS[name]):.5f}" if name in SLIPS else ""
        lines.append(f"| {name} | {theirs} | {ours} | {impact_differences(results)[name]:.2g} % | {changed} |")
    return lines


def before_the_peak(results, seed):
    """Largest difference of the curves up to 4 mm, over the peak, %; beyond, they part."""
    ours, theirs = (results.curve(f"{kind}-{seed}", "displacement", "shear_stress") for kind in ("bare", "liggghts"))
    return max(100 * abs(a - b) for (x, a), (_, b) in zip(ours, theirs) if x < 0.004) / max(b for _, b in theirs)


def gates(results):
    impacts = impacts_of(results)
    found = [("impacts: largest difference below 0.5 %", max(impact_differences(results).values()), 0, 0.5),
             ("impacts on the floor, LIGGGHTS from our law with its changes, m/s: below 1e-4",
              max(abs(impacts[name][1][0][0] - with_their_changes(slip)) for name, slip in SLIPS.items()), 0, 1e-4)]
    found.append(("bare start: curves up to 4 mm within 2 % of the peak, largest difference in %",
                  max(before_the_peak(results, seed) for seed in SEEDS), 0, 2))
    for kind in ("bare", *KINDS):
        for which in ("peak", "residual"):
            for what, metric in (("shear stress", "shear_stress_Pa"), ("stress ratio", "stress_ratio")):
                ours, theirs = (results.mean(labels(of), f"{which}_{metric}") for of in (kind, "liggghts"))
                found.append((f"{NAMES[kind]}: {which} {what} within 5 % of LIGGGHTS, difference in %",
                              100 * (ours / theirs - 1), -5, 5))
    return found


def draw(results):
    plot = Plot("5,000 glass beads, 12.5 kPa, E 4e7 Pa: shear stress by two programs", "displacement, mm", "kPa",
                [0, 2, 4, 6, 8, 10], [0, 1, 2, 3, 4, 5, 6, 7, 8], (420, 300))
    colours = {"liggghts": "#111", "bare": "#b35900", "displacement": "#2a9d4a", "incremental": "#1f77b4"}
    for kind in NAMES:
        for k, label in enumerate(labels(kind)):
            points = [(1000 * x, y / 1000) for x, y in results.curve(label, "displacement", "shear_stress")]
            plot.line(NAMES[kind].replace("`", "") if k == 0 else None, points, colours[kind], width=1.2)
    plot.write("validation-liggghts.svg")
    return ["![shear stress over displacement](images/validation-liggghts.svg)"]


ABOUT = """The shear box of `glass-5000` at 12.5 kPa with E 4e7 Pa beside LIGGGHTS-PUBLIC 3.8.0 (the Debian package, run as a
program of its own), from the same grains. Its law, `hertz` with `tangential history`, is our `displacement` but for three
things: it does not cut the damper at Coulomb's limit; friction follows |F_n| also where the force pulls; what a
contact remembers is projected into its new plane, and so gets shorter, where ours is turned. The first two account for
the differences in the impacts on the floor.

Same box with its rims (as meshes), step of the grains, speed, gap, gravity. The lid is a servo with an integrating part and no other,
v' = (F - load)/m: our lid with its mass and dead load. Stresses are made of the forces on upper half and lid, as ours. LIGGGHTS
begins without the tangential forces and spins that the preparation left; so does our *bare start*, from the places of the grains alone.
What is not the same then, beside the law: its lid changes velocity in every step of the grains, not in every tenth. Up to the peak the
curves lie on one another; beyond it they part, by as much as our own runs of one packing part (rows of the table up to 0.3 kPa)."""

STUDIES = {
    "liggghts": {
        "about": ABOUT,
        "scenario": "scenarios/validate/direct-shear-glass.yaml", "needs": "liggghts", "peer": peer,
        "runs": {f"{kind}-{seed}": settings(kind, seed) for kind in KINDS for seed in SEEDS},
        "table": table, "judge": gates, "draw": draw},
}
