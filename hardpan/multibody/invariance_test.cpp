// Nature has no axes, no origin and no numbering: neither may the motion.
#include <algorithm>

#include <gtest/gtest.h>

#include "hardpan/multibody/test_models.h"

namespace hardpan::multibody {
namespace {

using namespace test;

// The same mechanism, picked up, turned and set down elsewhere. World ends of joints move along.
Model transplanted(Model model, const Pose& T) {
  model.gravity = T.turned(model.gravity);
  for (Body& body : model.bodies) {
    body.pose = {T.point(body.pose.x), (T.q * body.pose.q).normalized()};
    body.velocity = T.turned(body.velocity);
    body.angular_velocity = T.turned(body.angular_velocity);
  }
  for (Load& load : model.loads) {
    load.force = T.turned(load.force);
    load.torque = T.turned(load.torque);
  }
  const auto move_pool = [&](auto& pool) {
    for (auto& joint : pool) {
      if (!joint.ends.a.valid()) joint.s_A = T.point(joint.s_A);
      if (!joint.ends.b.valid()) joint.s_B = T.point(joint.s_B);
      if constexpr (requires { joint.frame_A; })
        if (!joint.ends.a.valid()) joint.frame_A = T.q * joint.frame_A;
      if constexpr (requires { joint.frame_B; })
        if (!joint.ends.b.valid()) joint.frame_B = T.q * joint.frame_B;
      if constexpr (requires { joint.curve; })
        if (!joint.ends.a.valid()) joint.curve = joint.curve.turned(T.q, T.x);
      if constexpr (requires { joint.axis_A; }) {
        if (!joint.ends.a.valid())
          for (Vec3* v : {&joint.axis_A, &joint.u_A, &joint.u2_A}) *v = T.turned(*v);
        if (!joint.ends.b.valid())
          for (Vec3* v : {&joint.axis_B, &joint.w_B}) *v = T.turned(*v);
      }
    }
  };
  std::apply([&](auto&... pools) { (move_pool(pools), ...); }, model.joints);
  return model;
}

// The same mechanism with bodies, joints and loads listed backwards.
Model renumbered(Model model) {
  const std::size_t n = model.bodies.size();
  const auto other = [&](BodyId id) { return id.valid() ? BodyId(n - 1 - id.index()) : id; };
  std::reverse(model.bodies.begin(), model.bodies.end());
  for (Load& load : model.loads) load.body = other(load.body);
  std::reverse(model.loads.begin(), model.loads.end());
  const auto turn_pool = [&](auto& pool) {
    std::reverse(pool.begin(), pool.end());
    for (auto& joint : pool) {
      joint.ends.a = other(joint.ends.a);
      joint.ends.b = other(joint.ends.b);
    }
  };
  std::apply([&](auto&... pools) { (turn_pool(pools), ...); }, model.joints);
  std::vector<std::size_t> sizes;
  std::apply([&](const auto&... pools) { (sizes.push_back(pools.size()), ...); }, model.joints);
  sizes.push_back(model.shafts.size());
  std::reverse(model.shafts.begin(), model.shafts.end());
  const auto turn_couplings = [&](auto& pool) {
    std::reverse(pool.begin(), pool.end());
    for (auto& coupling : pool)
      for (Axis& axis : coupling.axes)
        for (auto& [coordinate, factor] : axis.terms)
          coordinate.index = sizes[std::min(coordinate.pool, sizes.size() - 1)] - 1 - coordinate.index;
  };
  std::apply([&](auto&... pools) { (turn_couplings(pools), ...); }, model.couplings);
  return model;
}

double difference(const Quat& a, const Quat& b) {
  return std::min((a.coeffs() - b.coeffs()).norm(), (a.coeffs() + b.coeffs()).norm());
}

class Invariance : public ::testing::TestWithParam<int> {
 protected:
  static constexpr double h = 1e-3;
  static constexpr int steps = 200;
  Model model = random_mechanism(static_cast<std::uint64_t>(100 + GetParam()), 7, h);

  void expect_moved_along(const Pose& T) {
    Sim here(model, h), there(transplanted(model, T), h);
    ASSERT_GO(here, steps);
    ASSERT_GO(there, steps);
    for (std::size_t i = 0; i < model.bodies.size(); ++i) {
      EXPECT_LT((T.point(here.pose(i).x) - there.pose(i).x).norm(), 1e-9);
      EXPECT_LT(difference(T.q * here.pose(i).q, there.pose(i).q), 1e-9);
      EXPECT_LT((T.turned(here.velocity(i)) - there.velocity(i)).norm(), 1e-7);
    }
    EXPECT_NEAR(here.books().total() - here.books().gravity.stored,
                there.books().total() - there.books().gravity.stored, 1e-7);
    EXPECT_NEAR(here.books().lost(), there.books().lost(), 1e-7);
  }
};
INSTANTIATE_TEST_SUITE_P(Mechanisms, Invariance, ::testing::Range(0, 8));

TEST_P(Invariance, RotatedWorldMovesAlong) {
  Random random(static_cast<std::uint64_t>(GetParam()));
  expect_moved_along({Vec3::Zero(), random.rotation()});
}

TEST_P(Invariance, TranslatedWorldMovesAlong) {
  Random random(static_cast<std::uint64_t>(GetParam()));
  expect_moved_along({random.vector(10), Quat::Identity()});
}

TEST_P(Invariance, OrderOfBodiesAndJointsDoesNotMatter) {
  Sim one(model, h), other(renumbered(model), h);
  ASSERT_GO(one, steps);
  ASSERT_GO(other, steps);
  const std::size_t n = model.bodies.size();
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_LT((one.pose(i).x - other.pose(n - 1 - i).x).norm(), 1e-9);
    EXPECT_LT(difference(one.pose(i).q, other.pose(n - 1 - i).q), 1e-9);
  }
}

// Kinds whose ends play the same part. The others are left as they are: curves, planes and the axes of a
// bushing belong to A, a blade to B, a universal joint counts its angles from A, and what slides gives way at
// B's point, which matters by compliance times force times the way it has slid.
template <class Joint>
constexpr bool same_from_both_ends = std::is_same_v<Joint, FixedJoint> || !requires(const Joint& joint) {
  joint.frame_A;
};
template <>
constexpr bool same_from_both_ends<PointOnCurveJoint> = false;

Model with_swapped_ends(Model model) {
  const auto swap_pool = []<class Joint>(std::vector<Joint>& pool) {
    if constexpr (!same_from_both_ends<Joint>) return;
    for (Joint& joint : pool) {
      std::swap(joint.ends.a, joint.ends.b);
      std::swap(joint.s_A, joint.s_B);
      if constexpr (requires { joint.frame_B; }) {
        // With the axis turned round (about x), displacement and turn are the same from B's side.
        const Quat round(0, 1, 0, 0);
        std::swap(joint.frame_A, joint.frame_B);
        joint.frame_A = joint.frame_A * round;
        joint.frame_B = joint.frame_B * round;
      }
      if constexpr (requires { joint.axis_A; }) {
        // From B's side, about the opposite axis, the turn is the same; (u, u2, axis) stays right-handed.
        std::swap(joint.axis_A, joint.axis_B);
        joint.axis_A = -joint.axis_A;
        joint.axis_B = -joint.axis_B;
        std::swap(joint.u_A, joint.w_B);
        joint.u2_A = joint.axis_A.cross(joint.u_A);
      }
    }
  };
  std::apply([&](auto&... pools) { (swap_pool(pools), ...); }, model.joints);
  return model;
}

// Which end is called A is a matter of taste, up to the violation: directions are carried by A and the force
// acts at B's point. What differs is small and vanishes with the step.
TEST_P(Invariance, EndsOfAJointCanBeSwapped) {
  const auto gap = [&](double step, int count) {
    Sim one(model, step), other(with_swapped_ends(model), step);
    EXPECT_TRUE(one.go(count).ok && other.go(count).ok);
    double largest = 0;
    for (std::size_t i = 0; i < model.bodies.size(); ++i)
      largest = std::max(
          {largest, (one.pose(i).x - other.pose(i).x).norm(), difference(one.pose(i).q, other.pose(i).q)});
    return largest;
  };
  const double coarse = gap(h, steps), fine = gap(h / 4, 4 * steps);
  EXPECT_LT(coarse, 1e-4);
  EXPECT_LT(fine, std::max(0.3 * coarse, 1e-9));
}

}  // namespace
}  // namespace hardpan::multibody
