// What the user described: constant during a run.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "hardpan/geometry/shape.h"
#include "hardpan/multibody/joints.h"
#include "hardpan/multibody/pose.h"

namespace hardpan::multibody {

struct Body {
  std::string name;
  double mass = 1;                       // > 0, kg
  Mat3 inertia = Mat3::Identity();       // about the centre of mass in the body frame, kg m^2
  std::optional<geometry::Shape> shape;  // for the eye
  bool fixed = false;                    // part of the world
  Pose pose;                             // at the start
  Vec3 velocity = Vec3::Zero();          // at the start, m/s
  Vec3 angular_velocity = Vec3::Zero();  // at the start, world frame, rad/s
};

// A force in the world frame at a body point, and a torque, while `from` <= t < `until`.
struct Load {
  std::string name;
  BodyId body;
  Vec3 point = Vec3::Zero();                               // body frame, from the centre of mass, m
  Vec3 force = Vec3::Zero();                               // N
  Vec3 torque = Vec3::Zero();                              // N m
  double from = -std::numeric_limits<double>::infinity();  // s
  double until = std::numeric_limits<double>::infinity();  // s
};

struct Model {
  Vec3 gravity = Vec3(0, 0, -9.81);  // m/s^2
  std::vector<Body> bodies;
  JointPools joints;
  std::vector<Load> loads;
  // The run is called off when numerical errors have created this many times the energy that went round.
  double max_energy_growth = 1.0;
  // Likewise when a rigid joint has come apart by more than this and its possible stretch, m. Without it: a
  // tenth of the extent of the jointed bodies.
  std::optional<double> max_violation;
};

}  // namespace hardpan::multibody
