// What the user described: constant during a run.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "hardpan/geometry/shape.h"
#include "hardpan/math/pose.h"
#include "hardpan/multibody/body_id.h"
#include "hardpan/multibody/couplings.h"
#include "hardpan/multibody/joints.h"

namespace hardpan::multibody {

struct Body {
  std::string name;
  double mass = 1;                            // > 0, kg
  Mat3 inertia = Mat3::Identity();            // about the centre of mass in the body frame, kg m^2
  std::vector<geometry::PlacedShape> shapes;  // relative to the centre of mass
  Vec3 origin = Vec3::Zero();    // of the frame that the user described it in, from the centre of mass, m
  bool fixed = false;            // part of the world; mass and inertia do not matter
  Pose pose;                     // at the start
  Vec3 velocity = Vec3::Zero();  // at the start, m/s
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

// Something that only turns about its own axis: one velocity in the same problem.
struct Shaft {
  std::string name;
  double inertia = 1;  // > 0, kg m^2
  double angle = 0;    // at the start, rad
  double speed = 0;    // at the start, rad/s
};

struct Model {
  Vec3 gravity = Vec3(0, 0, -9.81);  // m/s^2
  std::vector<Body> bodies;
  std::size_t grains = 0;  // the last so many of the bodies are grains of soil: no list shows them one by one
  JointPools joints;
  std::vector<Shaft> shafts;
  CouplingPools couplings;
  std::vector<Load> loads;
  // The run is called off when numerical errors have created this many times the energy that went round.
  double max_energy_growth = 1.0;
  // Likewise when a rigid joint has come apart by more than this and its possible stretch, m. Without it: a
  // tenth of the extent of the jointed bodies.
  std::optional<double> max_violation;

  std::span<const Body> machine() const { return std::span(bodies).first(bodies.size() - grains); }
};

template <class Kind, class Tuple>
struct PlaceIn;
template <class Kind, class... Rest>
struct PlaceIn<Kind, std::tuple<std::vector<Kind>, Rest...>> : std::integral_constant<std::size_t, 0> {};
template <class Kind, class First, class... Rest>
struct PlaceIn<Kind, std::tuple<First, Rest...>>
    : std::integral_constant<std::size_t, 1 + PlaceIn<Kind, std::tuple<Rest...>>::value> {};

// Each returns where it went, to be referred to by couplings.
template <JointKind Joint>
CoordinateRef add(Model& model, Joint joint) {
  auto& pool = std::get<std::vector<Joint>>(model.joints);
  pool.push_back(std::move(joint));
  return {PlaceIn<Joint, JointPools>::value, pool.size() - 1, 0};
}
template <CouplingKind Coupling>
void add(Model& model, Coupling coupling) {
  std::get<std::vector<Coupling>>(model.couplings).push_back(std::move(coupling));
}
inline CoordinateRef add(Model& model, Shaft shaft) {
  model.shafts.push_back(std::move(shaft));
  return CoordinateRef::shaft(model.shafts.size() - 1);
}

}  // namespace hardpan::multibody
