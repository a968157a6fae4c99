// The one problem of a time step: velocities v and impulses lambda with
//
//     A v - G^T lambda = p
//     w = G v + Sigma lambda - q,     lower <= lambda <= upper,     w = 0 where lambda is inside its bounds,
//                                     w >= 0 where lambda = lower,  w <= 0 where lambda = upper
//
// the mixed complementarity problem of MESHFREE eq. 9. With Sigma > 0 and A positive definite it has exactly
// one solution, whatever the rows ask for: it is the minimum of a strictly convex function (newton_solver.h).
//
// Rows of friction are bound by another row: a cone keeps |lambda_t| <= mu lambda_n for a few rows t and the
// row n of a normal. What the law then is, is the solver's choice (Friction in solver.h).
//
// The velocity vector is made of blocks of 1 (shafts), 3 (points) or 6 (bodies) numbers, A is block diagonal,
// and G, Sigma, q and the bounds come in row groups. A problem is data: it can be written to a file and
// solved again elsewhere.
#pragma once

#include <functional>
#include <iosfwd>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "hardpan/math/types.h"

namespace hardpan::solve {

inline constexpr double unbounded = std::numeric_limits<double>::infinity();

// |(lambda[first], ..., lambda[first + count - 1])| <= mu lambda[normal], in rows of a group. The normal has
// lower = 0 and no upper bound, the others no bounds of their own and one Sigma; all touch the same velocity
// blocks in the same order. A normal may have several cones (sliding, rolling, twisting), a row of friction
// only one.
struct Cone {
  std::size_t normal;
  std::size_t first;
  std::size_t count;  // 1 to 3
  double mu;          // >= 0; in m for rows of rolling
};

// Receives G, one row's part on one velocity block at a time, in the problem's own numbers. The values stay
// where they are until the group is written again.
class MatrixSink {
 public:
  virtual ~MatrixSink() = default;
  virtual void jacobian(std::size_t row, std::size_t block, std::span<const double> values) = 0;
  // The same for consecutive rows over two blocks of 6, which are nearly all there is of contacts: of each
  // row six values on a, then six on b.
  virtual void jacobians(std::size_t first_row, std::size_t block_a, std::size_t block_b,
                         std::span<const double> values) {
    for (std::size_t k = 0; k < values.size(); k += 12) {
      jacobian(first_row + k / 12, block_a, values.subspan(k, 6));
      jacobian(first_row + k / 12, block_b, values.subspan(k + 6, 6));
    }
  }
};

class Problem;

// Rows that share a storage layout. One indirect call per group and product.
class RowGroup {
 public:
  virtual ~RowGroup() = default;
  virtual std::size_t rows() const = 0;
  virtual std::span<const double> sigma() const = 0;
  virtual std::span<const double> rhs() const = 0;
  virtual std::span<const double> lower() const = 0;  // of lambda, may be -infinity
  virtual std::span<const double> upper() const = 0;
  virtual std::span<const double> start() const = 0;  // a guess of lambda: where iterations begin
  virtual std::span<const Cone> cones() const { return {}; }
  virtual void apply(std::span<const double> v, std::span<double> out) const = 0;  // out = G v
  virtual void apply_transpose(std::span<const double> lambda,
                               std::span<double> out) const = 0;  // out += G^T lambda
  virtual void assemble(std::size_t first_row, MatrixSink& sink) const = 0;
  virtual void write(std::ostream& out) const = 0;

  // Rows without bounds and cones that solvers may take into the velocities (soft_rows.h).
  virtual bool soft() const { return false; }
  // Then: out += G^T Sigma^-1 G x, to single precision; out += G^T Sigma^-1 (q - G v), exactly; and adds the
  // diagonal blocks of G^T Sigma^-1 G, or about that, laid out as Problem::matrices().
  virtual void add_product(std::span<const double> /*x*/, std::span<double> /*out*/) const {}
  virtual void add_answer(std::span<const double> /*v*/, std::span<double> /*out*/) const {}
  virtual void add_stiffness(const Problem& /*problem*/, std::span<double> /*matrices*/) const {}
};

class Problem {
 public:
  struct Block {
    std::size_t offset;  // of its first velocity
    std::size_t size;
    std::size_t matrix;  // offset of its size x size matrix (row-major) in A
  };

  // Appends a block of velocities with A = 0 and p = 0; returns its index.
  std::size_t add_block(std::size_t size);
  // The group must outlive the problem; its rows follow those of the groups before it.
  void add_group(const RowGroup& group) { groups_.push_back(&group); }
  // Keeps blocks, forgets groups.
  void clear_groups() {
    groups_.clear();
    bend_ = nullptr;
  }

  // For soft rows that are linear around given velocities only: writes them anew around others, all of them,
  // or what products and answers need. Solvers that do not ask for it are called again instead (stepper.h).
  // Empty: rows are what they are.
  enum class Bent { whole, for_products };
  using Bend = std::function<void(std::span<const double> v, Bent bent)>;
  void set_bend(Bend bend) { bend_ = std::move(bend); }
  const Bend& bend() const { return bend_; }

  std::size_t velocities() const { return p_.size(); }
  std::size_t rows() const;
  const std::vector<Block>& blocks() const { return blocks_; }
  const std::vector<const RowGroup*>& groups() const { return groups_; }
  std::span<double> matrix(std::size_t block);
  std::span<const double> matrix(std::size_t block) const;
  std::span<const double> matrices() const { return a_; }  // of all blocks
  std::span<double> momentum(std::size_t block);           // its part of p
  std::span<const double> momentum() const { return p_; }

  // The guesses of all groups, within their bounds.
  void start(std::span<double> lambda) const;

  // r_p = p - (A v - G^T lambda), w = G v + Sigma lambda - q
  void residual(std::span<const double> v, std::span<const double> lambda, std::span<double> r_p,
                std::span<double> w) const;

  // Text with hexadecimal floats: the same bits come back.
  void write(std::ostream& out) const;

 private:
  std::vector<Block> blocks_;
  std::vector<double> a_;
  std::vector<double> p_;
  std::vector<const RowGroup*> groups_;
  Bend bend_;
};

// What a row still misses, in the unit of G v: w where lambda is free to answer it, zero where the bound
// keeps it from answering and w has the sign that the bound allows.
inline double row_error(double w, double lambda, double lower, double upper) {
  if (lambda <= lower) w = w < 0 ? w : 0.0;
  if (lambda >= upper) w = w > 0 ? w : 0.0;
  return w;
}

// A problem read from a file, together with the groups that it refers to. Throws IoError on anything
// malformed.
struct StoredProblem {
  Problem problem;
  std::vector<std::unique_ptr<RowGroup>> groups;
};
StoredProblem read_problem(std::istream& in);

}  // namespace hardpan::solve
