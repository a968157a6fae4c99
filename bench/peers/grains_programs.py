"""The programs that grains.py compares: each takes a bed and a case, runs it, and tells seconds and where grains are."""
import dataclasses
import glob
import json
import math
import os
import pathlib
import re
import shutil
import subprocess

import h5py
import numpy

HERE = pathlib.Path(__file__).resolve().parent
MACHINE_STEP = 10  # steps of ours come in tens: those of the machine, time.step of the beds


class Failed(Exception):
    """A program did not do what it was asked for."""


@dataclasses.dataclass(frozen=True)
class Law:
    """Hertz with a tangential spring that remembers. Dampers by restitution, or gamma m* sqrt(R* d) where gamma is given."""
    radius: float
    density: float
    young: float
    poisson: float
    friction: float
    restitution: float
    gravity: float
    step: float
    gamma: float = 0

    @property
    def zeta(self):
        return -math.log(self.restitution) / math.hypot(math.log(self.restitution), math.pi)

    @property
    def mass(self):
        return self.density * 4 / 3 * math.pi * self.radius ** 3

    @property
    def k_n(self):  # (4/3) E*, Pa
        return 4 / 3 * self.young / (2 * (1 - self.poisson ** 2))

    @property
    def k_t(self):  # 8 G*, Pa
        return 2 * self.young / ((2 - self.poisson) * (1 + self.poisson))

    @property
    def damper_ratio(self):  # c_t/c_n
        return math.sqrt(self.k_t / (1.5 * self.k_n))

    def with_gamma(self, overlap):
        """The law whose normal damper is the same for two grains at this overlap."""
        c = 2 * math.sqrt(5 / 6) * self.zeta * math.sqrt(1.5 * self.k_n * self.mass / 2)
        return dataclasses.replace(self, gamma=c / (self.mass / 2) * (self.radius / 2 * overlap) ** -0.25)


@dataclasses.dataclass(eq=False)
class Bed:
    scenario: pathlib.Path
    start: pathlib.Path  # a run of ours that ends where all programs begin
    folder: pathlib.Path
    position: numpy.ndarray
    velocity: numpy.ndarray
    spin: numpy.ndarray
    low: tuple  # inside of the box
    high: tuple

    @property
    def count(self):
        return len(self.position)

    @property
    def walls(self):
        """Axis, place, and the side where grains are."""
        sides = [(axis, end[axis], sense) for axis in (0, 1) for end, sense in ((self.low, 1), (self.high, -1))]
        return [*sides, (2, self.low[2], 1)]


@dataclasses.dataclass(frozen=True)
class Case:
    """How a program is run. Skin None: as it chooses; newton and every are for LAMMPS and LIGGGHTS."""
    law: Law
    cores: int = 1
    skin: float = None
    newton: str = "off"
    every: int = 1


@dataclasses.dataclass(frozen=True)
class Result:
    seconds: float
    state: dict = None  # position and velocity of all grains
    rebuilds: int = None


def execute(command, folder=None):
    try:
        done = subprocess.run([str(word) for word in command], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                              encoding="utf-8", errors="replace", env={**os.environ, "OMP_NUM_THREADS": "1"})
    except FileNotFoundError:
        raise Failed(f"{command[0]} is not installed") from None
    if done.returncode != 0:
        raise Failed(f"{command[0]} ended with {done.returncode}: {(done.stdout + done.stderr).strip()[-400:]}")
    return done.stdout


# ---- ours

def last_checkpoint(run):
    return pathlib.Path(max(glob.glob(str(run / "checkpoint-*.h5"))))


def state_of(run):
    """Places, velocities and spins at one time, in our order, which is that of cells."""
    with h5py.File(last_checkpoint(run)) as file:
        get = lambda name: file["grains/" + name][()].T
        return {"position": get("position"), "velocity": get("velocity"), "spin": get("spin")}


def forget(run):
    """Takes what contacts remember out of the last checkpoint of a run, and signs it again (docs/results.md)."""
    file = last_checkpoint(run)
    data = file.read_bytes()
    file.write_bytes(data[:data.rindex(b"\nhardpan checksum ")])
    with h5py.File(file, "r+") as archive:
        for which in ("contacts", "walls"):
            archive[f"grains/{which}/memory"][...] = 0
    data = file.read_bytes()
    own = fnv(data)
    trailer = b"\nhardpan checksum %016x\n" % own
    file.write_bytes(data + trailer)
    lines = [json.loads(line) for line in (run / "index.jsonl").read_text().splitlines()]
    for line in lines:
        if line.get("file") == file.name:
            line.update(bytes=len(data + trailer), checksum=f"{fnv(trailer, own):016x}")
    (run / "index.jsonl").write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))


def fnv(data, value=0xcbf29ce484222325):
    for byte in data:
        value = (value ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return value


class Ours:
    name = "Hardpan"

    def __init__(self, program):
        self.program, self.warmed = program, {}

    def settle(self, scenario, time, out, threads):
        """With its progress on the terminal."""
        done = subprocess.run([self.program, "run", scenario, "--out", out, "--force", "--threads", str(threads),
                               "--set", f"initial.prepare.time.end={time}", "--set", "time.end=1e-4",
                               "--set", "outputs=[]", "--set", "expect=[]"], stdout=subprocess.DEVNULL)
        if done.returncode != 0:
            raise Failed(f"{scenario.name} did not settle: exit code {done.returncode}")

    def go(self, bed, law, start, steps, out, threads):
        """From where another run ended. The fill only says how many grains there are: a lattice is quick."""
        settings = {"initial": f"{{from: {json.dumps(str(start))}}}", "time.end": f"{steps * law.step:.12g}",
                    "ground.fill": f"{{low: {list(bed.low)}, high: {[*bed.high[:2], 10]}, count: {bed.count}}}",
                    "outputs": "[]", "expect": "[]"}
        if law.gamma:
            settings["ground.force.normal_damping"] = settings["ground.force.tangential_damping"] = law.gamma
        command = [self.program, "run", bed.scenario, "--out", out, "--force", "--quiet", "--threads", threads]
        execute(command + [word for key, value in settings.items() for word in ("--set", f"{key}={value}")])
        phases = json.loads((out / "summary.json").read_text())["timing"]["phases_s"]
        return sum(seconds for name, seconds in phases.items() if name != "record")

    def warm(self, bed, law, steps):
        """Once per law: bits do not depend on threads."""
        if steps == 0:
            return bed.start
        if (bed, law, steps) not in self.warmed:
            out = bed.folder / f"warm-{len(self.warmed)}"
            self.go(bed, law, bed.start, steps, out, 1)
            self.warmed[bed, law, steps] = out
        return self.warmed[bed, law, steps]

    def run(self, bed, case, warm, steps, want_state=False):
        out = bed.folder / "timed"
        seconds = self.go(bed, case.law, self.warm(bed, case.law, warm), steps, out, case.cores)
        return Result(seconds, state_of(out) if want_state else None)


# ---- LAMMPS, and LIGGGHTS, which comes from it

def write_data(bed, law):
    """The bed as both of them read it."""
    file = bed.folder / "bed.data"
    if file.exists():
        return file
    number = numpy.arange(1, bed.count + 1)
    edge = 2 * law.radius
    with open(file, "w", encoding="utf-8") as out:
        out.write(f"grains\n\n{bed.count} atoms\n1 atom types\n\n")
        for axis, low, high in zip("xyz", bed.low, bed.high):
            out.write(f"{low - edge} {high + edge} {axis}lo {axis}hi\n")
        out.write("\nAtoms\n\n")
        same = numpy.tile([1, 2 * law.radius, law.density], (bed.count, 1))
        numpy.savetxt(out, numpy.column_stack([number, same, bed.position]), "%d %d %.17g %.17g %.17g %.17g %.17g")
        out.write("\nVelocities\n\n")
        numpy.savetxt(out, numpy.column_stack([number, bed.velocity, bed.spin]), "%d" + 6 * " %.17g")
    return file


def read_dump(file):
    """Of one moment."""
    with open(file, encoding="utf-8") as text:
        rows = numpy.loadtxt(text, skiprows=9)
    return {"position": rows[:, 0:3], "velocity": rows[:, 3:6]}


def lines_common(bed, case):
    return f"""units si
atom_style sphere
boundary f f f
newton {case.newton}
{{velocities}}
read_data {write_data(bed, case.law).name}
neighbor {case.skin} bin
neigh_modify delay 0 every {case.every} check yes
timestep {case.law.step}
fix weight all gravity {case.law.gravity} vector 0 0 -1
fix go all nve/sphere
thermo 1000000000
"""


def lines_run(warm, steps, want_state, line=""):
    """`line`: a word before the format of a line of a dump, which only LAMMPS wants."""
    dump = f"""dump end all custom 1 state.txt x y z vx vy vz
dump_modify end format {line} "{' '.join(6 * ['%.17g'])}"
run 0
"""
    return (f"run {warm}\n" if warm else "") + f"run {steps}\n" + (dump if want_state else "")


def run_script(program, bed, case, text, want_state):
    """Seconds are those of the last run in it that has steps: those before warm up, one without steps writes the state."""
    (bed.folder / "in.txt").write_text(text)
    many = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-np", case.cores]
    log = execute((many if case.cores > 1 else []) + [program, "-in", "in.txt"], bed.folder)
    loops = re.findall(r"^Loop time of (\S+) on \d+ procs for (\d+) steps", log, re.M)
    builds = re.findall(r"^Neighbor list builds = (\d+)", log, re.M)
    dangerous = re.findall(r"^Dangerous builds = (\d+)", log, re.M)
    if not loops:
        raise Failed(f"{program} told no time: {log.strip()[-400:]}")
    if any(map(int, dangerous)):
        raise Failed(f"{program} made lists too late")
    last = max(k for k, (_, steps) in enumerate(loops) if steps != "0")
    return Result(float(loops[last][0]), read_dump(bed.folder / "state.txt") if want_state else None,
                  int(builds[last]) if builds else None)


class Lammps:
    """Dampers by gamma: gran/hertz/history; by restitution: granular."""
    name = "LAMMPS"

    @staticmethod
    def missing():
        return None if shutil.which("lmp") else "lmp (package lammps) is not installed"

    @staticmethod
    def tsuji(law):
        """The restitution for which the polynomial of its `damping tsuji` has our damper."""
        wanted = math.sqrt(5) * law.zeta
        polynomial = [4.8218, -18.022, 27.467, -22.348, 11.087, -4.2783, 1.2728]
        low, high = 0.0, 1.0
        for _ in range(60):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if numpy.polyval(polynomial, middle) > wanted else (low, middle)
        return low

    def run(self, bed, case, warm, steps, want_state=False):
        law = case.law
        if law.gamma:
            values = f"{law.k_n} {law.k_t} {law.gamma} {law.gamma} {law.friction} 1"
            pair, wall = f"pair_style gran/hertz/history {values}\npair_coeff * *", f"hertz/history {values}"
        else:
            # Not hertz/material, whose walls have another stiffness than its grains.
            values = (f"hertz {law.k_n} {self.tsuji(law)} tangential mindlin {law.k_t} {law.damper_ratio} "
                      f"{law.friction} damping tsuji")
            pair, wall = f"pair_style granular\npair_coeff * * {values}", f"granular {values}"
        ends = [*zip(bed.low[:2], bed.high[:2]), (bed.low[2], "NULL")]
        walls = "".join(f"fix wall_{axis} all wall/gran {wall} {axis}plane {low} {high}\n"
                        for axis, (low, high) in zip("xyz", ends))
        text = lines_common(bed, case).format(velocities="comm_modify vel yes") + pair + "\n" + walls
        return run_script("lmp", bed, case, text + lines_run(warm, steps, want_state, "line"), want_state)


class Liggghts:
    name = "LIGGGHTS"

    @staticmethod
    def missing():
        return None if shutil.which("liggghts") else "liggghts is not installed"

    def run(self, bed, case, warm, steps, want_state=False):
        law, model = case.law, "model hertz tangential history"
        text = lines_common(bed, case).format(velocities="atom_modify map array\ncommunicate single vel yes") + f"""
fix young all property/global youngsModulus peratomtype {law.young}
fix poisson all property/global poissonsRatio peratomtype {law.poisson}
fix restitution all property/global coefficientRestitution peratomtypepair 1 {law.restitution}
fix friction all property/global coefficientFriction peratomtypepair 1 {law.friction}
pair_style gran {model}
pair_coeff * *
"""
        for axis, at, sense in bed.walls:
            text += f"fix wall_{axis}_{sense + 1} all wall/gran {model} primitive type 1 {'xyz'[axis]}plane {at}\n"
        return run_script("liggghts", bed, case, text + lines_run(warm, steps, want_state), want_state)


# ---- YADE

class Yade:
    name = "YADE"

    @staticmethod
    def missing():
        return None if shutil.which("yade") else "yade is not installed"

    def run(self, bed, case, warm, steps, want_state=False):
        job, state, result = (bed.folder / name for name in ("yade-job.json", "yade-state.npz", "yade-result.json"))
        result.unlink(missing_ok=True)
        job.write_text(json.dumps({
            "bed": str(bed.folder / "bed.npz"), "law": {**dataclasses.asdict(case.law), "zeta": case.law.zeta},
            "walls": bed.walls, "skin": case.skin, "warm": warm, "steps": steps,
            "state": str(state) if want_state else None, "result": str(result)}))
        said = execute(["yade", "-n", "-x", "-j", case.cores, HERE / "grains_yade.py", job], bed.folder)
        if not result.exists():
            raise Failed(f"yade told no time: {said.strip()[-400:]}")
        return Result(json.loads(result.read_text())["seconds"], dict(numpy.load(state)) if want_state else None)
