#include "hardpan/meshfree/strain_rows.h"

#include <numbers>

#include "hardpan/core/parallel.h"
#include "hardpan/material/soil_law.h"

namespace hardpan::meshfree {
namespace {

// Mandel's order.
constexpr Eigen::Index pair_row[6] = {0, 1, 2, 1, 0, 0}, pair_column[6] = {0, 1, 2, 2, 2, 1};

// (M_c^T C M_d)(a, b), M_c v = sym(v (x) e_c) in Mandel's notation.
Mat3 between(const Mat6& C, Eigen::Index c, Eigen::Index d) {
  const auto place = [](Eigen::Index a, Eigen::Index b) { return a == b ? a : 6 - a - b; };
  const auto share = [](Eigen::Index a, Eigen::Index b) { return a == b ? 1 : 1 / std::numbers::sqrt2; };
  Mat3 m;
  for (Eigen::Index a = 0; a < 3; ++a)
    for (Eigen::Index b = 0; b < 3; ++b) m(a, b) = share(a, c) * share(b, d) * C(place(a, c), place(b, d));
  return m;
}

}  // namespace

void StrainRows::place(const solve::Problem& problem, std::size_t first_block) {
  ParticleRows::place(problem, first_block, 6 * gradient_.size());
  deformation_.assign(gradient_.size(), Mat3::Identity());
  axes_.assign(gradient_.size(), Mat6::Identity());
  stiffness_.resize(gradient_.size());
  of_slopes_.resize(gradient_.size());
  push_.resize(gradient_.size());
  tangents_.resize(gradient_.size());
  backwards_.resize(3 * gradient_.size());
  ripple_.assign(gradient_.size(), Vec3::Zero());
  ripple_push_.assign(gradient_.size(), Vec3::Zero());
  ripple_stiffness_.assign(gradient_.size(), 0.0);
  for (std::size_t i = 0; i < gradient_.size(); ++i) tangents_.set_ripple(i, Vec3::Zero(), 0);
}

void StrainRows::set_frame(std::size_t particle, const Mat3& deformation, const Mat6& axes) {
  deformation_[particle] = deformation;
  axes_[particle] = axes;
}

void StrainRows::apply(std::span<const double> v, std::span<double> out) const {
  parallel_for(gradient_.size(), [&](std::size_t begin, std::size_t end) {
    std::array<Wide, default_chunk> rates;
    sums_.outer({NeighbourSums::Slopes::own, NeighbourSums::Precision::exact}, velocity(v, 0).data(), begin,
                end, rates.data());
    for (std::size_t i = begin; i < end; ++i) {
      const Mat3 twice = deformation_[i].transpose() * rates[i - begin].tensor();
      Eigen::Map<Vec6>{&out[6 * i]} =
          axes_[i].transpose() * material::mandel(0.5 * (twice + twice.transpose()));
    }
  });
}

void StrainRows::apply_transpose(std::span<const double> lambda, std::span<double> out) const {
  const auto fill = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      tensors_[i].set(deformation_[i] * material::tensor(axes_[i] * Eigen::Map<const Vec6>(&lambda[6 * i])),
                      Vec3::Zero());
  };
  const auto read = [&](std::size_t begin, std::size_t end) {
    sums_.contract({NeighbourSums::Slopes::mirrored, NeighbourSums::Precision::exact}, tensors_, begin, end,
                   velocity(out, 0).data());
  };
  sums_.by_stretches(tensors_, fill, read);
}

void StrainRows::assemble(std::size_t first_row, solve::MatrixSink& sink) const {
  coefficients_.resize(18 * gradient_.end(gradient_.size() - 1));
  for (std::size_t i = 0; i < gradient_.size(); ++i)
    for (std::size_t a = 0; a < 6; ++a) {
      const Mat3 along = deformation_[i] * material::tensor(axes_[i].col(static_cast<Eigen::Index>(a)));
      const std::size_t count = gradient_.end(i) - gradient_.begin(i);
      double* at = &coefficients_[18 * gradient_.begin(i) + 3 * a * count];
      for (std::size_t e = gradient_.begin(i); e < gradient_.end(i); ++e, at += 3) {
        Eigen::Map<Vec3>{at} = along * gradient_.slope(e);
        sink.jacobian(first_row + 6 * i + a, block(gradient_.neighbour(e)), {at, 3});
      }
    }
}

void StrainRows::complete(std::size_t i) {
  const Vec6 stiffness = Eigen::Map<const Vec6>(&sigma()[6 * i]).cwiseInverse();
  const Vec6 push = stiffness.cwiseProduct(Eigen::Map<const Vec6>(&rhs()[6 * i]));
  set_answer(i, deformation_[i], axes_[i] * stiffness.asDiagonal() * axes_[i].transpose(), axes_[i] * push);
}

void StrainRows::set_answer(std::size_t particle, const Mat3& deformation, const Mat6& stiffness,
                            const Vec6& push) {
  deformation_[particle] = deformation;
  stiffness_[particle] = stiffness;
  push_[particle] = deformation * material::tensor(push);
  tangents_.set(particle, deformation, stiffness);
}

void StrainRows::set_ripple(std::size_t particle, const Vec3& ripple, double stiffness, const Vec3& rhs) {
  ripple_[particle] = ripple;
  ripple_stiffness_[particle] = stiffness;
  ripple_push_[particle] = stiffness * rhs;
  tangents_.set_ripple(particle, ripple, stiffness);
}

void StrainRows::add_product(std::span<const double> x, std::span<double> out) const {
  add_stresses(velocity(x, 0).data(), false, out);
}

void StrainRows::add_answer(std::span<const double> v, std::span<double> out) const {
  const double* const first = velocity(v, 0).data();
  parallel_for(
      backwards_.size(),
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) backwards_[k] = -first[k];
      },
      long_chunk);
  add_stresses(backwards_.data(), true, out);
}

void StrainRows::add_stresses(const double* x, bool pushed, std::span<double> out) const {
  using enum NeighbourSums::Slopes;
  const auto precision = pushed ? NeighbourSums::Precision::exact : NeighbourSums::Precision::rounded;
  // To make them exact takes longer than to read them from a cache, and less than from memory.
  const auto of_tangents = sums_.are_few() ? NeighbourSums::Precision::exact : precision;
  const auto fill = [&](std::size_t begin, std::size_t end) {
    Wide* const first = &tensors_[begin];
    sums_.outer({own, precision}, x, begin, end, first);
    tangents_.change(Tangents::Parts::with_ripples, of_tangents, begin, end, first);
    for (std::size_t i = begin; i < end && pushed; ++i) {
      Wide push;
      push.set(push_[i] + ripple_[i] * ripple_push_[i].transpose(), deformation_[i] * ripple_push_[i]);
      tensors_[i].add(push);
    }
  };
  const auto read = [&](std::size_t begin, std::size_t end) {
    sums_.contract({mirrored, precision}, tensors_, begin, end, velocity(out, 0).data());
  };
  sums_.by_stretches(tensors_, fill, read);
}

// Of particle j: sum over i of F_i M^T C M F_i^T, M v = sym(v (x) Lambda_ij), C = sum_a T_a (x) T_a/Sigma_a.
// That is linear in Lambda (x) Lambda: for each i a matrix of six by six from those six numbers to those of a
// symmetric one. And of k R^T R, R = c_ij F_i^T + Lambda_ij (x) g_i.
void StrainRows::add_stiffness(const solve::Problem& problem, std::span<double> matrices) const {
  using Block = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
  const auto six = [](const Mat3& m) {
    Vec6 v;
    v << m(0, 0), m(1, 1), m(2, 2), m(1, 2), m(0, 2), m(0, 1);
    return v;
  };
  parallel_for(gradient_.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Mat3& F = deformation_[i];
      for (Eigen::Index pair = 0; pair < 6; ++pair) {
        const Eigen::Index c = pair_row[pair], d = pair_column[pair];
        const Mat3 along = F * between(stiffness_[i], c, d) * F.transpose();
        of_slopes_[i].col(pair) = six(c == d ? along : Mat3(along + along.transpose()));
      }
    }
  });
  parallel_for(gradient_.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j) {
      Vec6 sum = Vec6::Zero();
      Mat3 block_of_ripples = Mat3::Zero();
      for (std::size_t e = gradient_.begin(j); e < gradient_.end(j); ++e) {
        const std::size_t i = gradient_.neighbour(e);
        const Vec3& slope = gradient_.slope(gradient_.mirror(e));
        Vec6 pairs;
        pairs << slope[0] * slope[0], slope[1] * slope[1], slope[2] * slope[2], slope[1] * slope[2],
            slope[0] * slope[2], slope[0] * slope[1];
        sum.noalias() += of_slopes_[i] * pairs;
        if (ripple_stiffness_[i] > 0) {
          const Mat3 ripple = sums_.mirrored_ripple(j, e - gradient_.begin(j)) * deformation_[i].transpose() +
                              slope * ripple_[i].transpose();
          block_of_ripples.noalias() += ripple_stiffness_[i] * ripple.transpose() * ripple;
        }
      }
      Mat3 whole = 0.5 * (block_of_ripples + block_of_ripples.transpose());
      for (Eigen::Index pair = 0; pair < 6; ++pair) {
        const Eigen::Index a = pair_row[pair], b = pair_column[pair];
        whole(a, b) += sum[pair];
        if (a != b) whole(b, a) += sum[pair];
      }
      Eigen::Map<Block>(&matrices[problem.blocks()[block(j)].matrix]) += whole;
    }
  });
}

}  // namespace hardpan::meshfree
