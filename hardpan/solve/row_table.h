// The rows of all groups of a problem in one piece, for solvers that walk through them: Sigma, q, the bounds,
// G by rows, which stays where the groups have it, and the Cholesky factors of the blocks of A. Gathered once
// per solve into storage that stays.
//
// It also judges: find_fault() says whether problem.h's assumptions hold, and scales() how large the numbers
// were that an equation is the difference of. Rounding errors are measured against that.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hardpan/solve/problem.h"
#include "hardpan/solve/solver.h"

namespace hardpan::solve {

class RowTable final : private MatrixSink {
 public:
  struct Term {            // small: there are six of a contact
    const double* values;  // its coefficients, where the group keeps them
    std::uint32_t block;
    std::uint32_t column;  // its first velocity
    std::uint32_t size;
    std::uint32_t first;  // where its coefficients begin in an array of all
  };

  // A normal and the cones over it.
  struct Contact {
    std::size_t normal;
    std::size_t first_cone, cone_count;
  };
  static constexpr std::size_t most_cones = 4;  // over one normal

  // Returns what is wrong with the data, naming the row or block; empty: nothing.
  std::string gather(const Problem& problem);

  std::size_t size() const { return sigma_.size(); }
  std::span<const double> sigma() const { return sigma_; }
  std::span<const double> rhs() const { return rhs_; }
  std::span<const double> lower() const { return lower_; }
  std::span<const double> upper() const { return upper_; }
  // Other bounds than the problem's, until it is gathered again: for solvers that iterate on them.
  void set_bounds(std::size_t row, double lower, double upper) {
    lower_[row] = lower;
    upper_[row] = upper;
  }
  // lower == upper: lambda is given, and Sigma does not matter.
  bool fixed(std::size_t row) const { return lower_[row] == upper_[row]; }
  bool bounded(std::size_t row) const { return lower_[row] > -unbounded || upper_[row] < unbounded; }
  double clamp(std::size_t row, double lambda) const {
    return lambda < lower_[row] ? lower_[row] : lambda > upper_[row] ? upper_[row] : lambda;
  }

  // In the order of their normals; all rows are those of the table.
  std::span<const Contact> contacts() const { return contacts_; }
  std::span<const Cone> cones(const Contact& contact) const {
    return std::span(cones_).subspan(contact.first_cone, contact.cone_count);
  }
  // Is it a row of friction, or a normal that bounds one?
  bool in_cone(std::size_t row) const { return role_[row] != Role::plain; }
  bool is_friction(std::size_t row) const { return role_[row] == Role::friction; }

  std::span<const Term> terms(std::size_t row) const {
    return std::span(terms_).subspan(start_[row], start_[row + 1] - start_[row]);
  }
  std::span<const double> coefficients(const Term& term) const { return {term.values, term.size}; }
  // The length of an array of all coefficients.
  std::size_t coefficient_count() const { return used_; }

  // The Cholesky factor L of a block of A (block_cholesky.h).
  std::span<const double> factor(const Problem& problem, std::size_t block) const;
  // x := A^-1 x for one block, or for all velocities.
  void solve_block(const Problem& problem, std::size_t block, std::span<double> x) const;
  void solve_blocks(const Problem& problem, std::span<double> x) const;

  // |p| + |A| |v| + |G|^T |lambda| by velocities, |G| |v| + |Sigma lambda| + |q| by rows.
  void scales(const Problem& problem, std::span<const double> v, std::span<const double> lambda,
              std::span<double> momentum, std::span<double> rows) const;

  // Completes a report: the residuals of a solution under a law of friction, and failure when it is not
  // finite.
  void judge(const Problem& problem, Friction friction, std::span<const double> v,
             std::span<const double> lambda, SolveReport& report);

 private:
  void jacobian(std::size_t row, std::size_t block, std::span<const double> values) override;
  void jacobians(std::size_t first_row, std::size_t block_a, std::size_t block_b,
                 std::span<const double> values) override;
  Term term(std::size_t block, const double* values);
  void sort_terms();
  void gather_cones(const Problem& problem);
  bool row_sound(std::size_t row) const;
  std::string row_fault(std::size_t row) const;
  bool cone_sound(const Cone& cone);
  std::string cone_fault(const Cone& cone);
  bool block_sound(const Problem& problem, std::size_t block);
  std::string block_fault(const Problem& problem, std::size_t block);

  const Problem* problem_ = nullptr;  // while gathering
  std::vector<double> sigma_, rhs_, lower_, upper_;
  std::vector<std::size_t> start_;
  std::vector<Term> terms_, arrived_;
  std::vector<std::uint32_t> row_of_term_;
  std::size_t used_ = 0;  // coefficients
  bool finite_ = true;    // all of them
  enum class Role : std::uint8_t { plain, normal, friction };
  std::vector<Cone> cones_;
  std::vector<Contact> contacts_;
  std::vector<Role> role_;
  std::vector<double> cholesky_;
  std::vector<double> residual_;
};

double largest(std::span<const double> values);  // absolute; NaN if one is
bool all_finite(std::span<const double> values);

}  // namespace hardpan::solve
