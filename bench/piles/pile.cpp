#include "bench/piles/pile.h"

#include "hardpan/core/random.h"

namespace hardpan::bench {
namespace {

constexpr double size = 0.4;      // of a body, m
constexpr double spacing = 0.5;   // m
constexpr double density = 1000;  // kg/m^3
constexpr double room = 0.4;      // beside them, m
constexpr double wall = 1;        // thickness, m
constexpr double height = 8;      // of the walls, m
constexpr double shaken = 0.04;   // at most, m
constexpr double turned = 0.2;    // at most about each axis, rad

std::vector<geometry::PlacedShape> ground(double pit) {
  const double outside = pit + 2 * wall, middle = 0.5 * (pit + wall);
  const geometry::Box floor{{outside, outside, wall}}, across_x{{wall, outside, height}},
      across_y{{outside, wall, height}};
  return {{floor, {{0, 0, -wall / 2}}},
          {across_x, {{middle, 0, height / 2}}},
          {across_x, {{-middle, 0, height / 2}}},
          {across_y, {{0, middle, height / 2}}},
          {across_y, {{0, -middle, height / 2}}}};
}

Pile pile(std::string name, const geometry::Shape& shape, int edge) {
  Pile pile{
      std::move(name), shape, density * geometry::solid(shape).volume, {}, ground(edge * spacing + room)};
  const CounterRandom random(1);
  std::uint64_t counter = 0;
  const auto shake = [&](double most) {
    const double x = random.uniform(counter++, -most, most), y = random.uniform(counter++, -most, most);
    return Vec3(x, y, random.uniform(counter++, -most, most));
  };
  for (int k = 0; k < edge; ++k)
    for (int j = 0; j < edge; ++j)
      for (int i = 0; i < edge; ++i) {
        const Vec3 at = spacing * Vec3(i - 0.5 * (edge - 1), j - 0.5 * (edge - 1), k + 0.6) + shake(shaken);
        const Vec3 turn = shake(turned);
        pile.start.push_back({at, Quat(Eigen::AngleAxisd(turn.norm(), turn.normalized()))});
      }
  return pile;
}

}  // namespace

Pile box_pile(int edge) { return pile("boxes", geometry::Box{Vec3::Constant(size)}, edge); }
Pile sphere_pile(int edge) { return pile("spheres", geometry::Sphere{size / 2}, edge); }

}  // namespace hardpan::bench
