#include "hardpan/multibody/joints.h"

#include <array>

#include <gtest/gtest.h>

#include "hardpan/multibody/test_models.h"

namespace hardpan::multibody {
namespace {

using test::moved;
using test::Random;

const Rigidity some{1e-6, 0.01};

BallJoint random_joint(Random& r, BallJoint*) { return {{"j", {}, {}}, r.vector(1), r.vector(1), some}; }
DistanceJoint random_joint(Random& r, DistanceJoint*) {
  return {{"j", {}, {}}, r.vector(1), r.vector(1), r.uniform(0.1, 2), some};
}
LineJoint random_joint(Random& r, LineJoint*) { return {{"j", {}, {}}, r.vector(1), r.vector(1)}; }
HingeJoint random_joint(Random& r, HingeJoint*) {
  HingeJoint j;
  j.s_A = r.vector(1);
  j.s_B = r.vector(1);
  j.axis_A = r.direction();
  j.axis_B = r.direction();
  tangents(j.axis_A, j.u_A, j.u2_A);
  Vec3 t1, t2;
  tangents(j.axis_B, t1, t2);
  const double turn = r.uniform(-3, 3);
  j.w_B = std::cos(turn) * t1 + std::sin(turn) * t2;
  j.rigidity = j.tilt = some;
  return j;
}

// The pose of B at which the joint's geometric rows hold.
template <class Joint>
Pose assembled(const Joint& joint, const Pose& A, Pose B, Random& random) {
  if constexpr (requires { joint.axis_A; }) {
    const Vec3 axis = A.turned(joint.axis_A);
    B.q = (Quat::FromTwoVectors(B.turned(joint.axis_B), axis) * B.q).normalized();
  }
  double reach = 0;
  if constexpr (requires { joint.length; }) reach = joint.length;
  if constexpr (std::is_same_v<Joint, LineJoint>) reach = random.uniform(0.1, 2);
  const Vec3 gap = A.point(joint.s_A) - B.point(joint.s_B);
  B.x += gap;
  if (reach > 0) B.x += reach * random.direction();
  return B;
}

using Relations = std::vector<Relation>;

// The rows at the given poses, followed by the coordinates; the joint's memory starts from what it remembers
// at the poses `from`.
template <class Joint>
Relations relations_at(const Joint& joint, const Pose& A, const Pose& B, const Pose& from_A,
                       const Pose& from_B) {
  std::array<double, 8> memory{};
  const auto part = std::span<double>(memory).first(Joint::memory_size);
  joint.remember(from_A, from_B, part);
  joint.remember(A, B, part);
  std::vector<Row> rows(joint.rows());
  joint.evaluate(A, B, part, rows);
  Relations relations(rows.begin(), rows.end());
  relations.resize(joint.rows() + Joint::coordinates.size());
  joint.measure(A, B, part, std::span(relations).last(Joint::coordinates.size()));
  return relations;
}
template <class Joint>
Relations relations_at(const Joint& joint, const Pose& A, const Pose& B) {
  return relations_at(joint, A, B, A, B);
}

// The largest difference between each row's Jacobian and central differences of its value.
template <class Joint>
std::vector<double> jacobian_errors(const Joint& joint, const Pose& A, const Pose& B) {
  constexpr double h = 1e-5;
  const Relations rows = relations_at(joint, A, B);
  std::vector<double> errors(rows.size(), 0.0);
  for (int k = 0; k < 12; ++k) {
    Vec6 step = Vec6::Zero();
    step[k % 6] = h;
    const Vec3 d = step.head<3>(), turn = step.tail<3>();
    const bool of_a = k < 6;
    const Relations plus = of_a ? relations_at(joint, moved(A, d, turn), B, A, B)
                                : relations_at(joint, A, moved(B, d, turn), A, B);
    const Relations minus = of_a ? relations_at(joint, moved(A, -d, -turn), B, A, B)
                                 : relations_at(joint, A, moved(B, -d, -turn), A, B);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double slope = (plus[i].value - minus[i].value) / (2 * h);
      const double given = (of_a ? rows[i].jacobian_a : rows[i].jacobian_b)[k % 6];
      errors[i] = std::max(errors[i], std::abs(slope - given));
    }
  }
  return errors;
}

template <class Joint>
class JointKinds : public ::testing::Test {
 protected:
  Joint next(Random& random) { return random_joint(random, static_cast<Joint*>(nullptr)); }
};
using Kinds = ::testing::Types<BallJoint, HingeJoint, DistanceJoint, LineJoint>;
struct KindNames {
  template <class Joint>
  static std::string GetName(int) {
    return std::string(Joint::kind);
  }
};
TYPED_TEST_SUITE(JointKinds, Kinds, KindNames);

TYPED_TEST(JointKinds, JacobianIsTheSlopeOfTheViolation) {
  Random random(11);
  for (int trial = 0; trial < 100; ++trial) {
    const TypeParam joint = this->next(random);
    const Pose A = random.pose(2), far = random.pose(2), near = assembled(joint, A, far, random);
    for (const double error : jacobian_errors(joint, A, near)) EXPECT_LT(error, 1e-6);
    std::vector<double> errors = jacobian_errors(joint, A, far);
    // Angles about a common axis have a meaning only while the axes coincide.
    if (TypeParam::kind == "hinge") errors.resize(joint.rows());
    for (const double error : errors) EXPECT_LT(error, 1e-6);
  }
}

// Moving the whole set-up like one rigid body changes no violation.
TYPED_TEST(JointKinds, ViolationsAreObjective) {
  Random random(12);
  for (int trial = 0; trial < 100; ++trial) {
    const TypeParam joint = this->next(random);
    const Pose A = random.pose(2), B = random.pose(2), T = random.pose(5);
    const auto shifted = [&](const Pose& p) { return Pose{T.point(p.x), (T.q * p.q).normalized()}; };
    const Relations here = relations_at(joint, A, B), there = relations_at(joint, shifted(A), shifted(B));
    for (std::size_t i = 0; i < here.size(); ++i) EXPECT_NEAR(here[i].value, there[i].value, 1e-13);
  }
}

Vec3 torque_about_origin(const Relation& row, const Pose& A, const Pose& B) {
  return A.x.cross(Vec3(row.jacobian_a.head<3>())) + row.jacobian_a.tail<3>() +
         B.x.cross(Vec3(row.jacobian_b.head<3>())) + row.jacobian_b.tail<3>();
}

// Forces and torques cancel between the bodies, however large the violation.
TYPED_TEST(JointKinds, ActionIsReaction) {
  Random random(13);
  for (int trial = 0; trial < 100; ++trial) {
    const TypeParam joint = this->next(random);
    const Pose A = random.pose(2), B = random.pose(2);
    for (const Relation& row : relations_at(joint, A, B)) {
      EXPECT_EQ((row.jacobian_a.head<3>() + row.jacobian_b.head<3>()).norm(), 0.0);
      EXPECT_LT(torque_about_origin(row, A, B).norm(), 1e-13);
    }
  }
}

TYPED_TEST(JointKinds, AssembledPosesViolateNothing) {
  Random random(14);
  for (int trial = 0; trial < 50; ++trial) {
    const TypeParam joint = this->next(random);
    const Pose A = random.pose(2), B = assembled(joint, A, random.pose(2), random);
    const Relations relations = relations_at(joint, A, B);
    for (std::size_t i = 0; i < joint.rows(); ++i) EXPECT_NEAR(relations[i].value, 0.0, 1e-13);
  }
}

TEST(HingeJoint, AngleCountsTurnsBothWays) {
  Random random(15);
  for (const double direction : {1.0, -1.0}) {
    HingeJoint joint = random_joint(random, static_cast<HingeJoint*>(nullptr));
    const Pose A = random.pose(1);
    Pose B = assembled(joint, A, random.pose(1), random);
    double memory = 0;
    joint.remember(A, B, {&memory, 1});
    const double start = memory;
    const int steps = 7 * 5 * 11;
    for (int i = 0; i < steps; ++i) {
      const Vec3 step = direction * 10 * test::pi / steps * A.turned(joint.axis_A);
      B = moved(B, Vec3::Zero(), step);
      joint.remember(A, B, {&memory, 1});
    }
    EXPECT_NEAR(memory - start, direction * 10 * test::pi, 1e-10);
    Relation angle;
    joint.measure(A, B, {&memory, 1}, {&angle, 1});
    EXPECT_DOUBLE_EQ(angle.value, memory);
  }
}

// Off the axis the angle row is right up to the tilt: it is the price of a simple row (kernels.h).
TEST(HingeJoint, AngleRowErrsByTheTiltOnly) {
  Random random(16);
  for (const double tilt : {1e-2, 1e-3}) {
    double worst = 0;
    for (int trial = 0; trial < 100; ++trial) {
      const HingeJoint joint = random_joint(random, static_cast<HingeJoint*>(nullptr));
      const Pose A = random.pose(1);
      const Pose B =
          moved(assembled(joint, A, random.pose(1), random), Vec3::Zero(), tilt * random.direction());
      worst = std::max(worst, jacobian_errors(joint, A, B)[5]);
    }
    EXPECT_LT(worst, 1.1 * tilt);
    EXPECT_GT(worst, 0.1 * tilt);
  }
}

TEST(LineJoint, ZeroLengthIsFinite) {
  const LineJoint joint{{"j", {}, {}}, Vec3::Zero(), Vec3::Zero()};
  const Relations relations = relations_at(joint, Pose{}, Pose{});
  EXPECT_EQ(relations[0].value, 0.0);
  EXPECT_TRUE(relations[0].jacobian_a.allFinite());
  EXPECT_DOUBLE_EQ(relations[0].jacobian_b.head<3>().norm(), 1.0);
}

}  // namespace
}  // namespace hardpan::multibody
