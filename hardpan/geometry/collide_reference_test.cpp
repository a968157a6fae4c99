// Distance, depth, normal and points of every pair of convex kinds against the judge of test_reference.h.
// HARDPAN_PAIRS: random pairs per pair of kinds; says what it found.
#include <cstdio>
#include <cstdlib>

#include <gtest/gtest.h>

#include "hardpan/geometry/test_reference.h"

namespace hardpan::geometry {
namespace {

using test::Dice;
using test::Placed;

// The largest of each error, relative to a size of about 1 m.
struct Errors {
  double separation = 0;  // g - D(n)
  double outside = 0;     // of a from A, of b from B
  double points = 0;      // |b - a - g n|, and how far smooth shapes are from their point of normal n
  double missed = 0;      // D(best n found) - g
  int touching = 0, overlapping = 0;
  int lost = 0;  // no contact, but no separating direction either

  void judge(const Placed& a, const Placed& b, double margin, Dice& dice) {
    std::vector<ContactPoint> out;
    collide(a.shape, a.pose, b.shape, b.pose, margin, out);
    if (out.empty()) {
      // Only a direction that separates proves that there is nothing; look harder before giving up.
      if (test::search_separation(a, b, dice) < margin - 1e-4 &&
          test::search_separation(a, b, dice, 3000, 30) < margin - 1e-4)
        ++lost;
      return;
    }
    ++touching;
    const ContactPoint& p =
        *std::min_element(out.begin(), out.end(), [](const auto& x, const auto& y) { return x.gap < y.gap; });
    if (p.gap < 0) ++overlapping;
    separation = std::max(separation, std::abs(p.gap - test::separation_along(a, b, p.normal)));
    outside =
        std::max({outside, test::outside(a.shape, a.pose, p.on_a), test::outside(b.shape, b.pose, p.on_b)});
    points =
        std::max({points, (p.on_b - p.on_a - p.gap * p.normal).norm(),
                  test::off_smooth_point(a, p.normal, p.on_a), test::off_smooth_point(b, -p.normal, p.on_b)});
    if (p.gap < 0) missed = std::max(missed, test::search_separation(a, b, dice) - p.gap);
  }
};

class CollideReference : public ::testing::TestWithParam<int> {};

TEST_P(CollideReference, ClosestPointsAreProven) {
  const int kind_a = GetParam() / test::kinds, kind_b = GetParam() % test::kinds;
  Dice dice(7, static_cast<std::uint64_t>(GetParam()));
  Errors errors;
  for (int k = 0; k < test::pairs(); ++k) {
    const Placed a{test::random_shape(kind_a, dice), {dice.vec(1), dice.turn()}};
    const Placed b{test::random_shape(kind_b, dice),
                   {a.pose.x + dice.direction() * dice.in(0, 2.2), dice.turn()}};
    errors.judge(a, b, 0.5, dice);
  }
  if (test::shows_figures())
    std::printf(
        "%-9s %-9s touching %d overlapping %d: separation %.1e outside %.1e points %.1e missed %.1e m\n",
        test::name(kind_a), test::name(kind_b), errors.touching, errors.overlapping, errors.separation,
        errors.outside, errors.points, errors.missed);
  EXPECT_LT(errors.separation, 1e-8);
  EXPECT_LT(errors.outside, 1e-8);
  EXPECT_LT(errors.points, 1e-8);
  EXPECT_LT(errors.missed,
            kind_a == test::box && kind_b == test::box ? 2e-6 : 1e-8);  // the preference of box_box.h
  EXPECT_EQ(errors.lost, 0);
  EXPECT_GT(errors.overlapping, test::pairs() / 20);
}

std::vector<int> all_kinds() {
  std::vector<int> out;
  for (int a = 0; a < test::kinds; ++a)
    for (int b = a; b < test::kinds; ++b) out.push_back(a * test::kinds + b);
  return out;
}

INSTANTIATE_TEST_SUITE_P(Pairs, CollideReference, ::testing::ValuesIn(all_kinds()), [](const auto& instance) {
  return std::string(test::name(instance.param / test::kinds)) + "_" +
         test::name(instance.param % test::kinds);
});

}  // namespace
}  // namespace hardpan::geometry
