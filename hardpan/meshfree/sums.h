// Sums over neighbours, for all particles at once: what products with rows of a solid are made of.
//
//     outer     T_i = sum_j u_j (x) Lambda_ij        of vectors: a gradient
//     contract  f_i = sum_j T_j Lambda_ij            of tensors: a divergence
//
// and both with Lambda_ji in the place of Lambda_ij (their transposes). Vectors and columns of tensors have
// four numbers, the last one zero, so that one operation does for three; by fours where the machine can, the
// same bits where it cannot.
//
// Slopes come twice: as they are, and rounded to single precision together with the number of the neighbour,
// for products whose errors are made good afterwards (solve/soft_newton.h): 16 bytes per neighbour instead of
// 28, and it is bytes that products wait for.
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
  void add(const PaddedTensor& other) {
    for (std::size_t b = 0; b < 3; ++b)
      for (std::size_t a = 0; a < 4; ++a) column[b].x[a] += other.column[b].x[a];
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
  enum class Precision { exact, rounded };
  struct Kind {
    Slopes slopes;
    Precision precision;
  };

  // Of particles from `begin` to `end`.
  void outer(Kind kind, std::span<const Padded> u, std::size_t begin, std::size_t end,
             std::span<PaddedTensor> out) const;
  void contract(Kind kind, std::span<const PaddedTensor> t, std::size_t begin, std::size_t end,
                std::span<Padded> out) const;

  struct alignas(16) Rounded {
    std::array<float, 3> slope;
    std::uint32_t neighbour;
  };

 private:
  std::span<const Rounded> rounded(Slopes which) const {
    return which == Slopes::own ? rounded_ : rounded_mirrored_;
  }

  const Gradient& gradient_;
  std::vector<Vec3> mirrored_;  // slopes
  std::vector<Rounded> rounded_, rounded_mirrored_;
};

}  // namespace hardpan::meshfree
