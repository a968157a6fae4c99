#include "hardpan/meshfree/residual_rows.h"

#include <algorithm>

#include "hardpan/core/parallel.h"
#include "hardpan/material/soil_law.h"

namespace hardpan::meshfree {
namespace {

using Mat63 = Eigen::Matrix<double, 6, 3>;

// B, by columns: the strain of a particle as one neighbour moves.
Mat63 strain_of_motion(const Mat3& F, const Vec3& slope) {
  Mat63 B;
  for (Eigen::Index a = 0; a < 3; ++a) {
    const Mat3 twice = F.row(a).transpose() * slope.transpose();
    B.col(a) = material::mandel(0.5 * (twice + twice.transpose()));
  }
  return B;
}

}  // namespace

void ResidualRows::place(const solve::Problem& problem, std::size_t first_block) {
  ParticleRows::place(problem, first_block, 3 * gradient_.size());
  points_.assign(gradient_.size(), {});
  stress_.resize(gradient_.size());
  tangents_.resize(gradient_.size());
  answers_.assign(rows(), 0.0);
  pushes_.assign(rows(), 0.0);
  vectors_.resize(rows());
}

Mat3 ResidualRows::change_of_stress(const Point& point, const Mat3& dF) {
  const Mat3 twice = point.deformation.transpose() * dF;
  const Vec6 change = point.stiffness * material::mandel(0.5 * (twice + twice.transpose()));
  return dF * point.stress + point.deformation * material::tensor(change);
}

Vec3 ResidualRows::violation(std::size_t particle, const Vec3& body_force) const {
  Vec3 sum = body_force;
  for (std::size_t e = gradient_.begin(particle); e < gradient_.end(particle); ++e) {
    const Point& point = points_[gradient_.neighbour(e)];
    sum += point.deformation * (point.stress * gradient_.slope(e));
  }
  return points_[particle].scale * sum;
}

void ResidualRows::apply(std::span<const double> v, std::span<double> out) const {
  parallel_for(gradient_.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j)
      stress_[j] =
          change_of_stress(points_[j], gradient_.of(j, [&](std::size_t k) { return velocity(v, k); }));
  });
  parallel_for(gradient_.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Vec3 sum = Vec3::Zero();
      for (std::size_t e = gradient_.begin(i); e < gradient_.end(i); ++e)
        sum.noalias() += stress_[gradient_.neighbour(e)] * gradient_.slope(e);
      Eigen::Map<Vec3>{&out[3 * i]} = points_[i].scale * sum;
    }
  });
}

void ResidualRows::apply_transpose(std::span<const double> lambda, std::span<double> out) const {
  parallel_for(gradient_.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) {
      Mat3 sum = Mat3::Zero();
      for (std::size_t e = gradient_.begin(j); e < gradient_.end(j); ++e) {
        const std::size_t i = gradient_.neighbour(e);
        sum.noalias() += points_[i].scale * Eigen::Map<const Vec3>(&lambda[3 * i]) *
                         gradient_.slope(gradient_.mirror(e)).transpose();
      }
      stress_[j] = change_of_stress(points_[j], sum);
    }
  });
  parallel_for(gradient_.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k)
      velocity(out, k) += gradient_.gathered(k, [&](std::size_t j) -> const Mat3& { return stress_[j]; });
  });
}

void ResidualRows::complete() {
  parallel_for(gradient_.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Point& point = points_[i];
      tangents_.set(i, point.deformation, point.stiffness);
      tangents_.set_stress(i, point.stress);
      for (std::size_t a = 3 * i; a < 3 * i + 3; ++a) {
        pushes_[a] = point.scale / sigma()[a] * rhs()[a];
        answers_[a] = point.scale * (point.scale / sigma()[a]);
      }
    }
  });
}

void ResidualRows::add_product(std::span<const double> x, std::span<double> out) const {
  add_stresses(velocity(x, 0).data(), false, out);
}

void ResidualRows::add_answer(std::span<const double> v, std::span<double> out) const {
  const double* const first = velocity(v, 0).data();
  std::vector<double> backwards(rows());
  for (std::size_t k = 0; k < rows(); ++k) backwards[k] = -first[k];
  add_stresses(backwards.data(), true, out);
}

void ResidualRows::add_stresses(const double* x, bool pushed, std::span<double> out) const {
  using enum NeighbourSums::Slopes;
  using enum Tangents::Parts;
  const auto precision = pushed ? NeighbourSums::Precision::exact : NeighbourSums::Precision::rounded;
  const auto of_tangents = sums_.are_few() ? NeighbourSums::Precision::exact : precision;
  const auto stresses = [&](NeighbourSums::Slopes slopes, const double* of) {
    return [this, slopes, precision, of_tangents, of](std::size_t begin, std::size_t end) {
      sums_.outer({slopes, precision}, of, begin, end, &tensors_[begin]);
      tangents_.change(with_stress, of_tangents, begin, end, &tensors_[begin]);
    };
  };
  const auto violations = [&](std::size_t begin, std::size_t end) {
    std::fill(&vectors_[3 * begin], &vectors_[3 * begin] + 3 * (end - begin), 0.0);
    sums_.contract({own, precision}, tensors_, begin, end, vectors_.data());
    for (std::size_t a = 3 * begin; a < 3 * end; ++a)
      vectors_[a] = answers_[a] * vectors_[a] + (pushed ? pushes_[a] : 0.0);
  };
  const auto forces = [&](std::size_t begin, std::size_t end) {
    sums_.contract({mirrored, precision}, tensors_, begin, end, velocity(out, 0).data());
  };
  sums_.by_stretches(tensors_, stresses(own, x), violations);
  sums_.by_stretches(tensors_, stresses(mirrored, vectors_.data()), forces);
}

// Only solvers that ask for parts need them: most of the memory of a solid.
void ResidualRows::list_seconds() const {
  if (!second_start_.empty()) return;
  second_start_.push_back(0);
  std::vector<std::uint32_t> near;
  for (std::size_t i = 0; i < gradient_.size(); ++i) {
    near.clear();
    for (std::size_t e = gradient_.begin(i); e < gradient_.end(i); ++e) {
      const std::size_t j = gradient_.neighbour(e);
      for (std::size_t f = gradient_.begin(j); f < gradient_.end(j); ++f)
        near.push_back(gradient_.neighbour(f));
    }
    std::ranges::sort(near);
    near.erase(std::unique(near.begin(), near.end()), near.end());
    second_.insert(second_.end(), near.begin(), near.end());
    second_start_.push_back(second_.size());
  }
  coefficients_.resize(9 * second_.size());
}

void ResidualRows::write_parts(std::size_t i) const {
  using Part = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  const std::span<const std::uint32_t> seconds(&second_[second_start_[i]],
                                               second_start_[i + 1] - second_start_[i]);
  double* const parts = &coefficients_[9 * second_start_[i]];
  std::fill(parts, parts + 9 * seconds.size(), 0.0);
  for (std::size_t e = gradient_.begin(i); e < gradient_.end(i); ++e) {
    const std::size_t j = gradient_.neighbour(e);
    const Point& point = points_[j];
    const Vec3 pulled = points_[i].scale * point.stress * gradient_.slope(e);
    const Mat63 stiff =
        points_[i].scale * point.stiffness * strain_of_motion(point.deformation, gradient_.slope(e));
    std::size_t place = 0;
    for (std::size_t f = gradient_.begin(j); f < gradient_.end(j); ++f) {
      const std::uint32_t k = gradient_.neighbour(f);
      while (seconds[place] != k) ++place;  // both are in order
      const Vec3& other = gradient_.slope(f);
      Eigen::Map<Part>(parts + 9 * place) += other.dot(pulled) * Mat3::Identity() +
                                             stiff.transpose() * strain_of_motion(point.deformation, other);
    }
  }
}

void ResidualRows::assemble(std::size_t first_row, solve::MatrixSink& sink) const {
  list_seconds();
  parallel_for(gradient_.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) write_parts(i);
  });
  for (std::size_t i = 0; i < gradient_.size(); ++i)
    for (std::size_t row = 0; row < 3; ++row)
      for (std::size_t s = second_start_[i]; s < second_start_[i + 1]; ++s)
        sink.jacobian(first_row + 3 * i + row, block(second_[s]), {&coefficients_[9 * s + 3 * row], 3});
}

}  // namespace hardpan::meshfree
