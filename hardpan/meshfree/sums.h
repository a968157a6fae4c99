// Sums over neighbours, for all particles at once: what products with rows of a solid are made of. With the
// slope of a gradient and the coefficient of a ripple as one, W_ij = (Lambda_ij, c_ij),
//
//     outer     T_i = sum_j u_j (x) W_ij        of vectors: a gradient, and a ripple as its fourth column
//     contract  f_i = sum_j T_j W_ij            of such: a divergence
//
// and both with W_ji in the place of W_ij (their transposes). Four numbers in a row, so that one operation
// does for all; by fours where the machine can, the same bits where it cannot.
//
// It is bytes that products wait for. So W comes twice: as it is, and rounded to single precision for
// products whose errors are made good afterwards (solve/soft_newton.h); and particles whose neighbours lie at
// the same numbers from theirs, with the same W, share one stencil: a box has 125, a cloud without order as
// many as particles.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "hardpan/core/parallel.h"
#include "hardpan/math/pack.h"
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

// Of particles that follow each other, the last ones that were written: as many as a power of two.
class WideRing {
 public:
  void resize(std::size_t least) {
    wide_.resize(std::bit_ceil(least));
    mask_ = wide_.size() - 1;
  }
  std::size_t size() const { return wide_.size(); }
  Wide& operator[](std::size_t particle) { return wide_[particle & mask_]; }
  const Wide& operator[](std::size_t particle) const { return wide_[particle & mask_]; }

 private:
  std::vector<Wide> wide_{1};
  std::size_t mask_ = 0;
};

class NeighbourSums {
 public:
  // `ripple`: c by entries of the gradient.
  NeighbourSums(const Gradient& gradient, std::span<const double> ripple);

  enum class Slopes { own, mirrored };  // W_ij, or W_ji
  enum class Precision { exact, rounded };
  struct Kind {
    Slopes slopes;
    Precision precision;
  };

  // Of particles from `begin` to `end`; vectors are three numbers per particle, one after another. `out` of
  // `outer` begins with the first of them, that of `contract` is added to.
  void outer(Kind kind, const double* u, std::size_t begin, std::size_t end, Wide* out) const;
  void contract(Kind kind, const WideRing& t, std::size_t begin, std::size_t end, double* out) const;

  // fill(begin, end), which writes T of these to `ring`, and read(begin, end), for which T of all their
  // neighbours are there: in turn, so that T stays in the cache. Pieces are those of parallel_for.
  template <class Fill, class Read>
  void by_stretches(WideRing& ring, const Fill& fill, const Read& read) const;

  // c_ji of the neighbour at `place` among those of i.
  double mirrored_ripple(std::size_t i, std::size_t place) const {
    return exact_[1][start_[stencil_[i]] + place].x[3];
  }
  std::size_t reach() const { return reach_; }  // from a particle to its neighbours, at most, in numbers
  // Then caches hold what products need.
  bool are_few() const { return stencil_.size() <= 8192; }
  std::size_t stencils() const { return start_.size() - 1; }

  template <class Number>
  struct alignas(4 * sizeof(Number)) Four {
    std::array<Number, 4> x;
  };

 private:
  template <class Number>
  using Both = std::array<std::vector<Four<Number>>, 2>;  // own, mirrored
  std::vector<std::uint32_t> stencil_;                    // of particles
  std::vector<std::uint32_t> start_;                      // of the entries of stencils, and the end
  std::vector<std::int32_t> step_;                        // of entries: from a particle to its neighbour
  Both<double> exact_;
  Both<float> rounded_;
  std::size_t reach_ = 0;
};

template <class Fill, class Read>
void NeighbourSums::by_stretches(WideRing& ring, const Fill& fill, const Read& read) const {
  constexpr std::size_t chunk = default_chunk;
  const std::size_t count = stencil_.size();
  const std::size_t stretch = are_few() ? count : 4 * chunk * static_cast<std::size_t>(thread_count());
  ring.resize(std::min(stretch + 2 * reach_, count) + pack_width);
  const auto over = [](std::size_t begin, std::size_t end, const auto& body) {
    parallel_for(end - begin, [&](std::size_t a, std::size_t b) { body(begin + a, begin + b); });
  };
  for (std::size_t first = 0, done = 0; first < count; first += stretch) {
    const std::size_t last = std::min(first + stretch, count);
    over(first, last, fill);
    const std::size_t ready = last == count ? count : std::max(done, last - std::min(last, reach_));
    over(done, ready, read);
    done = ready;
  }
}

}  // namespace hardpan::meshfree
