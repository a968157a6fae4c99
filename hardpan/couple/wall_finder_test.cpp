#include "hardpan/couple/wall_finder.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "hardpan/core/random.h"

namespace hardpan::couple {
namespace {

using grains::WallTouch;

grains::System cloud(double speed) {
  grains::Model model;
  model.gravity = {};
  model.laws = {material::hertz_law({1e6, 0.3}, {1e6, 0.3}, 0.5, 0.5)};
  const CounterRandom random(5);
  std::uint64_t draw = 0;
  for (int k = 0; k < 800; ++k) {
    const auto any = [&](double most) { return random.uniform(draw++, -most, most); };
    model.grains.push_back({.position = {any(0.5), any(0.5), any(0.5)},
                            .velocity = {any(speed), any(speed), any(speed)},
                            .radius = 0.02 + any(0.01),
                            .density = 1000});
  }
  return grains::System(model);
}

// All spheres against the shape, by the general way.
std::vector<WallTouch> by_all(const grains::System& grains, const geometry::Shape& shape, const Pose& pose) {
  std::vector<WallTouch> found;
  for (std::uint32_t i = 0; i < grains.size(); ++i) {
    const grains::Ball& ball = grains.state()[i];
    std::vector<geometry::ContactPoint> points;
    const Vec3 centre(ball.position.x, ball.position.y, ball.position.z);
    geometry::collide(shape, pose, geometry::Sphere{ball.radius}, {centre, Quat::Identity()}, 0, points);
    for (const geometry::ContactPoint& point : points) {
      if (!(point.gap < 0)) continue;
      WallTouch touch;
      touch.grain = i;
      touch.normal = {point.normal.x(), point.normal.y(), point.normal.z()};
      touch.overlap = -point.gap;
      found.push_back(touch);
    }
  }
  return found;
}

void expect_same(std::vector<WallTouch> found, std::vector<WallTouch> right) {
  const auto order = [](const WallTouch& a, const WallTouch& b) {
    return a.grain != b.grain ? a.grain < b.grain : a.overlap < b.overlap;
  };
  std::ranges::sort(found, order);
  std::ranges::sort(right, order);
  ASSERT_EQ(found.size(), right.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    EXPECT_EQ(found[k].grain, right[k].grain);
    EXPECT_NEAR(found[k].overlap, right[k].overlap, 1e-12);
    EXPECT_LT(norm(found[k].normal - right[k].normal), 1e-9);
    EXPECT_EQ(found[k].wall(), 7u);
  }
}

// Chunk by chunk.
std::vector<WallTouch> found_by(WallFinder& finder, const grains::System& grains,
                                const geometry::Shape& shape, const Pose& pose) {
  std::vector<WallTouch> found;
  finder.prepare(grains, shape, pose);
  for (std::size_t c = 0; c < grains.chunks(); ++c) {
    const std::size_t first = found.size();
    finder.find(grains, c, 7, shape, pose, found);
    for (std::size_t k = first; k < found.size(); ++k) EXPECT_EQ(grains.chunk_of(found[k].grain), c);
  }
  return found;
}

// While grains fly and the surface wanders and turns, slowly or fast: the list of those near it is made anew
// in time.
TEST(WallFinder, FindsWhatAllFind) {
  const geometry::Shape shapes[] = {geometry::Box{Vec3(0.6, 0.4, 0.3)}, geometry::Plane{},
                                    geometry::Cylinder{0.2, 0.5}, geometry::Sphere{0.3}};
  for (const geometry::Shape& shape : shapes)
    for (const double pace : {0.0, 1e-4, 3e-3}) {
      grains::System grains = cloud(0.5);
      WallFinder finder(shape);
      Pose pose{Vec3(0.05, -0.1, 0.02), Quat(0.9, 0.1, -0.2, 0.3).normalized()};
      std::size_t touches = 0;
      for (int step = 0; step < 60; ++step) {
        grains.prepare();
        const std::vector<WallTouch> found = found_by(finder, grains, shape, pose);
        expect_same(found, by_all(grains, shape, pose));
        touches += found.size();
        grains.step(2e-4);
        pose.x += pace * Vec3(1, 0.5, -1);
        pose.q = (Quat(1, pace, -pace, pace) * pose.q).normalized();
      }
      EXPECT_GT(touches, 1000u);
    }
}

// The same when grains are put back to where they were.
TEST(WallFinder, KnowsThatGrainsWerePutBack) {
  const geometry::Shape shape = geometry::Box{Vec3(0.6, 0.4, 0.3)};
  grains::System grains = cloud(2);
  WallFinder finder(shape);
  Archive kept;
  grains.save(kept);
  for (int step = 0; step < 50; ++step) {
    grains.prepare();
    found_by(finder, grains, shape, {});
    grains.step(2e-4);
  }
  grains.restore(kept);
  expect_same(found_by(finder, grains, shape, {}), by_all(grains, shape, {}));
}

}  // namespace
}  // namespace hardpan::couple
