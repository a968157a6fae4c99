// Grains, and walls around them, for tests.
#pragma once

#include <algorithm>

#include "hardpan/core/random.h"
#include "hardpan/grains/system.h"

namespace hardpan::grains::test {

struct Plane {
  Vec point, normal, velocity{}, spin{};
};

// What touches a plane, in the order of the grains.
inline std::vector<WallTouch> touches(const System& grains, std::span<const Plane> planes,
                                      const material::GrainLaw& law) {
  std::vector<WallTouch> found;
  for (std::size_t i = 0; i < grains.size(); ++i)
    for (std::size_t k = 0; k < planes.size(); ++k) {
      const Plane& plane = planes[k];
      const double gap = dot(grains.state().position[i] - plane.point, plane.normal) - grains.radius(i);
      if (gap < 0)
        found.push_back({static_cast<std::uint32_t>(i), k, plane.normal, -gap, plane.velocity,
                         grains.radius(i), grains.mass(i), &law, plane.spin});
    }
  return found;
}

// About the origin, of velocities half a step back: places are taken there, too, `back` before those of now.
inline Vec angular_momentum(const System& grains, double back) {
  Vec sum{};
  for (std::size_t i = 0; i < grains.size(); ++i) {
    if (grains.is_member(i)) continue;
    const Vec v = grains.state().velocity[i], x = grains.state().position[i] - back * v;
    const double m = grains.mass(i), r = grains.radius(i);
    sum = sum + m * cross(x, v) + (0.4 * m * r * r) * grains.state().spin[i];
  }
  const ClumpState& c = grains.clumps().state();
  for (std::size_t k = 0; k < grains.clumps().size(); ++k)
    sum = sum + c.angular_momentum[k] +
          grains.clumps().mass(k) * cross(c.position[k] - back * c.velocity[k], c.velocity[k]);
  return sum;
}

inline void step(System& grains, double h, std::span<const Plane> planes, const material::GrainLaw& law) {
  grains.prepare();
  auto walls = touches(grains, planes, law);
  grains.step(h, walls);
}

inline std::vector<Plane> box_of(double width, double depth) {
  return {{{0, 0, 0}, {0, 0, 1}},
          {{0, 0, 0}, {1, 0, 0}},
          {{width, 0, 0}, {-1, 0, 0}},
          {{0, 0, 0}, {0, 1, 0}},
          {{0, depth, 0}, {0, -1, 0}}};
}

inline material::GrainLaw soft_law(material::TangentialForce tangential, double restitution = 0.5,
                                   double friction = 0.5, double modulus = 1e6) {
  material::GrainLaw law = material::hertz_law({modulus, 0.3}, {modulus, 0.3}, restitution, friction);
  law.tangential = tangential;
  return law;
}

// A loose lattice of n x n x m grains, shaken, of sizes around the radius.
inline Model loose(int n, int m, double radius, double spread, const material::GrainLaw& law,
                   std::uint64_t seed = 1) {
  Model model;
  model.laws = {law};
  const CounterRandom random(seed);
  std::uint64_t counter = 0;
  const double spacing = 2.2 * radius * (1 + spread);
  const auto shake = [&](double most) { return random.uniform(counter++, -most, most); };
  for (int k = 0; k < m; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        Grain grain;
        grain.position = {(i + 0.5) * spacing + shake(0.09 * radius),
                          (j + 0.5) * spacing + shake(0.09 * radius),
                          (k + 0.5) * spacing + shake(0.09 * radius)};
        grain.velocity = {shake(0.1), shake(0.1), shake(0.1)};
        grain.spin = {shake(1), shake(1), shake(1)};
        grain.radius = radius * (1 + shake(spread));
        grain.density = 2500;
        model.grains.push_back(grain);
      }
  return model;
}
inline double width_of(int n, double radius, double spread) { return n * 2.2 * radius * (1 + spread); }

}  // namespace hardpan::grains::test
