// For tests only: a scenario that uses the whole language, and the message of an error.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "hardpan/core/error.h"

namespace hardpan::scenario::testing {

inline const std::string complete_scenario = R"(hardpan: 1
title: Everything at once
seed: 7
gravity: [0, 0, -9.81]
time: {end: 2.0, step: 1.0e-3}
solver: {compliance: 1.0e-9, refinement: 2}
bodies:
  rod:
    mass: 1.2
    shape: {kind: cylinder, radius: 0.01, length: 1.0}
    position: [0.5, 0, 0]
    orientation: {pitch_deg: 90}
  bob:
    density: 7850
    shape: {kind: sphere, radius: 0.05}
    position: [1, 0, 0]
    orientation: {axis: [0, 1, 0], angle_rad: 0.5}
  crate:
    mass: 20
    shape: {kind: box, size: [1, 2, 3]}
    fixed: true
  flywheel:
    mass: 2
    inertia: [0.1, 0.1, 0.15, 0.01, 0, 0]
    position: [0, 2, 0]
    orientation: {quaternion: [1, 0, 0, 1]}
    velocity: [0, 0, 1]
    angular_velocity: [0, 0, 10]
joints:
  pivot: {kind: hinge, between: [world, rod], at: [0, 0, 0], axis: [0, 1, 0], stiffness: 0.5, damping: 0.01, rest_deg: 10}
  socket: {kind: ball, between: [rod, bob], at: [1, 0, 0], compliance: 1.0e-9, damping_time: 0.01}
  rope: {kind: distance, between: [world, flywheel], points: [[0, 2, 1], [0, 2, 0]], length: 1}
  strut:
    kind: spring
    between: [bob, flywheel]
    points: [[1, 0, 0], [0, 2, 0]]
    stiffness: 100
    length: 0
loads:
  push: {kind: force, body: bob, force: [1, 0, 0], from: 0.1, until: 0.2}
  spin: {kind: torque, body: flywheel, torque: [0, 0, 0.1]}
outputs:
  - {field: position, of: bob, every: 0.01}
  - {field: length, of: strut}
  - {field: energy}
  - {field: momentum}
  - {field: momentum, of: bob}
  - {field: frames, every: 0.04}
  - {field: checkpoint, every: 1.0}
expect:
  - {name: drift, field: energy.lost, reduce: max_abs, between: [0, 1.0e-3], source: energy is conserved}
  - {field: position.x, of: bob, at: 1.0, equals: 0.1, tolerance: 0.01, source: by hand}
  - {field: kinetic_energy, of: bob, reduce: mean, between: [0, 1], halvings: 2, order: 1.8, source: by hand}
)";

// The message of the InputError the action throws, or a failure.
template <class Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no InputError";
  return {};
}

}  // namespace hardpan::scenario::testing
