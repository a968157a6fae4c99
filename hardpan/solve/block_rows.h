// Rows between any number of velocity blocks: joints (two bodies), couplings of joints and shafts, motors.
//
// The pattern (which row touches which blocks) is laid down once by add_row; the numbers are written every
// step.
#pragma once

#include <iosfwd>
#include <memory>
#include <span>
#include <vector>

#include "hardpan/solve/problem.h"

namespace hardpan::solve {

// One row apart from its Jacobian.
struct RowValues {
  double sigma = 0;
  double rhs = 0;
  double lower = -unbounded;
  double upper = unbounded;
  double start = 0;
};

class BlockRows final : public RowGroup {
 public:
  void clear();
  // Appends a row over these blocks of the problem, each at most once; returns its index.
  std::size_t add_row(const Problem& problem, std::span<const std::size_t> blocks);
  void set(std::size_t row, const RowValues& values);
  // The Jacobian of a row on its k-th block, to be written.
  std::span<double> jacobian(std::size_t row, std::size_t k);
  // Its rows must have been added, one normal's after another's or in any order.
  void add_cone(const Cone& cone) { cones_.push_back(cone); }
  std::span<const double> jacobian(std::size_t row, std::size_t k) const;
  std::size_t terms(std::size_t row) const { return row_start_[row + 1] - row_start_[row]; }
  double rate(std::size_t row, std::span<const double> v) const;  // G v of one row

  std::size_t rows() const override { return sigma_.size(); }
  std::span<const double> sigma() const override { return sigma_; }
  std::span<const double> rhs() const override { return rhs_; }
  std::span<const double> lower() const override { return lower_; }
  std::span<const double> upper() const override { return upper_; }
  std::span<const double> start() const override { return start_; }
  std::span<const Cone> cones() const override { return cones_; }
  void apply(std::span<const double> v, std::span<double> out) const override;
  void apply_transpose(std::span<const double> lambda, std::span<double> out) const override;
  void assemble(std::size_t first_row, MatrixSink& sink) const override;
  void write(std::ostream& out) const override;
  // Files of version 2 know no cones.
  static std::unique_ptr<BlockRows> read(std::istream& in, const Problem& problem, std::size_t version);

 private:
  struct Term {
    std::size_t block;
    std::size_t column;  // its first velocity
    std::size_t size;
    std::size_t first;  // its coefficients
  };

  std::vector<std::size_t> row_start_ = {0};
  std::vector<Term> terms_;
  std::vector<double> coefficients_;
  std::vector<double> sigma_, rhs_, lower_, upper_, start_;
  std::vector<Cone> cones_;
};

}  // namespace hardpan::solve
