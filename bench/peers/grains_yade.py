"""A bed of grains in YADE, which runs this file: yade -n -x -j 1 grains_yade.py JOB. grains_programs.py writes the job."""
import json
import math
import sys
import time

import numpy
from yade import utils

job = json.load(open(sys.argv[1], encoding="utf-8"))
law, bed = job["law"], numpy.load(job["bed"])
radius, angle = law["radius"], math.atan(law["friction"])

# A wall has the radius of the sphere there, where R* should be twice as large: its modulus makes up for that. Along the
# wall, where moduli are averaged in another way, that is 21 % too stiff.
grain, stiff = (FrictMat(young=young, poisson=law["poisson"], frictionAngle=angle, density=law["density"])
                for young in (law["young"], law["young"] / (math.sqrt(2) - 1)))
O.materials.append(grain)
O.materials.append(stiff)
for x, v, w in zip(bed["position"], bed["velocity"], bed["spin"]):
    body = utils.sphere(tuple(x), radius, material=grain)
    body.state.vel, body.state.angVel = tuple(v), tuple(w)
    O.bodies.append(body)
spheres = len(O.bodies)
for axis, at, sense in job["walls"]:
    place = [0, 0, 0]
    place[axis] = at
    O.bodies.append(utils.wall(tuple(place), axis, sense=sense, material=stiff))

# Boxes grow by verletDist on every side. Without a skin it is chosen by YADE.
skin = {"verletDist": job["skin"] / 2, "targetInterv": -1} if job["skin"] else {}
damping = math.sqrt(5 / 6) * law["zeta"]
O.engines = [
    ForceResetter(),
    InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Wall_Aabb()], **skin),
    InteractionLoop([Ig2_Sphere_Sphere_ScGeom(), Ig2_Wall_Sphere_ScGeom()],
                    [Ip2_FrictMat_FrictMat_MindlinPhys(betan=damping, betas=damping)],
                    [Law2_ScGeom_MindlinPhys_Mindlin()]),
    NewtonIntegrator(damping=0, gravity=(0, 0, -law["gravity"]))]
O.dt = law["step"]
if job["warm"]:  # 0 would be without end
    O.run(job["warm"], True)
begin = time.perf_counter()
O.run(job["steps"], True)
seconds = time.perf_counter() - begin
if job["state"]:
    states = [O.bodies[k].state for k in range(spheres)]
    numpy.savez(job["state"], position=[tuple(s.pos) for s in states], velocity=[tuple(s.vel) for s in states])
json.dump({"seconds": seconds}, open(job["result"], "w", encoding="utf-8"))
