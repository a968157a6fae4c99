// Sums over neighbours, for all particles at once: what products with rows of a solid are made of. With the
// slope of a gradient and the coefficient of a ripple as one, W_ij = (Lambda_ij, c_ij),
//
//     outer     T_i = sum_j u_j (x) W_ij        of vectors: a gradient, and a ripple as its fourth column
//     contract  f_i = sum_j T_j W_ij            of such: a divergence
//
// and both with W_ji in the place of W_ij (their transposes). Four numbers in a row, so that one operation
// does for all; by fours where the machine can, the same bits where it cannot.
//
// W comes twice: as it is, and rounded to single precision for products whose errors are made good afterwards
// (solve/soft_newton.h): 20 bytes per neighbour with its number instead of 36, and it is bytes that products
// wait for.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "hardpan/meshfree/gradient.h"

namespace hardpan::meshfree {

// Three rows of four: a tensor, and a vector as its last column.
struct Wide {
  struct alignas(32) Row {
    std::array<double, 4> x{};
  };
  std::array<Row, 3> row;

  void set(const Mat3& tensor, const Vec3& last) {
    for (std::size_t a = 0; a < 3; ++a) {
      const auto i = static_cast<Eigen::Index>(a);
      row[a].x = {tensor(i, 0), tensor(i, 1), tensor(i, 2), last[i]};
    }
  }
  Mat3 tensor() const {
    Mat3 m;
    m << row[0].x[0], row[0].x[1], row[0].x[2], row[1].x[0], row[1].x[1], row[1].x[2], row[2].x[0],
        row[2].x[1], row[2].x[2];
    return m;
  }
  Vec3 last() const { return {row[0].x[3], row[1].x[3], row[2].x[3]}; }
  void add(const Wide& other) {
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = 0; b < 4; ++b) row[a].x[b] += other.row[a].x[b];
  }
};

class NeighbourSums {
 public:
  // `ripple`: c by entries of the gradient, which must outlive this.
  NeighbourSums(const Gradient& gradient, std::span<const double> ripple);

  enum class Slopes { own, mirrored };  // W_ij, or W_ji
  enum class Precision { exact, rounded };
  struct Kind {
    Slopes slopes;
    Precision precision;
  };

  // Of particles from `begin` to `end`; vectors are three numbers per particle, one after another, and `out`
  // of `contract` is added to.
  void outer(Kind kind, const double* u, std::size_t begin, std::size_t end, std::span<Wide> out) const;
  void contract(Kind kind, std::span<const Wide> t, std::size_t begin, std::size_t end, double* out) const;

  double ripple(std::size_t entry) const { return exact_[0][entry].x[3]; }  // c

  template <class Number>
  struct alignas(4 * sizeof(Number)) Four {
    std::array<Number, 4> x;
  };

 private:
  const Gradient& gradient_;
  std::array<std::vector<Four<double>>, 2> exact_;  // own, mirrored
  std::array<std::vector<Four<float>>, 2> rounded_;
};

}  // namespace hardpan::meshfree
