// Grains, and walls around them, for tests.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "hardpan/core/random.h"
#include "hardpan/grains/system.h"

namespace hardpan::grains::test {

struct Plane {
  Vec point, normal, velocity{}, spin{};
};

// What touches a plane, of the grains of a chunk.
inline void find_touches(const System& grains, std::size_t chunk, std::span<const Plane> planes,
                         std::vector<WallTouch>& found) {
  for (std::uint32_t k = 0; k < planes.size(); ++k)
    for (std::uint32_t i = 0; i < grains.size(); ++i) {
      if (grains.chunk_of(i) != chunk) continue;
      const Plane& plane = planes[k];
      const double gap = dot(grains.state()[i].position - plane.point, plane.normal) - grains.radius(i);
      if (gap < 0) found.push_back({.normal = plane.normal, .overlap = -gap, .grain = i, .place = 256 * k});
    }
}

inline std::string hash(const System& grains) {
  Archive archive;
  grains.save(archive);
  return archive.hash();
}

// About the origin, of velocities half a step back: places are taken there, too, `back` before those of now.
inline Vec angular_momentum(const System& grains, double back) {
  Vec sum{};
  for (std::size_t i = 0; i < grains.size(); ++i) {
    if (grains.is_member(i)) continue;
    const Vec v = grains.state()[i].velocity, x = grains.state()[i].position - back * v;
    const double m = grains.mass(i), r = grains.radius(i);
    sum = sum + m * cross(x, v) + (0.4 * m * r * r) * grains.state()[i].spin;
  }
  const ClumpState& c = grains.clumps().state();
  for (std::size_t k = 0; k < grains.clumps().size(); ++k)
    sum = sum + c.angular_momentum[k] +
          grains.clumps().mass(k) * cross(c.position[k] - back * c.velocity[k], c.velocity[k]);
  return sum;
}

inline void step(System& grains, double h, std::span<const Plane> planes, const material::GrainLaw& law) {
  grains.prepare();
  const std::vector<material::GrainLaw> laws(grains.model().materials, law);
  std::vector<Wall> walls;
  for (const Plane& plane : planes) walls.push_back({laws, plane.point, plane.velocity, plane.spin});
  grains.step(h, walls, [&](std::size_t chunk, std::vector<WallTouch>& touches) {
    find_touches(grains, chunk, planes, touches);
  });
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

// Spheres at random, in the order of the cells, with a list of those that are near each other.
struct Cloud {
  Space space;
  State state;
  CellGrid grid;
  PairList list;

  void build(double skin) {
    double largest = 0;
    Columns at;
    for (const Ball& ball : state.balls) {
      at.push_back(ball.position);
      largest = std::max(largest, ball.radius);
    }
    const std::vector<std::uint32_t> order = grid.build(at, 2 * largest + skin, space);
    State sorted = state;
    for (std::size_t k = 0; k < state.size(); ++k) {
      sorted.balls[k] = state[order[k]];
      sorted.id[k] = state.id[order[k]];
    }
    state = std::move(sorted);
    list.build(grid, spheres(skin), space);
  }
  PairList::Spheres spheres(double skin) const {
    PairList::Spheres all;
    for (const Ball& ball : state.balls) {
      all.at.push_back(ball.position);
      all.reach.push_back(ball.radius + 0.5 * skin);
    }
    return all;
  }

  // Identities of all pairs with a gap below this, by trying all.
  std::set<std::pair<std::uint32_t, std::uint32_t>> near(double gap) const {
    std::set<std::pair<std::uint32_t, std::uint32_t>> found;
    for (std::size_t i = 0; i < state.size(); ++i)
      for (std::size_t j = i + 1; j < state.size(); ++j)
        if (norm(space.shortest(state[j].position - state[i].position)) <
            state[i].radius + state[j].radius + gap)
          found.insert(std::minmax(state.id[i], state.id[j]));
    return found;
  }
};

// Of all chunks, such that pairs have this one.
inline std::vector<double> margins(const Contacts& contacts, double of_pairs) {
  return std::vector<double>(contacts.chunks(), 0.5 * of_pairs);
}

inline Cloud random_cloud(std::uint64_t seed, std::size_t count, bool periodic, double smallest = 0.01,
                          double largest = 0.04) {
  Cloud cloud;
  const CounterRandom random(seed);
  std::uint64_t draw = 0;
  const auto between = [&](double a, double b) { return random.uniform(draw++, a, b); };
  const auto any = [&] { return Vec{between(-1, 1), between(-1, 1), between(-1, 1)}; };
  for (std::size_t i = 0; i < count; ++i) {
    Ball ball;
    ball.position = {between(0, 1), between(0, 0.7), between(0, 0.8)};
    ball.radius = between(smallest, largest);
    ball.velocity = any();
    ball.spin = any();
    ball.mass = between(1, 2);
    cloud.state.balls.push_back(ball);
    cloud.state.id.push_back(static_cast<std::uint32_t>(i));
  }
  if (periodic) cloud.space.axes = {Axis{true, 0, 1}, Axis{true, 0, 0.7}, Axis{}};
  return cloud;
}

}  // namespace hardpan::grains::test
