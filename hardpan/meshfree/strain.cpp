#include "hardpan/meshfree/strain.h"

#include <cmath>
#include <numbers>

#include <Eigen/Eigenvalues>

#include "hardpan/material/soil_law.h"

namespace hardpan::meshfree {
namespace {

Mat3 green(const Mat3& F) { return 0.5 * (F.transpose() * F - Mat3::Identity()); }

// Of 1 + 2 a and 1 + 2 b: exact where they are nearly equal, too.
double slope_of_logarithm(double a, double b) {
  const double mean = 1 + a + b, x = (a - b) / mean;
  if (std::abs(x) < 1e-3) return (1 + x * x * (1.0 / 3 + x * x * (1.0 / 5 + x * x / 7))) / mean;
  return std::atanh(x) / (x * mean);
}

}  // namespace

Vec6 strain_of(StrainMeasure measure, const Mat3& F) {
  const Mat3 e = green(F);
  if (measure == StrainMeasure::green) return material::mandel(e);
  const Eigen::SelfAdjointEigenSolver<Mat3> principal(e);
  const Mat3& n = principal.eigenvectors();
  const Vec3 stretch = principal.eigenvalues().unaryExpr([](double a) { return 0.5 * std::log1p(2 * a); });
  return material::mandel(n * stretch.asDiagonal() * n.transpose());
}

Vec6 strain_of(StrainMeasure measure, const Mat3& F, Mat6& Q) {
  const Mat3 e = green(F);
  if (measure == StrainMeasure::green) {
    Q.setIdentity();
    return material::mandel(e);
  }
  const Eigen::SelfAdjointEigenSolver<Mat3> principal(e);
  const Mat3& n = principal.eigenvectors();
  const Vec3& c = principal.eigenvalues();
  Vec6 logarithm = Vec6::Zero();
  Q.setZero();
  for (Eigen::Index a = 0; a < 3; ++a) {
    const Vec6 own = material::mandel(n.col(a) * n.col(a).transpose());
    logarithm += 0.5 * std::log1p(2 * c[a]) * own;
    Q += own * (1 / (1 + 2 * c[a])) * own.transpose();
    for (Eigen::Index b = 0; b < a; ++b) {
      const Mat3 both = n.col(a) * n.col(b).transpose();
      const Vec6 pair = material::mandel(1 / std::numbers::sqrt2 * (both + both.transpose()));
      Q += pair * slope_of_logarithm(c[a], c[b]) * pair.transpose();
    }
  }
  return logarithm;
}

}  // namespace hardpan::meshfree
