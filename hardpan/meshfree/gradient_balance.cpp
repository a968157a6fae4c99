// The correction of gradient.h, by conjugate gradients on
//
//     sum_i V_i w_ij (mu_j - a_i(mu) . p_ij) = A_j n_j - sum_i V_i Lambda_ij
//
// which is symmetric, not negative, and zero for affine mu alone; the right-hand side is orthogonal to those,
// because Lambda is exact for affine fields and areas are those of a closed surface.
#include <cmath>

#include <Eigen/Cholesky>

#include "hardpan/core/parallel.h"
#include "hardpan/meshfree/gradient.h"
#include "hardpan/meshfree/weight.h"

namespace hardpan::meshfree {
namespace {

using Vec4 = Eigen::Vector4d;

// Numbers for all three directions of the gradient at once.
using Three = std::vector<Vec3>;

Vec3 dot(const Three& a, const Three& b) {
  return parallel_reduce(
      a.size(), Vec3(Vec3::Zero()),
      [&](std::size_t begin, std::size_t end) {
        Vec3 sum = Vec3::Zero();
        for (std::size_t i = begin; i < end; ++i) sum += a[i].cwiseProduct(b[i]);
        return sum;
      },
      [](const Vec3& x, const Vec3& y) { return Vec3(x + y); });
}

Vec4 affine(const Vec3& y) { return {1, y.x(), y.y(), y.z()}; }

// a_i of a field, and the field without it.
class Fits {
 public:
  Fits(const Cloud& cloud, const Gradient& gradient) : cloud_(cloud), gradient_(gradient) {
    moments_.resize(cloud.size());
    fits_.resize(cloud.size());
    parallel_for(cloud.size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        Eigen::Matrix4d sum = Eigen::Matrix4d::Zero();
        each(i, [&](std::size_t, double w, const Vec4& p) { sum += w * p * p.transpose(); });
        moments_[i].compute(sum);
      }
    });
  }

  void fit(const Three& field) {
    parallel_for(cloud_.size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        Eigen::Matrix<double, 4, 3> sum = Eigen::Matrix<double, 4, 3>::Zero();
        each(i, [&](std::size_t e, double w, const Vec4& p) {
          sum += w * p * field[gradient_.neighbour(e)].transpose();
        });
        fits_[i] = moments_[i].solve(sum);
      }
    });
  }

  // sum_i V_i w_ij (mu_j - a_i . p_ij), after fit(mu).
  Vec3 sum_left(const Three& field, std::size_t j) const {
    Vec3 sum = Vec3::Zero();
    each(j, [&](std::size_t e, double w, const Vec4&) {
      const std::size_t i = gradient_.neighbour(e);
      sum += cloud_.volume[i] * w * (field[j] - fits_[i].transpose() * affine(-offset(j, e)));
    });
    return sum;
  }

  // visit(entry, w, w (mu_j - a_i . p_ij)) for the neighbours of i.
  template <class Visit>
  void left(const Three& field, std::size_t i, Visit&& visit) const {
    each(i, [&](std::size_t e, double w, const Vec4& p) {
      visit(e, w * (field[gradient_.neighbour(e)] - fits_[i].transpose() * p));
    });
  }

 private:
  Vec3 offset(std::size_t i, std::size_t e) const {
    return (cloud_.position[gradient_.neighbour(e)] - cloud_.position[i]) / gradient_.radius();
  }
  template <class Visit>
  void each(std::size_t i, Visit&& visit) const {
    for (std::size_t e = gradient_.begin(i); e < gradient_.end(i); ++e) {
      const Vec3 y = offset(i, e);
      visit(e, weight(y), affine(y));
    }
  }

  const Cloud& cloud_;
  const Gradient& gradient_;
  std::vector<Eigen::LDLT<Eigen::Matrix4d>> moments_;
  std::vector<Eigen::Matrix<double, 4, 3>> fits_;
};

}  // namespace

void Gradient::sum_areas(const Cloud& cloud) {
  area_.resize(size());
  for (std::size_t j = 0; j < size(); ++j) {
    area_[j].setZero();
    for (std::size_t e = begin(j); e < end(j); ++e)
      area_[j] += cloud.volume[neighbour(e)] * slope_[pairs_.mirror[e]];
  }
}

void Gradient::balance(const Cloud& cloud) {
  constexpr double enough = 1e-13;
  constexpr int most = 1000;
  const auto wanted = [&](std::size_t j) { return !cloud.area.empty() || !cloud.on_surface[j]; };
  sum_areas(cloud);
  Three mu(size(), Vec3::Zero()), left(size(), Vec3::Zero()), product(size());
  for (std::size_t j = 0; j < size(); ++j)
    if (wanted(j)) left[j] = (cloud.area.empty() ? Vec3(Vec3::Zero()) : cloud.area[j]) - area_[j];
  Three direction = left;
  Fits fits(cloud, *this);
  Vec3 square = dot(left, left);
  const double scale = std::pow(cloud.spacing, 4) * static_cast<double>(size());
  const auto ratio = [](const Vec3& a, const Vec3& b) {  // 0 where there is nothing left to do
    return Vec3((b.array() > 0).select(a.array() / b.array(), 0.0));
  };
  for (int k = 0; k < most && square.maxCoeff() > enough * enough * scale; ++k) {
    fits.fit(direction);
    parallel_for(size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t j = begin; j < end; ++j)
        product[j] = wanted(j) ? fits.sum_left(direction, j) : Vec3(Vec3::Zero());
    });
    const Vec3 step = ratio(square, dot(direction, product));
    for (std::size_t j = 0; j < size(); ++j) {
      mu[j] += step.cwiseProduct(direction[j]);
      left[j] -= step.cwiseProduct(product[j]);
    }
    const Vec3 next = dot(left, left), beta = ratio(next, square);
    for (std::size_t j = 0; j < size(); ++j) direction[j] = left[j] + beta.cwiseProduct(direction[j]);
    square = next;
  }
  fits.fit(mu);
  parallel_for(size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      fits.left(mu, i, [&](std::size_t e, const Vec3& change) { slope_[e] += change; });
  });
  sum_areas(cloud);
}

}  // namespace hardpan::meshfree
