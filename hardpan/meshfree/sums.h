// Sums over neighbours, for all particles at once: what products with rows of a solid are made of.
//
//     outer     T_i = sum_j u_j (x) Lambda_ij        of vectors: a gradient
//     contract  f_i = sum_j T_j Lambda_ij            of tensors: a divergence
//
// and both with Lambda_ji in the place of Lambda_ij (their transposes). Vectors and columns of tensors have
// four numbers, the last one zero, so that one operation does for three; by fours where the machine can, the
// same bits where it cannot.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "hardpan/meshfree/gradient.h"

namespace hardpan::meshfree {

struct alignas(32) Padded {
  std::array<double, 4> x{};

  void set(const Vec3& v) { x = {v[0], v[1], v[2], 0}; }
  Vec3 get() const { return {x[0], x[1], x[2]}; }
};

struct PaddedTensor {
  std::array<Padded, 3> column;

  void set(const Mat3& m) {
    for (Eigen::Index b = 0; b < 3; ++b) column[static_cast<std::size_t>(b)].set(m.col(b));
  }
  Mat3 get() const {
    Mat3 m;
    for (Eigen::Index b = 0; b < 3; ++b) m.col(b) = column[static_cast<std::size_t>(b)].get();
    return m;
  }
};

class NeighbourSums {
 public:
  explicit NeighbourSums(const Gradient& gradient);

  enum class Slopes { own, mirrored };  // Lambda_ij, or Lambda_ji

  // Of particles from `begin` to `end`.
  void outer(Slopes which, std::span<const Padded> u, std::size_t begin, std::size_t end,
             std::span<PaddedTensor> out) const;
  void contract(Slopes which, std::span<const PaddedTensor> t, std::size_t begin, std::size_t end,
                std::span<Padded> out) const;

 private:
  const Gradient& gradient_;
  std::vector<Vec3> mirrored_;  // slopes
};

}  // namespace hardpan::meshfree
