// Cost of finding all pairs of overlapping boxes, for the scenes of hardpan/geometry/README.md.
#include <cmath>
#include <limits>

#include <benchmark/benchmark.h>

#include "hardpan/core/random.h"
#include "hardpan/geometry/broad_phase.h"

namespace {

using namespace hardpan;
using geometry::Aabb;

struct Scene {
  std::vector<Aabb> boxes;
  CounterRandom random{7};
  std::uint64_t drawn = 0;

  double draw(double low, double high) { return random.uniform(drawn++, low, high); }
  Vec3 vector(double low, double high) {
    const double x = draw(low, high), y = draw(low, high);
    return {x, y, draw(low, high)};
  }
  void add(const Vec3& centre, const Vec3& half) { boxes.push_back({centre - half, centre + half}); }
  void add_plane(double height) {
    const double inf = std::numeric_limits<double>::infinity();
    boxes.push_back({Vec3::Constant(-inf), Vec3(inf, inf, height)});
  }
};

// About `n` bodies of diameter 1 in a cube, on a plane.
Scene pile(int n, double size_low, double size_high) {
  Scene scene;
  const int side = static_cast<int>(std::lround(std::cbrt(n)));
  for (int i = 0; i < n; ++i)
    scene.add(Vec3(i % side, i / side % side, i / (side * side)) * 0.95 + scene.vector(-0.05, 0.05),
              scene.vector(0.5 * size_low, 0.5 * size_high));
  scene.add_plane(-0.2);
  return scene;
}

// Radii between 1/20 and 1, most of them small, filling 0.9 of the volume with their boxes.
Scene mixed_sizes(int n) {
  Scene scene;
  std::vector<double> radii;
  double volume = 0;
  for (int i = 0; i < n; ++i) {
    radii.push_back(1 / (1 + 19 * scene.draw(0, 1)));
    volume += 8 / 0.9 * std::pow(radii.back(), 3);
  }
  const double side = std::cbrt(volume);
  for (const double r : radii) scene.add(scene.vector(0, side), Vec3::Constant(r));
  scene.add_plane(0.2);
  return scene;
}

Scene vehicle() {
  Scene scene;
  for (int i = 0; i < 50; ++i)
    scene.add(scene.vector(-1, 1).cwiseProduct(Vec3(3, 1, 1)), Vec3::Constant(scene.draw(0.05, 0.6)));
  scene.add({0, 0, -6}, {1000, 1000, 5});
  return scene;
}

Scene line(int n) {
  Scene scene;
  for (int i = 0; i < n; ++i) scene.add(Vec3(0.9 * i, 0, 0) + scene.vector(-0.1, 0.1), Vec3::Constant(0.5));
  return scene;
}

void Pairs(benchmark::State& state, const Scene& scene) {
  geometry::BroadPhase broad;
  std::size_t pairs = 0;
  for (auto _ : state) pairs = broad.pairs(scene.boxes).size();
  state.counters["pairs"] = static_cast<double>(pairs);
}
#define PAIRS(name, scene) BENCHMARK_CAPTURE(Pairs, name, scene)->Unit(benchmark::kMicrosecond)
PAIRS(boxes_1000, pile(1000, 0.8, 1.2));
PAIRS(spheres_1000, pile(1000, 1.02, 1.02));
PAIRS(spheres_10000, pile(10000, 1.02, 1.02));
PAIRS(mixed_sizes_10000, mixed_sizes(10000));
PAIRS(vehicle_50, vehicle());
PAIRS(line_10000, line(10000));

}  // namespace
