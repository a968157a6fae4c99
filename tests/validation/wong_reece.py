"""A rigid wheel on soft soil: Wong & Reece, "Prediction of rigid wheel performance based on the analysis of soil-wheel
stresses, part I", J. Terramech. 4 (1967) 81-98. Standard library only.

Angles from the vertical, forwards; the soil is touched from theta_1 down to theta_2, the stress is largest at theta_m:

    theta_m = (c1 + c2 slip) theta_1
    sigma   = k (r/b)^n (cos theta - cos theta_1)^n                         in front of theta_m
    sigma   = the same at theta_1 - (theta - theta_2)(theta_1 - theta_m)/(theta_m - theta_2)      behind it
    tau     = (c + sigma tan phi)(1 - exp(-j/K)),   j = r (theta_1 - theta - (1 - slip)(sin theta_1 - sin theta))

    load         = r b integral (sigma cos theta + tau sin theta)
    drawbar pull = r b integral (tau cos theta - sigma sin theta),   torque = r^2 b integral tau
    sinkage      = r (1 - cos theta_1)
"""
import math

C1, C2 = 0.43, 0.32
# As the first author of DEM-C had them for this wheel (github.com/melanz/wheel-soil). k belongs to sigma = k (z/b)^n.
SOILS = {
    "A": {"phi": 33.083, "c": 714.971, "K": 5.571e-4, "k": 1.41e5, "n": 0.89, "theta_2": -5},
    "B": {"phi": 34.74, "c": 139.28, "K": 5.15e-4, "k": 2.54e5, "n": 1.387, "theta_2": 0},
    "C": {"phi": 19.735, "c": 298.123, "K": 6.8509e-4, "k": 1.41e5, "n": 0.89, "theta_2": 0},
}


def stresses(soil, radius, width, slip, theta_1, theta):
    theta_2, theta_m = math.radians(soil["theta_2"]), (C1 + C2 * slip) * theta_1
    at = theta if theta >= theta_m else theta_1 - (theta - theta_2) * (theta_1 - theta_m) / (theta_m - theta_2)
    sigma = soil["k"] * (radius / width * max(0.0, math.cos(at) - math.cos(theta_1))) ** soil["n"]
    way = radius * (theta_1 - theta - (1 - slip) * (math.sin(theta_1) - math.sin(theta)))
    sign = math.copysign(1.0, way)
    tau = sign * (soil["c"] + sigma * math.tan(math.radians(soil["phi"]))) * (1 - math.exp(-abs(way) / soil["K"]))
    return sigma, tau


def forces(soil, radius, width, slip, theta_1, parts=400):
    """Load, drawbar pull, torque: the midpoint rule on both sides of the largest stress."""
    load = pull = torque = 0.0
    theta_2, theta_m = math.radians(soil["theta_2"]), (C1 + C2 * slip) * theta_1
    for low, high in ((theta_2, theta_m), (theta_m, theta_1)):
        for k in range(parts):
            theta, d = low + (k + 0.5) * (high - low) / parts, (high - low) / parts
            sigma, tau = stresses(soil, radius, width, slip, theta_1, theta)
            load += radius * width * (sigma * math.cos(theta) + tau * math.sin(theta)) * d
            pull += radius * width * (tau * math.cos(theta) - sigma * math.sin(theta)) * d
            torque += radius ** 2 * width * tau * d
    return load, pull, torque


def wheel(soil, radius, width, load, slip):
    """Where the soil carries that load: drawbar pull, torque, sinkage."""
    low, high = math.radians(0.1), math.radians(85)
    for _ in range(50):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if forces(soil, radius, width, slip, middle)[0] < load else (low, middle)
    _, pull, torque = forces(soil, radius, width, slip, low)
    return {"drawbar_pull": pull, "torque": torque, "sinkage": radius * (1 - math.cos(low))}
