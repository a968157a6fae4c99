// Rows of contacts: each contact has a normal row and two rows of sliding over the same two velocity blocks,
// and may have three more that resist rolling and twisting:
//
//     row 0     normal n:    lambda >= 0                                  N s
//     rows 1-2  sliding:     |(lambda_1, lambda_2)| <= mu lambda_0        N s
//     rows 3-4  rolling:     |(lambda_3, lambda_4)| <= mu_rolling lambda_0    N m s, mu in m
//     row 5     twisting:    |lambda_5| <= mu_twisting lambda_0               N m s, mu in m
//
// The number of rows is the same for all contacts of a group. Contacts change in every step, so nothing is
// laid down: resize(), then write every contact, in any order and from any thread (contacts share no memory).
// Memory is kept, and nothing is allocated below the largest number of contacts seen.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "hardpan/solve/problem.h"

namespace hardpan::solve {

class ContactRows final : public RowGroup {
 public:
  static constexpr std::size_t ground = static_cast<std::size_t>(-1);  // in place of a block: nothing moves
  static constexpr std::size_t normal = 0, sliding = 1, rolling = 3, twisting = 5;

  explicit ContactRows(std::size_t rows_per_contact = 3);  // 3 or 6

  void clear() { resize(0); }
  // Contents are undefined afterwards: call begin(), and write Jacobians and set() for every row.
  void resize(std::size_t contacts);
  std::size_t contacts() const { return pairs_.size(); }
  std::size_t rows_per_contact() const { return per_contact_; }

  // The contact's blocks, two different ones of the problem, or one and `ground`.
  void begin(std::size_t contact, const Problem& problem, std::size_t block_a, std::size_t block_b);
  // To be written: the row's Jacobian on block a, and on block b. Six numbers, of which a block of 3
  // velocities uses the first three; on `ground` they are ignored.
  std::span<double, 6> on_a(std::size_t contact, std::size_t row) { return side(contact, row, 0); }
  std::span<double, 6> on_b(std::size_t contact, std::size_t row) { return side(contact, row, 1); }
  void set(std::size_t contact, std::size_t row, double sigma, double rhs, double start) {
    const std::size_t i = contact * per_contact_ + row;
    sigma_[i] = sigma;
    rhs_[i] = rhs;
    start_[i] = start;
  }
  // The rows of a cone must have one Sigma.
  void set_friction(std::size_t contact, double mu, double mu_rolling = 0, double mu_twisting = 0);

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
  // As block-rows: it is read back as BlockRows with the same bits.
  void write(std::ostream& out) const override;

 private:
  struct Side {
    std::size_t block;
    std::size_t column;  // its first velocity
    std::size_t size;    // 0: ground
  };
  using Pair = std::array<Side, 2>;

  std::span<double, 6> side(std::size_t contact, std::size_t row, std::size_t which) {
    return std::span<double, 6>(&jacobian_[12 * (contact * per_contact_ + row) + 6 * which], 6);
  }
  const double* jacobian(std::size_t row, std::size_t which) const {
    return &jacobian_[12 * row + 6 * which];
  }

  std::size_t per_contact_;
  std::vector<Pair> pairs_;
  std::vector<double> jacobian_;  // 12 per row
  std::vector<double> sigma_, rhs_, lower_, upper_, start_;
  std::vector<Cone> cones_;
};

}  // namespace hardpan::solve
