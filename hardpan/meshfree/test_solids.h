// Solids for tests: materials, faces, what holds them, and how they are run.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "hardpan/meshfree/solid.h"
#include "hardpan/meshfree/test_clouds.h"

namespace hardpan::meshfree {

inline SolidMaterial elastic(double young, double poisson, double density = 1000) {
  material::SoilParameters given;
  given.young = young;
  given.poisson = poisson;
  given.plastic = false;
  return {material::SoilLaw(given), density};
}

// REFERENCE 5.2, with a tension cap, and with the compression cap from kappa_0 = `cap_start` where it is
// below 0.
inline material::SoilParameters clay(double cap_start = 0) {
  material::SoilParameters given;
  given.young = 91e6;
  given.poisson = 0.3;
  given.friction_angle = given.dilation_angle = 22 * std::numbers::pi / 180;
  given.cohesion = 14e3;
  given.tension_cap = true;
  given.tension = 75e3;
  given.compression_cap = cap_start < 0;
  given.cap_ratio = 2.5;
  given.cap_start = cap_start;
  given.hardening_rate = 1e-6;
  given.max_compaction = 0.1;
  return given;
}

inline SolidMaterial soil(const material::SoilParameters& given, double density = 2000) {
  return {material::SoilLaw(given), density};
}

inline SolidModel solid_of(const Cloud& cloud, const SolidMaterial& material) {
  SolidModel model;
  model.cloud = cloud;
  model.materials = {material};
  model.material.assign(cloud.size(), 0);
  return model;
}

inline std::vector<std::uint32_t> face(const Cloud& cloud, Eigen::Index axis, double at) {
  std::vector<std::uint32_t> found;
  for (std::size_t i = 0; i < cloud.size(); ++i)
    if (std::abs(cloud.position[i][axis] - at) < 1e-9) found.push_back(static_cast<std::uint32_t>(i));
  return found;
}

inline Curve still() { return Curve::constant(0); }
inline Curve points(std::vector<Curve::Point> of) { return Curve(std::move(of), Curve::Beyond::level); }

// A plate without friction.
inline Hold plate(const Cloud& cloud, Eigen::Index axis, double at, const Curve& way = still()) {
  return {face(cloud, axis, at), Vec3::Unit(axis), way};
}

// Plates at the three faces through the origin.
inline std::vector<Hold> corner_of_plates(const Cloud& cloud) {
  return {plate(cloud, 0, 0), plate(cloud, 1, 0), plate(cloud, 2, 0)};
}

inline solve::SolverOptions matrix_free(double tolerance = 1e-9) {
  solve::SolverOptions options;
  options.kind = solve::SolverKind::newton;
  options.matrix_free = true;
  options.tolerance = tolerance;
  return options;
}

inline void run(solve::Stepper& stepper, int steps) {
  for (int k = 0; k < steps; ++k) {
    const solve::StepReport report = stepper.step();
    ASSERT_TRUE(report.ok) << report.reason;
  }
}

// Over the volume.
template <class Value>
auto mean_of(const Solid& solid, const Value& value) {
  auto sum = decltype(value(std::size_t{0}))(0 * value(0));
  double volume = 0;
  for (std::size_t i = 0; i < solid.size(); ++i) {
    sum += solid.model().cloud.volume[i] * value(i);
    volume += solid.model().cloud.volume[i];
  }
  sum /= volume;
  return sum;
}
inline Vec6 mean_stress(const Solid& solid) {
  return mean_of(solid, [&](std::size_t i) { return Vec6(solid.stress(i)); });
}
inline double spread_of_stress(const Solid& solid) {
  const Vec6 mean = mean_stress(solid);
  double most = 0;
  for (std::size_t i = 0; i < solid.size(); ++i) most = std::max(most, (solid.stress(i) - mean).norm());
  return most / mean.norm();
}

}  // namespace hardpan::meshfree
