#include "hardpan/multibody/joints.h"

#include <algorithm>
#include <array>
#include <type_traits>

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

JointFrames random_frames(Random& r) {
  const Vec3 s_A = r.vector(1), s_B = r.vector(1);
  const Quat frame_A = r.rotation();
  return {{"j", {}, {}}, s_A, s_B, frame_A, r.rotation()};
}
FixedJoint random_joint(Random& r, FixedJoint*) { return {random_frames(r), some, some}; }
SliderJoint random_joint(Random& r, SliderJoint*) { return {random_frames(r), some, some}; }
CylindricalJoint random_joint(Random& r, CylindricalJoint*) { return {random_frames(r), some, some}; }
PlanarJoint random_joint(Random& r, PlanarJoint*) { return {random_frames(r), some, some}; }
UniversalJoint random_joint(Random& r, UniversalJoint*) { return {random_frames(r), some, some}; }
SkateJoint random_joint(Random& r, SkateJoint*) { return {random_frames(r), some}; }
ScrewJoint random_joint(Random& r, ScrewJoint*) {
  const JointFrames frames = random_frames(r);
  return {frames, r.uniform(-1, 1), some, some};
}
RollingJoint random_joint(Random& r, RollingJoint*) {
  const JointFrames frames = random_frames(r);
  const double radius = r.uniform(0.1, 1);
  return {frames, radius, r.below(2) == 0, some};
}
BushingJoint random_joint(Random& r, BushingJoint*) {
  const JointFrames frames = random_frames(r);
  return {frames, Vec3(100, 200, 300), Vec3(1, 2, 3), Vec3(10, 20, 30), Vec3(0.1, 0.2, 0)};
}
PointOnCurveJoint random_joint(Random& r, PointOnCurveJoint*) {
  std::vector<Vec3> points;
  for (int i = 0; i < 6; ++i)
    points.push_back(Vec3(std::cos(1.0 * i), std::sin(1.0 * i), 0.3 * i) + r.vector(0.2));
  PointOnCurveJoint j;
  j.s_A = points[0];
  j.s_B = r.vector(1);
  j.curve = Spline(points, r.below(2) == 0);
  j.start = r.uniform(0.2, 0.8) * j.curve.parameter_end();
  j.rigidity = some;
  return j;
}

// Whether all slopes are exact away from the poses that the joint holds. The angle of a hinge has a meaning
// only while the axes coincide; a curve's directions turn with its closest point.
template <class Joint>
constexpr bool exact_far = !std::is_same_v<Joint, HingeJoint> && !std::is_same_v<Joint, PointOnCurveJoint>;

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

// Frames that differ by a shift and a turn in joint axes.
Pose placed(const JointFrames& joint, const Pose& A, const Vec3& shift, const Quat& turn) {
  Pose B;
  B.q = (A.q * joint.frame_A * turn * joint.frame_B.conjugate()).normalized();
  B.x = A.point(joint.s_A + joint.frame_A * shift) - B.turned(joint.s_B);
  return B;
}
Quat about(const Vec3& axis, double angle) { return Quat(Eigen::AngleAxisd(angle, axis)); }

Pose assembled(const FixedJoint& j, const Pose& A, const Pose&, Random&) {
  return placed(j, A, Vec3::Zero(), Quat::Identity());
}
Pose assembled(const BushingJoint& j, const Pose& A, const Pose&, Random&) {
  return placed(j, A, Vec3::Zero(), Quat::Identity());
}
Pose assembled(const SliderJoint& j, const Pose& A, const Pose&, Random& r) {
  return placed(j, A, Vec3(0, 0, r.uniform(-2, 2)), Quat::Identity());
}
Pose assembled(const CylindricalJoint& j, const Pose& A, const Pose&, Random& r) {
  const double way = r.uniform(-2, 2);
  return placed(j, A, Vec3(0, 0, way), about(Vec3::UnitZ(), r.uniform(-3, 3)));
}
Pose assembled(const ScrewJoint& j, const Pose& A, const Pose&, Random& r) {
  const double angle = r.uniform(-3, 3);
  return placed(j, A, Vec3(0, 0, j.pitch * angle / (2 * test::pi)), about(Vec3::UnitZ(), angle));
}
Pose assembled(const PlanarJoint& j, const Pose& A, const Pose&, Random& r) {
  const double x = r.uniform(-2, 2), y = r.uniform(-2, 2);
  return placed(j, A, Vec3(x, y, 0), about(Vec3::UnitZ(), r.uniform(-3, 3)));
}
Pose assembled(const UniversalJoint& j, const Pose& A, const Pose&, Random& r) {
  const double first = r.uniform(-3, 3), second = r.uniform(-3, 3);
  return placed(j, A, Vec3::Zero(), about(Vec3::UnitX(), first) * about(Vec3::UnitY(), second));
}
Pose assembled(const RollingJoint& j, const Pose& A, Pose B, Random& r) {
  const Vec3 n = A.turned(j.axis_on_A(2));
  B.x -= n.dot(j.contact(A, B) - A.point(j.s_A)) * n;
  B.x += A.turned(r.uniform(-2, 2) * j.axis_on_A(0));
  return B;
}
Pose assembled(const PointOnCurveJoint& j, const Pose& A, Pose B, Random& r) {
  B.x += A.point(j.curve.position(j.start + r.uniform(-0.2, 0.2))) - B.point(j.s_B);
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
  constexpr double h = 4e-6;
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
template <class Pools>
struct KindsOf;
template <class... Joints>
struct KindsOf<std::tuple<std::vector<Joints>...>> {
  using type = ::testing::Types<Joints...>;
};
using Kinds = KindsOf<JointPools>::type;
struct KindNames {
  template <class Joint>
  static std::string GetName(int) {
    std::string name(Joint::kind);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
  }
};
TYPED_TEST_SUITE(JointKinds, Kinds, KindNames);

// Which relations have a value that the Jacobian is the slope of: all but the rows that hold a rate.
template <class Joint>
std::vector<bool> has_value(const Joint& joint, const Pose& A, const Pose& B) {
  std::array<double, 8> memory{};
  std::vector<Row> rows(joint.rows());
  joint.evaluate(A, B, memory, rows);
  std::vector<bool> result;
  for (const Row& row : rows) result.push_back(row.elastic() || row.account != Account::joint);
  result.resize(joint.rows() + Joint::coordinates.size(), true);
  return result;
}

TYPED_TEST(JointKinds, JacobianIsTheSlopeOfTheViolation) {
  Random random(11);
  for (int trial = 0; trial < 100; ++trial) {
    const TypeParam joint = this->next(random);
    const Pose A = random.pose(2), far = random.pose(2), near = assembled(joint, A, far, random);
    const std::vector<bool> holds_value = has_value(joint, A, near);
    const auto expect_slopes = [&](const std::vector<double>& errors) {
      for (std::size_t i = 0; i < errors.size(); ++i) EXPECT_LT(holds_value[i] ? errors[i] : 0.0, 1e-6) << i;
    };
    expect_slopes(jacobian_errors(joint, A, near));
    std::vector<double> errors = jacobian_errors(joint, A, far);
    if (TypeParam::kind == "hinge") errors.resize(joint.rows());
    if (exact_far<TypeParam> || TypeParam::kind == "hinge") expect_slopes(errors);
  }
}

// Moving the whole set-up like one rigid body changes no violation.
TYPED_TEST(JointKinds, ViolationsAreObjective) {
  Random random(12);
  for (int trial = 0; trial < 100; ++trial) {
    const TypeParam joint = this->next(random);
    const Pose A = random.pose(2), far = random.pose(2), T = random.pose(5);
    // Far from a curve the closest point is not unique.
    const Pose B = std::is_same_v<TypeParam, PointOnCurveJoint>
                       ? moved(assembled(joint, A, far, random), random.vector(0.05), random.vector(0.05))
                       : far;
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

// Rows that hold a rate have no value to differentiate: here they meet the velocity of the material points.
Vec3 velocity_at(const Pose& pose, const Vec6& v, const Vec3& p) {
  return v.head<3>() + Vec3(v.tail<3>()).cross(p - pose.x);
}
Vec6 random_motion(Random& r) {
  Vec6 v;
  v << r.vector(1), r.vector(1);
  return v;
}
double rate_of(const Relation& row, const Vec6& v_A, const Vec6& v_B) {
  return row.jacobian_a.dot(v_A) + row.jacobian_b.dot(v_B);
}

TEST(SkateJoint, RateIsTheVelocityAcrossTheBlade) {
  Random random(17);
  for (int trial = 0; trial < 100; ++trial) {
    const auto joint = random_joint(random, static_cast<SkateJoint*>(nullptr));
    const Pose A = random.pose(2), B = random.pose(2);
    const Vec6 v_A = random_motion(random), v_B = random_motion(random);
    const Vec3 p = B.point(joint.s_B), n = A.turned(joint.axis_on_A(2)), blade = B.turned(joint.axis_on_B(0));
    const Vec3 slip = velocity_at(B, v_B, p) - velocity_at(A, v_A, p);
    const Relations rows = relations_at(joint, A, B);
    EXPECT_EQ(rows[0].value, 0.0);
    EXPECT_NEAR(rate_of(rows[0], v_A, v_B), n.cross(blade).normalized().dot(slip), 1e-13);
  }
}

TEST(RollingJoint, RatesAreTheSlipAtTheLowestPoint) {
  Random random(18);
  for (int trial = 0; trial < 200; ++trial) {
    const auto joint = random_joint(random, static_cast<RollingJoint*>(nullptr));
    const Pose A = random.pose(2), B = random.pose(2);
    const Vec6 v_A = random_motion(random), v_B = random_motion(random);
    const Vec3 c = joint.contact(A, B), n = A.turned(joint.axis_on_A(2)), centre = B.point(joint.s_B);
    EXPECT_NEAR((c - centre).norm(), joint.radius, 1e-14);
    // No point of the rim or the ball lies lower.
    for (int k = 0; k < 50; ++k) {
      Vec3 rim = random.direction();
      const Vec3 axis = B.turned(joint.axis_on_B(2));
      if (joint.disc) rim = axis.cross(rim).normalized();
      EXPECT_LE(n.dot(c), n.dot(centre + joint.radius * rim) + 1e-13);
    }
    if (joint.disc) {
      EXPECT_NEAR(B.turned(joint.axis_on_B(2)).dot(c - centre), 0.0, 1e-14);
    }
    const Vec3 slip = velocity_at(B, v_B, c) - velocity_at(A, v_A, c);
    const Relations rows = relations_at(joint, A, B);
    EXPECT_NEAR(rate_of(rows[0], v_A, v_B), n.dot(slip), 1e-13);
    for (int i = 0; i < 2; ++i)
      EXPECT_NEAR(rate_of(rows[static_cast<std::size_t>(1 + i)], v_A, v_B),
                  A.turned(joint.axis_on_A(i)).dot(slip), 1e-13);
  }
}

TEST(FixedJoint, HoldsOneOrientationOnly) {
  Random random(19);
  const auto joint = random_joint(random, static_cast<FixedJoint*>(nullptr));
  const Pose A = random.pose(1);
  for (const double angle : {1e-9, 1e-3, 1.0, 2.0, 3.0, -3.0}) {
    const Vec3 axis = random.direction();
    const Pose B = placed(joint, A, Vec3::Zero(), about(axis, angle));
    const Relations rows = relations_at(joint, A, B);
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(rows[static_cast<std::size_t>(3 + i)].value, 2 * std::sin(angle / 2) * axis[i], 1e-14);
  }
}

TEST(UniversalJoint, CoordinatesAreTheTurnsOfTheCross) {
  Random random(20);
  for (int trial = 0; trial < 50; ++trial) {
    const auto joint = random_joint(random, static_cast<UniversalJoint*>(nullptr));
    const Pose A = random.pose(1);
    const double first = random.uniform(-3, 3), second = random.uniform(-3, 3);
    const Pose B = placed(joint, A, Vec3::Zero(), about(Vec3::UnitX(), first) * about(Vec3::UnitY(), second));
    const Relations relations = relations_at(joint, A, B);
    EXPECT_NEAR(relations[4].value, first, 1e-13);
    EXPECT_NEAR(relations[5].value, second, 1e-13);
  }
}

TEST(ScrewJoint, TurnsAreCountedInTheThread) {
  Random random(21);
  const auto joint = random_joint(random, static_cast<ScrewJoint*>(nullptr));
  const Pose A = random.pose(1);
  double memory = 0;
  for (int i = 0; i <= 100; ++i) {
    const double angle = 0.2 * i;
    const Pose B =
        placed(joint, A, Vec3(0, 0, joint.pitch * angle / (2 * test::pi)), about(Vec3::UnitZ(), angle));
    joint.remember(A, B, {&memory, 1});
    std::array<Row, 5> rows;
    joint.evaluate(A, B, {&memory, 1}, rows);
    EXPECT_NEAR(memory, angle, 1e-13);
    for (const Row& row : rows) EXPECT_NEAR(row.value, 0.0, 1e-13);
  }
}

TEST(PointOnCurveJoint, LapsOfAClosedCurveAreCounted) {
  std::vector<Vec3> points;
  for (int i = 0; i < 12; ++i)
    points.push_back(Vec3(std::cos(test::pi * i / 6), std::sin(test::pi * i / 6), 0));
  PointOnCurveJoint joint;
  joint.s_A = points[0];
  joint.s_B = Vec3::Zero();
  joint.curve = Spline(points, true);
  std::array<double, PointOnCurveJoint::memory_size> memory{};
  Relation distance;
  for (const double direction : {1.0, -1.0}) {
    memory.fill(0);
    for (int i = 0; i <= 300; ++i) {
      const double angle = direction * 0.1 * i;
      const Pose B{Vec3(std::cos(angle), std::sin(angle), 0), Quat::Identity()};
      joint.remember(Pose{}, B, memory);
      joint.measure(Pose{}, B, memory, {&distance, 1});
    }
    EXPECT_NEAR(distance.value, direction * 30, 0.01);
  }
}

// The slope of the arc length is exact off the curve, too: on the inside of a bend the same way is longer.
TEST(PointOnCurveJoint, DistanceSlopeIsExactOffTheCurve) {
  Random random(22);
  for (int trial = 0; trial < 50; ++trial) {
    const auto joint = random_joint(random, static_cast<PointOnCurveJoint*>(nullptr));
    const Pose A = random.pose(2);
    const Pose B = moved(assembled(joint, A, random.pose(2), random), random.vector(0.02), Vec3::Zero());
    EXPECT_LT(jacobian_errors(joint, A, B)[2], 1e-6);
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
