#include "hardpan/meshfree/gradient.h"

#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <fmt/core.h>

#include "hardpan/core/error.h"
#include "hardpan/core/parallel.h"
#include "hardpan/meshfree/weight.h"

namespace hardpan::meshfree {
namespace {

using Mat10 = Eigen::Matrix<double, 10, 10>;
using Vec10 = Eigen::Matrix<double, 10, 1>;

constexpr double unsure = 1e-4;  // of all weights: what a coefficient of a quadratic function costs
constexpr double flat = 1e-6;    // of l^2: neighbours of a plane

// 1, y, and the six quadratic functions.
Eigen::Matrix<double, 1, 10> polynomials(const Vec3& y) {
  Eigen::Matrix<double, 1, 10> p;
  p << 1, y.x(), y.y(), y.z(), y.y() * y.z(), y.x() * y.z(), y.x() * y.y(), y.x() * y.x(), y.y() * y.y(),
      y.z() * y.z();
  return p;
}

}  // namespace

Gradient::Gradient(const Cloud& cloud, double reach)
    : radius_((reach == nearest ? 2 : reach) * cloud.spacing),
      pairs_(reach == nearest ? neighbours_in_lattice(cloud.counts)
                              : neighbours_within(cloud.position, radius_)) {
  slope_.resize(pairs_.index.size());
  if (reach == nearest) {
    take_differences(cloud);
    return;
  }
  for (std::size_t i = 0; i < size(); ++i) check(cloud, i);
  parallel_for(size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) fit(cloud, i);
  });
  balance(cloud);
}

void Gradient::take_differences(const Cloud& cloud) {
  Vec3 d = cloud.position.back() - cloud.position.front();  // along x, y, z
  for (std::size_t a = 0; a < 3; ++a)
    d[static_cast<Eigen::Index>(a)] /= static_cast<double>(cloud.counts[a] - 1);
  for (std::size_t i = 0; i < size(); ++i) {
    Vec3 own = Vec3::Zero();
    for (std::size_t e = begin(i); e < end(i); ++e) {
      if (neighbour(e) == i) continue;
      Eigen::Index axis = 0;
      const Vec3 to = offset(cloud, i, e);
      to.cwiseAbs().maxCoeff(&axis);
      const double share = cloud.area[i][axis] == 0 ? 0.5 : 1;
      slope_[e] = std::copysign(share / d[axis], to[axis]) * Vec3::Unit(axis);
      own -= slope_[e];
    }
    for (std::size_t e = begin(i); e < end(i); ++e)
      if (neighbour(e) == i) slope_[e] = own;
  }
  sum_areas(cloud);
}

void Gradient::check(const Cloud& cloud, std::size_t i) const {
  Mat3 spread = Mat3::Zero();
  double sum = 0;
  for (std::size_t e = begin(i); e < end(i); ++e) {
    const Vec3 y = offset(cloud, i, e);
    spread += weight(y) * y * y.transpose();
    sum += weight(y);
  }
  const Eigen::SelfAdjointEigenSolver<Mat3> axes(spread, Eigen::EigenvaluesOnly);
  if (axes.eigenvalues()[0] > flat * sum) return;
  const Vec3& x = cloud.position[i];
  throw InputError(fmt::format(
      "a particle at ({:.4g}, {:.4g}, {:.4g}) m has {} neighbours within {:.4g} m, all in a plane or "
      "a line with it: a gradient needs more; give the solid more particles in each direction",
      x.x(), x.y(), x.z(), end(i) - begin(i) - 1, radius_));
}

void Gradient::fit(const Cloud& cloud, std::size_t i) {
  const auto count = static_cast<Eigen::Index>(end(i) - begin(i));
  Eigen::Matrix<double, Eigen::Dynamic, 10> basis(count, 10);
  VecX w(count);
  Eigen::Matrix<double, Eigen::Dynamic, 3> w_slope(count, 3);  // with the place of the polynomial, times l
  for (Eigen::Index k = 0; k < count; ++k) {
    const Vec3 y = offset(cloud, i, begin(i) + static_cast<std::size_t>(k));
    basis.row(k) = polynomials(y);
    w[k] = weight(y);
    w_slope.row(k) = weight_slope(y);
  }
  Mat10 moment = basis.transpose() * w.asDiagonal() * basis;
  // Mixed terms half: together that is the norm of the matrix of second slopes, the same in every frame.
  moment.diagonal().segment<3>(4).array() += 0.5 * unsure * w.sum();
  moment.diagonal().tail<3>().array() += unsure * w.sum();
  const Eigen::LDLT<Mat10> solver(moment);
  // Psi_j(x) = p(x)^T M(x)^-1 p_j w_j(x): the product rule at x_i, where p = (1, 0, ...).
  const Eigen::Matrix<double, 10, 4> columns = solver.solve(Eigen::Matrix<double, 10, 4>::Identity());
  const VecX value = basis * columns.col(0);
  for (Eigen::Index b = 0; b < 3; ++b) {
    const Vec10 change = basis.transpose() * w_slope.col(b).cwiseProduct(value);
    const VecX slopes = w.cwiseProduct(basis * (Vec10(columns.col(b + 1) - solver.solve(change)))) +
                        w_slope.col(b).cwiseProduct(value);
    for (Eigen::Index k = 0; k < count; ++k)
      slope_[begin(i) + static_cast<std::size_t>(k)][b] = slopes[k] / radius_;
  }
}

}  // namespace hardpan::meshfree
