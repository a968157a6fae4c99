#include "hardpan/math/rotation.h"

#include <Eigen/LU>
#include <gtest/gtest.h>

namespace hardpan {
namespace {

TEST(Rotation, CrossAndRotateHaveTheBitsOfEigen) {
  for (int i = 0; i < 200; ++i) {
    const Vec3 a = Vec3::Random(), b = Vec3::Random();
    const Quat q = Quat::UnitRandom();
    EXPECT_EQ(cross(a, b), a.cross(b));
    EXPECT_EQ(rotate(q, a), q * a);
  }
}

TEST(Rotation, CayleyMatchesItsMatrixForm) {
  for (int i = 0; i < 200; ++i) {
    const Vec3 r = 3.0 * Vec3::Random();
    const Mat3 half = 0.5 * skew(r);
    const Mat3 expected = (Mat3::Identity() - half).inverse() * (Mat3::Identity() + half);
    EXPECT_LT((cayley(r).toRotationMatrix() - expected).norm(), 1e-13);
  }
}

TEST(Rotation, CayleyAngle) {
  EXPECT_NEAR(Eigen::AngleAxisd(cayley(Vec3(0, 0.3, 0))).angle(), 2 * std::atan(0.15), 1e-15);
}

TEST(Rotation, TangentsMakeARightHandedFrame) {
  for (int i = 0; i < 200; ++i) {
    const Vec3 n = Vec3::Random().normalized();
    Vec3 t1, t2;
    tangents(n, t1, t2);
    Mat3 frame;
    frame << t1, t2, n;
    EXPECT_LT((frame.transpose() * frame - Mat3::Identity()).norm(), 1e-14);
    EXPECT_NEAR(frame.determinant(), 1.0, 1e-14);
  }
}

}  // namespace
}  // namespace hardpan
