#include "hardpan/meshfree/strain.h"

#include <cmath>

#include <Eigen/Geometry>
#include <Eigen/SVD>
#include <gtest/gtest.h>

#include "hardpan/core/random.h"
#include "hardpan/material/soil_law.h"

namespace hardpan::meshfree {
namespace {

using enum StrainMeasure;

Mat3 random_deformation(std::uint64_t n, double size) {
  const CounterRandom random(21);
  Mat3 F = Mat3::Identity();
  for (std::uint64_t k = 0; k < 9; ++k)
    F(static_cast<Eigen::Index>(k / 3), static_cast<Eigen::Index>(k % 3)) +=
        random.uniform(9 * n + k, -size, size);
  return F;
}

Mat3 rotation(double angle) {
  return Eigen::AngleAxisd(angle, Vec3(1, -2, 0.5).normalized()).toRotationMatrix();
}

TEST(Strain, OfStretchesAndRotations) {
  const Vec3 stretch(0.7, 1, 1.6);
  const Mat3 N = rotation(0.4), F = rotation(2) * N * stretch.asDiagonal() * N.transpose();
  const Vec3 green_part = 0.5 * (stretch.cwiseAbs2().array() - 1), log_part = stretch.array().log();
  const auto of = [&](const Vec3& values) {
    return material::mandel(N * values.asDiagonal() * N.transpose());
  };
  EXPECT_LT((strain_of(green, F) - of(green_part)).norm(), 1e-14);
  EXPECT_LT((strain_of(logarithmic, F) - of(log_part)).norm(), 1e-14);
  EXPECT_LT(strain_of(logarithmic, rotation(1)).norm(), 1e-15);
}

// The volume of a logarithmic strain is the logarithm of the determinant.
TEST(Strain, TraceOfTheLogarithmIsVolume) {
  for (std::uint64_t n = 0; n < 100; ++n) {
    const Mat3 F = random_deformation(n, 0.3);
    EXPECT_NEAR(material::trace(strain_of(logarithmic, F)), std::log(F.determinant()), 1e-14);
  }
}

// Near equal principal values, too: deformations of 1e-8 and such with an axis of symmetry.
TEST(Strain, QIsTheSlopeOverGreensStrain) {
  const auto check = [](const Mat3& F) {
    Mat6 Q;
    EXPECT_LT((strain_of(logarithmic, F, Q) - strain_of(logarithmic, F)).norm(), 1e-15);
    EXPECT_LT((Q - Q.transpose()).norm(), 1e-15);
    const Mat6 there = Q;
    for (std::uint64_t m = 0; m < 6; ++m) {
      constexpr double step = 1e-5;
      const Mat3 change = random_deformation(1000 + m, 1) - Mat3::Identity();
      const auto difference = [&](StrainMeasure measure) {
        return Vec6((strain_of(measure, F + step * change) - strain_of(measure, F - step * change)) /
                    (2 * step));
      };
      EXPECT_LT((difference(logarithmic) - there * difference(green)).norm(), 1e-8);
    }
  };
  for (const double size : {1e-8, 1e-3, 0.05, 0.3})
    for (std::uint64_t n = 0; n < 20; ++n) check(random_deformation(n, size));
  for (const double more : {0.0, 1e-12, 1e-6, 1e-3})
    check(rotation(1) * Vec3(1.2, 1.2 + more, 0.8).asDiagonal() * rotation(3));
}

// F S F^T is Kirchhoff's stress; that of an isotropic law has the principal values of T, turned with the
// material.
TEST(Strain, StressesDoTheSameWork) {
  for (std::uint64_t n = 0; n < 20; ++n) {
    const Mat3 F = random_deformation(n, 0.3);
    Mat6 Q;
    const Vec6 e = strain_of(logarithmic, F, Q);
    const Mat3 T = 3 * material::tensor(e) + 0.7 * material::trace(e) * Mat3::Identity();
    const Mat3 kirchhoff = F * material::tensor(Q * material::mandel(T)) * F.transpose();
    const Eigen::JacobiSVD<Mat3> polar(F, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const Mat3 R = polar.matrixU() * polar.matrixV().transpose();
    EXPECT_LT((kirchhoff - R * T * R.transpose()).norm(), 1e-13);
  }
}

TEST(Strain, GreensHasItselfForASlope) {
  Mat6 Q;
  strain_of(green, random_deformation(3, 0.2), Q);
  EXPECT_EQ(Q, Mat6(Mat6::Identity()));
}

}  // namespace
}  // namespace hardpan::meshfree
