#include "hardpan/solve/cone_newton.h"

#include <algorithm>
#include <cmath>

#include "hardpan/solve/primal_path.h"
#include "hardpan/solve/slope_search.h"

namespace hardpan::solve {
namespace {

constexpr int most_products = 20'000;
constexpr double hopeless = 1e-6;  // relative residual of a linear system

}  // namespace

void ConeNewton::solve(const Problem& problem, const RowTable& rows, FrictionMap& map, bool again, int cap,
                       std::span<double> v, std::span<double> lambda, SolveReport& report) {
  for (auto* vector : {&s_, &ds_, &lambda_, &work_, &next_lambda_}) vector->resize(rows.size());
  for (auto* vector : {&v_, &d_, &descent_}) vector->resize(problem.velocities());
  if (!again)
    options_.matrix_free ? start_free(problem, rows, lambda) : start_held(problem, rows, map, lambda, report);
  if (!report.ok) return;
  settle(problem, rows, map);
  report.converged = settled(problem, rows);
  for (int k = 0; !report.converged && k < cap; ++k) {
    const bool moved = step(problem, rows, map, report);
    if (!report.ok) return;
    report.converged = settled(problem, rows);
    if (!moved) break;
  }
  std::ranges::copy(v_, v.begin());
  std::ranges::copy(lambda_, lambda.begin());
}

// The motion that the guess would cause.
void ConeNewton::start_free(const Problem& problem, const RowTable& rows, std::span<const double> lambda) {
  std::copy(lambda.begin(), lambda.end(), s_.begin());
  std::copy(problem.momentum().begin(), problem.momentum().end(), v_.begin());
  std::size_t first = 0;
  for (const RowGroup* group : problem.groups()) {
    group->apply_transpose(lambda.subspan(first, group->rows()), v_);
    first += group->rows();
  }
  rows.solve_blocks(problem, v_);
  apply_rows(problem, v_, work_);
  for (std::size_t i = 0; i < s_.size(); ++i)
    if (!rows.fixed(i)) s_[i] = (rows.rhs()[i] - work_[i]) / rows.sigma()[i];
}

// The solution of the guess's piece; without a guess, of the one in which every contact sticks.
void ConeNewton::start_held(const Problem& problem, const RowTable& rows, FrictionMap& map,
                            std::span<const double> lambda, SolveReport& report) {
  std::copy(lambda.begin(), lambda.end(), s_.begin());
  std::fill(v_.begin(), v_.end(), 0.0);
  const auto contacts = rows.contacts();
  if (std::ranges::all_of(contacts, [&](const auto& contact) { return s_[contact.normal] == 0; }))
    for (const RowTable::Contact& contact : contacts) s_[contact.normal] = 1;
  if (!piece(problem, rows, map, report) || !factored(rows, map, report)) return;
  for (std::size_t j = 0; j < v_.size(); ++j) v_[j] += d_[j];
  for (std::size_t i = 0; i < s_.size(); ++i) s_[i] += ds_[i];
}

void ConeNewton::settle(const Problem& problem, const RowTable& rows, const FrictionMap& map) {
  map.project(rows, s_, lambda_);
  problem.residual(v_, lambda_, descent_, work_);
}

bool ConeNewton::settled(const Problem& problem, const RowTable& rows) {
  noise_.measure(problem, rows, v_, lambda_);
  bool fine = true;
  error_ = 0;
  for (std::size_t b = 0; b < problem.blocks().size(); ++b) {
    const auto [offset, size, matrix] = problem.blocks()[b];
    for (std::size_t k = 0; k < size; ++k) {
      const double error = std::abs(descent_[offset + k]) / problem.matrix(b)[k * (size + 1)];
      error_ = std::max(error_, error);
      fine = fine && error <= std::max(0.1 * options_.tolerance, noise_.velocities()[offset + k]);
    }
  }
  return fine;
}

bool ConeNewton::piece(const Problem& problem, const RowTable& rows, FrictionMap& map, SolveReport& report) {
  ++report.iterations;
  map.linearise(rows, s_);
  piece_ = problem;
  piece_.clear_groups();
  piece_.add_group(map.rows());
  const std::string fault = table_.gather(piece_);
  if (fault.empty()) return true;
  report = SolveReport::failure("the friction of a contact is beyond all numbers: " + fault);
  return false;
}

bool ConeNewton::step(const Problem& problem, const RowTable& rows, FrictionMap& map, SolveReport& report) {
  if (!piece(problem, rows, map, report)) return false;
  const bool found =
      options_.matrix_free ? conjugate(problem, rows, map, report) : factored(rows, map, report);
  return found && move(problem, rows, map);
}

// d and ds to the solution of the piece.
bool ConeNewton::factored(const RowTable& rows, FrictionMap& map, SolveReport& report) {
  saddle_.assemble(piece_, table_);
  ++report.factorisations;
  std::ranges::copy(map.held(), next_lambda_.begin());
  if (!saddle_.factor(map.states())) {
    report = SolveReport::failure("the factorisation met a zero or non-finite pivot");
    return false;
  }
  const double error = saddle_.solve(piece_, table_, map.states(), d_, next_lambda_);
  if (!(error <= hopeless)) {
    report = SolveReport::failure("the linear system is too badly conditioned to be solved");
    return false;
  }
  for (std::size_t i = 0; i < work_.size(); ++i)
    work_[i] = map.states()[i] == RowState::free ? 0.0 : saddle_.row_residual()[i];
  map.recover(rows, next_lambda_, work_, ds_);
  for (std::size_t j = 0; j < d_.size(); ++j) d_[j] -= v_[j];
  for (std::size_t i = 0; i < ds_.size(); ++i) ds_[i] -= s_[i];
  return true;
}

bool ConeNewton::conjugate(const Problem& problem, const RowTable& rows, FrictionMap& map,
                           SolveReport& report) {
  constexpr double reduction = 1e-4;
  if (!cg_.prepare(piece_, table_, map.states())) return false;
  report.inner_iterations += cg_.solve(piece_, table_, map.states(), descent_, d_, reduction,
                                       most_products - report.inner_iterations);
  apply_rows(problem, d_, work_);
  for (std::size_t i = 0; i < ds_.size(); ++i) ds_[i] = rows.fixed(i) ? 0.0 : -work_[i] / rows.sigma()[i];
  return true;
}

double ConeNewton::slope(const RowTable& rows, const FrictionMap& map, double t) {
  for (std::size_t i = 0; i < s_.size(); ++i) work_[i] = s_[i] + t * ds_[i];
  map.project(rows, work_, next_lambda_);
  double sum = t * curvature_ - decrease_;
  for (std::size_t i = 0; i < s_.size(); ++i)
    if (!rows.fixed(i)) sum += rows.sigma()[i] * ds_[i] * (next_lambda_[i] - lambda_[i]);
  return sum;
}

bool ConeNewton::move(const Problem& problem, const RowTable& rows, const FrictionMap& map) {
  constexpr SlopeSearch search{.enough = 1e-6, .most_doublings = 20, .most_secants = 60};
  decrease_ = dot(d_, descent_);
  curvature_ = kinetic_square(problem, d_);
  if (!(curvature_ > 0) || !std::isfinite(decrease_)) return false;
  // What rounding makes of the decrease: below it there is no slope to follow, and the piece's own solution
  // is as good as it gets.
  double rounding = 0;
  for (std::size_t b = 0; b < problem.blocks().size(); ++b) {
    const auto [offset, size, matrix] = problem.blocks()[b];
    for (std::size_t k = 0; k < size; ++k)
      rounding +=
          std::abs(d_[offset + k]) * noise_.velocities()[offset + k] * problem.matrix(b)[k * (size + 1)];
  }
  const bool last = !(decrease_ > rounding);
  const double t = last ? 1.0 : search.zero(decrease_, [&](double at) { return slope(rows, map, at); });
  if (!std::isfinite(t)) return false;
  for (std::size_t j = 0; j < v_.size(); ++j) v_[j] += t * d_[j];
  for (std::size_t i = 0; i < s_.size(); ++i) s_[i] += t * ds_[i];
  settle(problem, rows, map);
  return !last;
}

}  // namespace hardpan::solve
