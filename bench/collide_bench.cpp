// The narrow phase: nanoseconds per pair, over 256 pairs that touch or nearly do.
#include <benchmark/benchmark.h>

#include "hardpan/geometry/test_dice.h"

namespace {

using namespace hardpan;
using namespace hardpan::geometry;

struct PlacedPair {
  Shape a, b;
  Pose pose_a, pose_b;
};

std::vector<PlacedPair> pairs(int kind_a, int kind_b) {
  test::Dice dice(3);
  std::vector<PlacedPair> out;
  while (out.size() < 256) {
    PlacedPair p{
        test::random_shape(kind_a, dice), test::random_shape(kind_b, dice), {dice.vec(1), dice.turn()}, {}};
    p.pose_b = {p.pose_a.x + dice.direction() * dice.in(0.5, 2), dice.turn()};
    std::vector<ContactPoint> points;
    collide(p.a, p.pose_a, p.b, p.pose_b, 0.05, points);
    double least = 1;
    for (const ContactPoint& c : points) least = std::min(least, c.gap);
    if (least > -0.1 && least < 0.05) out.push_back(p);  // as in a pile: shallow
  }
  return out;
}

void collide_pairs(benchmark::State& state) {
  const auto all = pairs(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  std::vector<ContactPoint> points;
  std::size_t found = 0;
  for (auto _ : state) {
    for (const PlacedPair& p : all) {
      points.clear();
      collide(p.a, p.pose_a, p.b, p.pose_b, 0.05, points);
      found += points.size();
    }
  }
  benchmark::DoNotOptimize(found);
  state.SetItemsProcessed(state.iterations() * 256);
  state.SetLabel(std::string(test::name(static_cast<int>(state.range(0)))) + " " +
                 test::name(static_cast<int>(state.range(1))));
}
BENCHMARK(collide_pairs)
    ->Args({test::sphere, test::sphere})
    ->Args({test::box, test::box})
    ->Args({test::box, test::sphere})
    ->Args({test::capsule, test::capsule})
    ->Args({test::cylinder, test::box})
    ->Args({test::hull, test::hull})
    ->Args({test::ellipsoid, test::ellipsoid});

// Boxes stacked face to face.
void collide_stacked_boxes(benchmark::State& state) {
  const Shape box = Box{{1, 1, 1}};
  std::vector<ContactPoint> points;
  const Pose low, high{{0.1, 0.2, 0.999}, Quat(Eigen::AngleAxisd(0.3, Vec3::UnitZ()))};
  for (auto _ : state) {
    points.clear();
    collide(box, low, box, high, 0.01, points);
    benchmark::DoNotOptimize(points.data());
  }
}
BENCHMARK(collide_stacked_boxes);

}  // namespace
