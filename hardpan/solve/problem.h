// The one problem of a time step: velocities v, impulses lambda,
//
//     [ A  -G^T ] [ v      ]   [ p ]
//     [ G  Sigma] [ lambda ] = [ q ]          (MESHFREE eq. 9)
//
// The velocity vector is made of blocks of 1 (shafts), 3 (points) or 6 (bodies) numbers, A is block diagonal,
// and G, Sigma, q come in row groups. A problem is data: it can be written to a file and solved again
// elsewhere.
#pragma once

#include <iosfwd>
#include <memory>
#include <span>
#include <vector>

#include "hardpan/math/types.h"

namespace hardpan::solve {

// Receives G and Sigma entry by entry, in the problem's own row and column numbers.
class MatrixSink {
 public:
  virtual ~MatrixSink() = default;
  virtual void jacobian(std::size_t row, std::size_t column, double value) = 0;
  virtual void sigma(std::size_t row, double value) = 0;
};

// Rows that share a storage layout. One indirect call per group and product.
class RowGroup {
 public:
  virtual ~RowGroup() = default;
  virtual std::size_t rows() const = 0;
  virtual std::span<const double> sigma() const = 0;
  virtual std::span<const double> rhs() const = 0;
  virtual void apply(std::span<const double> v, std::span<double> out) const = 0;  // out = G v
  virtual void apply_transpose(std::span<const double> lambda,
                               std::span<double> out) const = 0;  // out += G^T lambda
  virtual void assemble(std::size_t first_row, MatrixSink& sink) const = 0;
  virtual void write(std::ostream& out) const = 0;
};

// Rows between at most two six-blocks: joints, springs.
class PairRows final : public RowGroup {
 public:
  static constexpr std::size_t no_block = static_cast<std::size_t>(-1);
  struct Row {
    std::size_t column_a = no_block;  // first velocity of the block, no_block for the world
    std::size_t column_b = no_block;
    Vec6 jacobian_a = Vec6::Zero();
    Vec6 jacobian_b = Vec6::Zero();
  };

  void resize(std::size_t count);
  void set(std::size_t i, const Row& row, double sigma, double rhs);

  std::size_t rows() const override { return rows_.size(); }
  std::span<const double> sigma() const override { return sigma_; }
  std::span<const double> rhs() const override { return rhs_; }
  void apply(std::span<const double> v, std::span<double> out) const override;
  void apply_transpose(std::span<const double> lambda, std::span<double> out) const override;
  void assemble(std::size_t first_row, MatrixSink& sink) const override;
  void write(std::ostream& out) const override;
  static std::unique_ptr<PairRows> read(std::istream& in, std::size_t velocities);

 private:
  std::vector<Row> rows_;
  std::vector<double> sigma_;
  std::vector<double> rhs_;
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
  void clear_groups() { groups_.clear(); }

  std::size_t velocities() const { return p_.size(); }
  std::size_t rows() const;
  const std::vector<Block>& blocks() const { return blocks_; }
  const std::vector<const RowGroup*>& groups() const { return groups_; }
  std::span<double> matrix(std::size_t block);
  std::span<const double> matrix(std::size_t block) const;
  std::span<double> momentum(std::size_t block);  // its part of p
  std::span<const double> momentum() const { return p_; }

  // r_p = p - (A v - G^T lambda), r_q = q - (G v + Sigma lambda)
  void residual(std::span<const double> v, std::span<const double> lambda, std::span<double> r_p,
                std::span<double> r_q) const;

  // Text with hexadecimal floats: the same bits come back.
  void write(std::ostream& out) const;

 private:
  std::vector<Block> blocks_;
  std::vector<double> a_;
  std::vector<double> p_;
  std::vector<const RowGroup*> groups_;
};

// A problem read from a file, together with the groups that it refers to. Throws IoError on anything
// malformed.
struct StoredProblem {
  Problem problem;
  std::vector<std::unique_ptr<RowGroup>> groups;
};
StoredProblem read_problem(std::istream& in);

}  // namespace hardpan::solve
