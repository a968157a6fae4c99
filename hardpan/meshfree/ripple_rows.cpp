#include "hardpan/meshfree/ripple_rows.h"

#include "hardpan/core/parallel.h"
#include "hardpan/meshfree/weight.h"

namespace hardpan::meshfree {

RippleRows::RippleRows(const Cloud& cloud, const Gradient& gradient)
    : gradient_(gradient), coefficient_(gradient.end(gradient.size() - 1)) {
  const double d = cloud.spacing;
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    // In steps of 1e-12 d: the same bits all through a lattice, whatever rounding made of its places.
    const auto from = [&](std::size_t e) {
      constexpr double steps = 0x1p40;
      const Vec3 way = cloud.position[gradient.neighbour(e)] - cloud.position[i];
      return Vec3((way * (steps / d)).array().round() * (d / steps));
    };
    double spread = 0, all = 0;
    Vec3 first = Vec3::Zero();
    for (std::size_t e = gradient.begin(i); e < gradient.end(i); ++e) {
      const Vec3 X = from(e);
      const double w = weight(X / gradient.radius());
      all += w;
      first += w * X;
      spread += w * X.squaredNorm() / 3;
    }
    const double scale = d / spread;
    for (std::size_t e = gradient.begin(i); e < gradient.end(i); ++e) {
      const double w = weight(from(e) / gradient.radius()) - (gradient.neighbour(e) == i ? all : 0.0);
      coefficient_[e] = scale * (w - first.dot(gradient.slope(e)));
    }
  }
}

void RippleRows::place(const solve::Problem& problem, std::size_t first_block) {
  ParticleRows::place(problem, first_block, 3 * gradient_.size());
  points_.assign(gradient_.size(), {});
}

void RippleRows::apply(std::span<const double> v, std::span<double> out) const {
  parallel_for(gradient_.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto [F, g] = points_[i];
      const auto at = [&](std::size_t j) { return velocity(v, j); };
      Eigen::Map<Vec3>{&out[3 * i]} = F.transpose() * of(i, at) + gradient_.of(i, at).transpose() * g;
    }
  });
}

void RippleRows::apply_transpose(std::span<const double> lambda, std::span<double> out) const {
  parallel_for(gradient_.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) {
      Vec3 sum = Vec3::Zero();
      for (std::size_t e = gradient_.begin(j); e < gradient_.end(j); ++e) {
        const std::size_t i = gradient_.neighbour(e), back = gradient_.mirror(e);
        const Eigen::Map<const Vec3> push(&lambda[3 * i]);
        sum.noalias() += coefficient_[back] * (points_[i].deformation * push) +
                         gradient_.slope(back).dot(push) * points_[i].ripple;
      }
      velocity(out, j) += sum;
    }
  });
}

void RippleRows::assemble(std::size_t first_row, solve::MatrixSink& sink) const {
  using Part = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  assembled_.resize(9 * coefficient_.size());
  for (std::size_t i = 0; i < gradient_.size(); ++i) {
    const auto [F, g] = points_[i];
    for (std::size_t e = gradient_.begin(i); e < gradient_.end(i); ++e)
      Eigen::Map<Part>{&assembled_[9 * e]} =
          coefficient_[e] * F.transpose() + gradient_.slope(e) * g.transpose();
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t e = gradient_.begin(i); e < gradient_.end(i); ++e)
        sink.jacobian(first_row + 3 * i + a, block(gradient_.neighbour(e)), {&assembled_[9 * e + 3 * a], 3});
  }
}

}  // namespace hardpan::meshfree
