#include "hardpan/solve/row_table.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "hardpan/solve/block_cholesky.h"
#include "hardpan/solve/friction.h"

namespace hardpan::solve {

double largest(std::span<const double> values) {
  double most = 0;
  for (const double x : values) {
    if (std::isnan(x)) return x;
    most = std::max(most, std::abs(x));
  }
  return most;
}

// Zero times what is not finite is not a number.
bool all_finite(std::span<const double> values) {
  return (0 * Eigen::Map<const Eigen::ArrayXd>(values.data(), std::ssize(values))).sum() == 0;
}

std::string RowTable::gather(const Problem& problem) {
  const std::size_t rows = problem.rows();
  for (auto* column : {&sigma_, &rhs_, &lower_, &upper_}) column->clear();
  terms_.clear();
  row_of_term_.clear();
  used_ = 0;
  finite_ = true;
  problem_ = &problem;
  const auto append = [](std::vector<double>& to, std::span<const double> from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  for (const RowGroup* group : problem.groups()) {
    group->assemble(sigma_.size(), *this);
    append(sigma_, group->sigma());
    append(rhs_, group->rhs());
    append(lower_, group->lower());
    append(upper_, group->upper());
  }
  problem_ = nullptr;
  start_.assign(rows + 1, 0);
  sort_terms();
  cholesky_.resize(problem.matrices().size());
  std::ranges::copy(problem.matrices(), cholesky_.begin());
  const bool finite_blocks = all_finite(problem.matrices()) && all_finite(problem.momentum());
  for (std::size_t b = 0; b < problem.blocks().size(); ++b)
    if (!finite_blocks || !block_sound(problem, b))
      if (std::string fault = block_fault(problem, b); !fault.empty()) return fault;
  for (std::size_t i = 0; i < rows; ++i)
    if (!finite_ || !row_sound(i))
      if (std::string fault = row_fault(i); !fault.empty()) return fault;
  gather_cones(problem);
  for (const Cone& cone : cones_)
    if (!cone_sound(cone))
      if (std::string fault = cone_fault(cone); !fault.empty()) return fault;
  for (const Contact& contact : contacts_)
    if (contact.cone_count > most_cones)
      return fmt::format("row {}: a normal of more than {} cones", contact.normal, most_cones);
  return {};
}

void RowTable::gather_cones(const Problem& problem) {
  cones_.clear();
  contacts_.clear();
  role_.assign(size(), Role::plain);
  std::size_t first = 0;
  for (const RowGroup* group : problem.groups()) {
    const std::size_t rows = group->rows();
    for (Cone cone : group->cones()) {
      // Beyond the group's rows: beyond all rows, for cone_fault() to find.
      const bool there = cone.first < rows && cone.count <= rows - cone.first;
      cone.normal = cone.normal < rows ? first + cone.normal : size();
      cone.first = there ? first + cone.first : size();
      cones_.push_back(cone);
    }
    first += rows;
  }
  const auto before = [](const Cone& a, const Cone& b) {
    return a.normal != b.normal ? a.normal < b.normal : a.first < b.first;
  };
  if (!std::ranges::is_sorted(cones_, before)) std::ranges::sort(cones_, before);
  for (std::size_t k = 0; k < cones_.size(); ++k) {
    if (contacts_.empty() || contacts_.back().normal != cones_[k].normal)
      contacts_.push_back({cones_[k].normal, k, 0});
    ++contacts_.back().cone_count;
  }
}

// As nearly all are: two rows of friction behind a normal that nobody else has. Takes note of their roles.
bool RowTable::cone_sound(const Cone& cone) {
  const std::size_t n = cone.normal;
  if (cone.count != 2 || cone.first != n + 1 || n + 2 >= size()) return false;
  const auto same_blocks = [&](std::size_t i) {
    if (terms(i).size() != terms(n).size()) return false;
    for (std::size_t k = 0; k < terms(n).size(); ++k)
      if (terms(i)[k].block != terms(n)[k].block) return false;
    return true;
  };
  const bool sound = cone.mu >= 0 && std::isfinite(cone.mu) && lower_[n] == 0 && upper_[n] == unbounded &&
                     !bounded(n + 1) && !bounded(n + 2) && sigma_[n + 1] == sigma_[n + 2] &&
                     role_[n] == Role::plain && role_[n + 1] == Role::plain && role_[n + 2] == Role::plain &&
                     same_blocks(n + 1) && same_blocks(n + 2);
  if (!sound) return false;
  role_[n] = Role::normal;
  role_[n + 1] = role_[n + 2] = Role::friction;
  return true;
}

// Takes note of the roles of its rows.
std::string RowTable::cone_fault(const Cone& cone) {
  if (cone.count < 1 || cone.count > 3 || cone.normal >= size() || cone.first + cone.count > size())
    return fmt::format("a cone has rows that are not there: normal {}, {} rows from {}", cone.normal,
                       cone.count, cone.first);
  const std::size_t n = cone.normal;
  if (!(cone.mu >= 0) || !std::isfinite(cone.mu))
    return fmt::format("row {}: a coefficient of friction of {}", n, cone.mu);
  if (lower_[n] != 0 || upper_[n] != unbounded)
    return fmt::format("row {}: the normal of a cone lies between {} and {}, not 0 and inf", n, lower_[n],
                       upper_[n]);
  if (role_[n] == Role::friction) return fmt::format("row {}: the normal of a cone in another one", n);
  role_[n] = Role::normal;
  for (std::size_t i = cone.first; i < cone.first + cone.count; ++i) {
    if (role_[i] != Role::plain) return fmt::format("row {}: in two cones", i);
    if (bounded(i)) return fmt::format("row {}: friction of a cone has bounds of its own", i);
    if (!std::ranges::equal(terms(i), terms(n), {}, &Term::block, &Term::block))
      return fmt::format("row {}: touches other velocity blocks than the normal of its cone", i);
    if (sigma_[i] != sigma_[cone.first]) return fmt::format("row {}: rows of a cone differ in Sigma", i);
    role_[i] = Role::friction;
  }
  return {};
}

// The next one.
RowTable::Term RowTable::term(std::size_t block, const double* values) {
  const auto narrow = [](std::size_t i) { return static_cast<std::uint32_t>(i); };
  const Problem::Block& b = problem_->blocks()[block];
  used_ += b.size;
  return {values, narrow(block), narrow(b.offset), narrow(b.size), narrow(used_ - b.size)};
}

void RowTable::jacobian(std::size_t row, std::size_t block, std::span<const double> values) {
  finite_ = finite_ && all_finite(values);
  terms_.push_back(term(block, values.data()));
  row_of_term_.push_back(static_cast<std::uint32_t>(row));
}

void RowTable::jacobians(std::size_t first_row, std::size_t block_a, std::size_t block_b,
                         std::span<const double> values) {
  finite_ = finite_ && all_finite(values);
  const std::size_t first = terms_.size(), rows = values.size() / 12;
  terms_.resize(first + 2 * rows);
  row_of_term_.resize(first + 2 * rows);
  for (std::size_t k = 0; k < rows; ++k) {
    const std::size_t at = first + 2 * k;
    terms_[at] = term(block_a, &values[12 * k]);
    terms_[at + 1] = term(block_b, &values[12 * k + 6]);
    row_of_term_[at] = row_of_term_[at + 1] = static_cast<std::uint32_t>(first_row + k);
  }
}

// Groups may hand over their terms in any order: a counting sort by rows.
void RowTable::sort_terms() {
  for (const std::size_t row : row_of_term_) ++start_[row + 1];
  for (std::size_t i = 1; i < start_.size(); ++i) start_[i] += start_[i - 1];
  if (std::ranges::is_sorted(row_of_term_)) return;
  arrived_.swap(terms_);
  terms_.resize(arrived_.size());
  for (std::size_t k = arrived_.size(); k-- > 0;) terms_[--start_[row_of_term_[k] + 1]] = arrived_[k];
  // Each entry now stands at the start of the row before it.
  std::shift_left(start_.begin(), start_.end(), 1);
  start_.back() = terms_.size();
}

// As nearly all are: finite, positive Sigma, bounds in order.
bool RowTable::row_sound(std::size_t i) const {
  return std::isfinite(rhs_[i]) && std::isfinite(sigma_[i]) && sigma_[i] > 0 && lower_[i] < upper_[i];
}

std::string RowTable::row_fault(std::size_t i) const {
  if (!finite_)
    for (const Term& term : terms(i))
      if (!all_finite(coefficients(term))) return fmt::format("row {}: G is not finite", i);
  if (!std::isfinite(rhs_[i])) return fmt::format("row {}: q is {}", i, rhs_[i]);
  if (!(lower_[i] <= upper_[i]) || lower_[i] == unbounded || upper_[i] == -unbounded)
    return fmt::format("row {}: lambda cannot lie between {} and {}", i, lower_[i], upper_[i]);
  if (!std::isfinite(sigma_[i])) return fmt::format("row {}: Sigma is {}", i, sigma_[i]);
  if (!fixed(i) && sigma_[i] <= 0) return fmt::format("row {}: Sigma is {}, not positive", i, sigma_[i]);
  return {};
}

// As nearly all are: exactly symmetric and positive definite. Leaves the Cholesky factor.
bool RowTable::block_sound(const Problem& problem, std::size_t b) {
  const Problem::Block& block = problem.blocks()[b];
  double* const a = &cholesky_[block.matrix];
  if (block.size == 6) {
    using Matrix6 = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;
    const Eigen::Map<const Matrix6> m(a);
    for (Eigen::Index i = 0; i < 6; ++i)
      for (Eigen::Index j = 0; j < i; ++j)
        if (m(i, j) != m(j, i)) return false;
    return cholesky({a, 36}, 6);
  }
  return block.size == 1 && cholesky({a, 1}, 1);
}

std::string RowTable::block_fault(const Problem& problem, std::size_t b) {
  const Problem::Block& block = problem.blocks()[b];
  const auto a = problem.matrix(b);
  if (!all_finite(problem.momentum().subspan(block.offset, block.size)))
    return fmt::format("velocity block {}: p is not finite", b);
  if (!all_finite(a)) return fmt::format("velocity block {}: the mass matrix A is not finite", b);
  constexpr double asymmetry = 1e-8;
  for (std::size_t i = 0; i < block.size; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (std::abs(a[i * block.size + j] - a[j * block.size + i]) >
          asymmetry * (std::abs(a[i * block.size + i]) + std::abs(a[j * block.size + j])))
        return fmt::format("velocity block {}: the mass matrix A is not symmetric", b);
  const auto factor = std::span(cholesky_).subspan(block.matrix, a.size());
  std::ranges::copy(a, factor.begin());
  if (!cholesky(factor, block.size))
    return fmt::format("velocity block {}: the mass matrix A is not positive definite", b);
  return {};
}

std::span<const double> RowTable::factor(const Problem& problem, std::size_t b) const {
  const Problem::Block& block = problem.blocks()[b];
  return std::span(cholesky_).subspan(block.matrix, block.size * block.size);
}

void RowTable::solve_block(const Problem& problem, std::size_t b, std::span<double> x) const {
  cholesky_solve(factor(problem, b), x);
}

void RowTable::solve_blocks(const Problem& problem, std::span<double> x) const {
  for (std::size_t b = 0; b < problem.blocks().size(); ++b)
    solve_block(problem, b, x.subspan(problem.blocks()[b].offset, problem.blocks()[b].size));
}

void RowTable::scales(const Problem& problem, std::span<const double> v, std::span<const double> lambda,
                      std::span<double> momentum, std::span<double> rows) const {
  for (std::size_t j = 0; j < v.size(); ++j) momentum[j] = std::abs(problem.momentum()[j]);
  for (std::size_t b = 0; b < problem.blocks().size(); ++b) {
    const auto [offset, size, matrix] = problem.blocks()[b];
    const auto a = problem.matrix(b);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j)
        momentum[offset + i] += std::abs(a[i * size + j] * v[offset + j]);
  }
  for (std::size_t i = 0; i < size(); ++i) {
    double sum = std::abs(rhs_[i]) + std::abs(sigma_[i] * lambda[i]);
    for (const Term& term : terms(i))
      for (std::size_t k = 0; k < term.size; ++k) {
        const double g = std::abs(term.values[k]);
        sum += g * std::abs(v[term.column + k]);
        momentum[term.column + k] += g * std::abs(lambda[i]);
      }
    rows[i] = sum;
  }
}

void RowTable::judge(const Problem& problem, Friction friction, std::span<const double> v,
                     std::span<const double> lambda, SolveReport& report) {
  if (!contacts_.empty()) report.friction = friction;
  residual_.resize(v.size() + lambda.size());
  const auto r_p = std::span(residual_).first(v.size()), w = std::span(residual_).subspan(v.size());
  problem.residual(v, lambda, r_p, w);
  if (!all_finite(v) || !all_finite(lambda) || !all_finite(residual_)) {
    report.ok = report.converged = false;
    report.reason = "the solution is not finite";
    return;
  }
  row_errors(*this, friction, lambda, w);
  if (!all_finite(w)) {
    report.ok = report.converged = false;
    report.reason = "the errors of the solution are beyond all numbers";
    return;
  }
  report.residual = {largest(r_p), largest(w)};
}

}  // namespace hardpan::solve
