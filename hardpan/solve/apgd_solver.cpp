#include "hardpan/solve/apgd_solver.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "hardpan/solve/block_cholesky.h"
#include "hardpan/solve/friction.h"
#include "hardpan/solve/impulse_error.h"
#include "hardpan/solve/primal_path.h"

namespace hardpan::solve {
ApgdSolver::ApgdSolver(const SolverOptions& options) : options_(options) {
  if (options_.max_iterations == 0) options_.max_iterations = 10'000;
}

// ---- layout

void ApgdSolver::lay_out(const Problem& problem, std::span<const double> lambda) {
  const std::size_t count = rows_.size();
  j_.resize(rows_.coefficient_count());
  for (std::size_t i = 0; i < count; ++i)
    for (const RowTable::Term& term : rows_.terms(i)) {
      const auto j = std::span(j_).subspan(term.first, term.size);
      std::ranges::copy(rows_.coefficients(term), j.begin());
      cholesky_forward(rows_.factor(problem, term.block), j);
    }
  choose_units();
  free_.assign(6 * (problem.blocks().size() + 2), 0.0);  // two for the ground
  for (std::size_t b = 0; b < problem.blocks().size(); ++b) {
    const Problem::Block& block = problem.blocks()[b];
    const auto u = std::span(free_).subspan(6 * b, block.size);
    std::ranges::copy(problem.momentum().subspan(block.offset, block.size), u.begin());
    cholesky_forward(rows_.factor(problem, b), u);
  }
  sigma_.resize(count);
  r_.resize(count);
  x_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    double rate = 0;
    for (const RowTable::Term& term : rows_.terms(i)) {
      for (std::size_t k = 0; k < term.size; ++k) {
        j_[term.first + k] *= unit_[i];
        rate += j_[term.first + k] * free_[6 * term.block + k];
      }
    }
    sigma_[i] = unit_[i] * unit_[i] * rows_.sigma()[i];
    r_[i] = rate - unit_[i] * rows_.rhs()[i];
    x_[i] = lambda[i] / unit_[i];
  }
  sort_rows();
  shift_.assign(count, 0.0);
  for (auto* array : {&nx_, &next_, &n_next_, &best_, &n_best_, &lambda_, &w_}) array->assign(count, 0.0);
}

// 1/sqrt of N_ii, or of its mean over a normal with its friction, or over other rows of one cone.
void ApgdSolver::choose_units() {
  unit_.assign(rows_.size(), 1.0);
  if (!options_.scaled) return;
  const auto diagonal = [&](std::size_t i) {
    double sum = rows_.fixed(i) ? 1.0 : rows_.sigma()[i];
    for (const RowTable::Term& term : rows_.terms(i)) {
      const auto j = std::span(j_).subspan(term.first, term.size);
      sum += dot(j, j);
    }
    return sum;
  };
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (!rows_.in_cone(i)) unit_[i] = 1 / std::sqrt(diagonal(i));
  for (const RowTable::Contact& contact : rows_.contacts()) {
    bool first = true;
    for (const Cone& cone : rows_.cones(contact)) {
      double sum = first ? diagonal(contact.normal) : 0;
      for (std::size_t i = cone.first; i < cone.first + cone.count; ++i) sum += diagonal(i);
      const double unit = 1 / std::sqrt(sum / static_cast<double>(cone.count + (first ? 1 : 0)));
      if (first) unit_[contact.normal] = unit;
      std::fill_n(&unit_[cone.first], cone.count, unit);
      first = false;
    }
  }
}

// A cell has one cone of two rows that follow their normal, on at most two blocks.
void ApgdSolver::sort_rows() {
  odd_.clear();
  regular_.clear();
  pairs_.clear();
  plain_.clear();
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (!rows_.in_cone(i)) plain_.push_back(static_cast<std::uint32_t>(i));
  odd_rows_ = plain_;
  const auto blocks = static_cast<std::uint32_t>(free_.size() / 6 - 2);
  for (const RowTable::Contact& contact : rows_.contacts()) {
    const std::size_t n = contact.normal;
    const auto cones = rows_.cones(contact);
    const auto terms = rows_.terms(n);
    if (cones.size() == 1 && cones[0].first == n + 1 && cones[0].count == 2 && terms.size() <= 2 &&
        !(terms.size() == 2 && terms[0].block == terms[1].block)) {
      regular_.push_back(contact);
      pairs_.push_back(
          {!terms.empty() ? terms[0].block : blocks, terms.size() == 2 ? terms[1].block : blocks + 1});
      continue;
    }
    odd_.push_back(contact);
    odd_rows_.push_back(static_cast<std::uint32_t>(n));
    for (const Cone& cone : cones)
      for (std::size_t i = cone.first; i < cone.first + cone.count; ++i)
        odd_rows_.push_back(static_cast<std::uint32_t>(i));
  }
  odd_points_.resize(odd_rows_.size());
  cells_.resize(regular_.size());
  std::size_t at = 0;
  for (const std::uint32_t c : order_.find(pairs_, blocks)) {
    const std::size_t n = regular_[c].normal;
    apgd::Cell& cell = cells_[at++];
    cell = {};
    for (std::size_t k = 0; k < rows_.terms(n).size(); ++k)
      for (std::size_t r = 0; r < 3; ++r) {
        const RowTable::Term& term = rows_.terms(n + r)[k];
        std::copy_n(&j_[term.first], term.size, &cell.j[12 * r + 6 * k]);
      }
    cell.a = 6 * pairs_[c][0];
    cell.b = 6 * pairs_[c][1];
    cell.row = static_cast<std::uint32_t>(n);
    cell.sigma_n = sigma_[n];
    cell.sigma_t = sigma_[n + 1];
    cell.mu = rows_.cones(regular_[c])[0].mu;
    cell.gauge = gauge(n);
  }
  waves_.plan(cells_, 6 * blocks);
}

// ---- the matrix and the cones

// out = N x
void ApgdSolver::multiply(std::span<const double> x, std::span<double> out) {
  u_.assign(free_.size(), 0.0);
  push_odd(x);
  apgd::push(cells_, x.data(), u_.data());
  apgd::rates(cells_, u_.data(), x.data(), out.data());
  odd_rates(x, out);
}

void ApgdSolver::push_odd(std::span<const double> x) {
  for (const std::uint32_t i : odd_rows_)
    for (const RowTable::Term& term : rows_.terms(i))
      for (std::size_t k = 0; k < term.size; ++k) u_[6 * term.block + k] += x[i] * j_[term.first + k];
}

void ApgdSolver::odd_rates(std::span<const double> x, std::span<double> out) const {
  for (const std::uint32_t i : odd_rows_) {
    double sum = sigma_[i] * x[i];
    for (const RowTable::Term& term : rows_.terms(i))
      for (std::size_t k = 0; k < term.size; ++k) sum += j_[term.first + k] * u_[6 * term.block + k];
    out[i] = sum;
  }
}

void ApgdSolver::project_odd(std::span<double> x) const {
  for (const std::uint32_t i : plain_)
    x[i] = std::clamp(x[i], rows_.lower()[i] / unit_[i], rows_.upper()[i] / unit_[i]);
  std::array<ConeTerm, RowTable::most_cones> terms;
  for (const RowTable::Contact& contact : odd_) {
    const auto cones = rows_.cones(contact);
    for (std::size_t c = 0; c < cones.size(); ++c)
      terms[c] = {cones[c].mu * unit_[contact.normal] / unit_[cones[c].first],
                  norm(&x[cones[c].first], cones[c].count), 1};
    double& normal = x[contact.normal];
    normal = std::max(0.0, cone_balance(normal, 1, std::span(terms).first(cones.size())));
    for (const Cone& cone : cones)
      into_disc(&x[cone.first], cone.count, cone.mu * unit_[contact.normal] / unit_[cone.first] * normal);
  }
}

// |N d|/|d|, d from the guess to impulses of one unit.
double ApgdSolver::first_curvature() {
  for (std::size_t i = 0; i < rows_.size(); ++i) next_[i] = x_[i] - 1;
  multiply(next_, n_next_);
  const double size = dot(next_, next_);
  const double found = size > 0 ? std::sqrt(dot(n_next_, n_next_) / size) : 0;
  return found > 0 ? found : 1;
}

// What is asked for, and of what: N s, or m/s and rad/s.
double ApgdSolver::goal() const {
  return options_.impulse_tolerance > 0 ? options_.impulse_tolerance : options_.tolerance;
}

// How much of that one unit of a row is.
double ApgdSolver::gauge(std::size_t row) const {
  return options_.impulse_tolerance > 0 ? unit_[row] : 1 / unit_[row];
}

// The largest error of a row under a law.
double ApgdSolver::error_of(std::span<const double> x, std::span<const double> nx, Friction friction) {
  const bool shifted = friction == Friction::convex;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    lambda_[i] = unit_[i] * x[i];
    w_[i] = (nx[i] + r_[i] + (shifted ? shift_[i] : 0.0)) / unit_[i];
  }
  if (options_.impulse_tolerance > 0) return impulse_error(rows_, friction, rho_, lambda_, w_);
  row_errors(rows_, friction, lambda_, w_);
  return largest(w_);
}

// ---- iterations

// All points are x.
void ApgdSolver::begin() {
  for (apgd::Cell& cell : cells_) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t i = cell.row + k;
      cell.g[k] = r_[i] + shift_[i];
      for (auto& point : cell.points) point.x[k] = x_[i], point.nx[k] = nx_[i];
    }
  }
  for (std::size_t k = 0; k < odd_rows_.size(); ++k)
    odd_points_[k].fill({.x = {x_[odd_rows_[k]]}, .nx = {nx_[odd_rows_[k]]}});
}

// x is the present point.
void ApgdSolver::collect() {
  for (const apgd::Cell& cell : cells_) {
    std::ranges::copy(cell.points[ring_.now].x, &x_[cell.row]);
    std::ranges::copy(cell.points[ring_.now].nx, &nx_[cell.row]);
  }
  for (std::size_t k = 0; k < odd_rows_.size(); ++k) {
    x_[odd_rows_[k]] = odd_points_[k][ring_.now].x[0];
    nx_[odd_rows_[k]] = odd_points_[k][ring_.now].nx[0];
  }
}

// To the next point.
apgd::Progress ApgdSolver::step(double beta) {
  const apgd::Step step{.ring = ring_, .beta = beta, .over = 1 / curvature_};
  u_.assign(free_.size(), 0.0);
  for (std::size_t k = 0; k < odd_rows_.size(); ++k) {
    const std::size_t i = odd_rows_[k];
    next_[i] = step.down(odd_points_[k], 0, r_[i] + shift_[i]);
  }
  project_odd(next_);
  push_odd(next_);
  apgd::Progress progress = waves_.run(cells_, step, u_.data());
  odd_rates(next_, n_next_);
  for (std::size_t k = 0; k < odd_rows_.size(); ++k) {
    const std::size_t i = odd_rows_[k];
    odd_points_[k][ring_.next] = {.x = {next_[i]}, .nx = {n_next_[i]}};
    progress.include(step, odd_points_[k], 0, r_[i] + shift_[i], gauge(i));
  }
  return progress;
}

// Of the convex law with the normals shifted as they are; false at the limit of iterations. x becomes the
// best iterate.
bool ApgdSolver::round(double enough, SolveReport& report) {
  constexpr int interval = 25;  // of measurements
  multiply(x_, nx_);
  begin();
  double least = error_of(x_, nx_, Friction::convex);
  best_ = x_;
  n_best_ = nx_;
  double theta = 1, beta = 0;
  for (int k = 1; !(least <= enough) && report.iterations < options_.max_iterations; ++k) {
    ++report.iterations;
    const auto too_long = [&](const apgd::Progress& tried) {
      return !(tried.bent <= curvature_ * tried.size * (1 + 1e-12)) && tried.size > 0;
    };
    apgd::Progress progress = step(beta);
    for (int tries = 0; too_long(progress) && tries < 60; ++tries) {
      curvature_ *= 2;
      progress = step(beta);
    }
    const double error_of_step = curvature_ * progress.longest;
    double theta_next = 0.5 * theta * (std::sqrt(theta * theta + 4) - theta);
    beta = theta * (1 - theta) / (theta * theta + theta_next);
    if (!(progress.uphill <= 0)) beta = 0, theta_next = 1;
    theta = theta_next;
    ring_.turn();
    curvature_ *= 0.9;
    if (std::isnan(progress.size)) break;
    const bool last = report.iterations == options_.max_iterations;
    if (error_of_step > enough && k % interval != 0 && !last) continue;
    collect();
    const double error = error_of(x_, nx_, Friction::convex);
    if (!(error < least)) continue;
    least = error;
    best_ = x_;
    n_best_ = nx_;
  }
  x_ = best_;
  nx_ = n_best_;
  return least <= enough;
}

// Of the present w.
void ApgdSolver::shift_normals() {
  for (const RowTable::Contact& contact : rows_.contacts()) {
    double opening = 0;
    for (const Cone& cone : rows_.cones(contact)) {
      std::array<double, 3> w{};
      for (std::size_t k = 0; k < cone.count; ++k)
        w[k] = (nx_[cone.first + k] + r_[cone.first + k]) / unit_[cone.first + k];
      opening += cone.mu * norm(w.data(), cone.count);
    }
    shift_[contact.normal] = unit_[contact.normal] * opening;
  }
}

SolveReport ApgdSolver::solve(const Problem& problem, std::span<double> v, std::span<double> lambda) {
  if (std::string fault = rows_.gather(problem); !fault.empty())
    return SolveReport::failure(std::move(fault));
  if (options_.friction == Friction::box && !rows_.contacts().empty())
    return SolveReport::failure("apgd knows friction 'cone' and 'convex', not 'box'");
  admit(rows_, options_.friction, lambda);
  lay_out(problem, lambda);
  if (options_.impulse_tolerance > 0) impulse_steps(problem, rows_, rho_);
  curvature_ = first_curvature();
  SolveReport report;
  report.converged = false;
  if (options_.friction == Friction::convex || rows_.contacts().empty()) {
    report.converged = round(goal(), report);
  } else {
    multiply(x_, nx_);
    double error = unbounded;
    while (!report.converged && report.iterations < options_.max_iterations && !std::isnan(error)) {
      shift_normals();
      const int before = report.iterations;
      const double first = options_.impulse_tolerance > 0 ? 100 * goal() : 1e-2;
      if (!round(std::max(0.3 * goal(), std::min(0.1 * error, first)), report)) break;
      error = error_of(x_, nx_, Friction::cone);
      report.converged = error <= goal();
      if (report.iterations == before && !report.converged) ++report.iterations;
    }
  }
  hand_over(problem, v, lambda);
  if (!report.converged && options_.impulse_tolerance == 0)
    report.converged = noise_.within(options_.tolerance, problem, rows_, options_.friction, v, lambda);
  rows_.judge(problem, options_.friction, v, lambda, report);
  if (options_.impulse_tolerance > 0) report.residual.impulse = error_of(x_, nx_, options_.friction);
  return report;
}

// lambda, and v = L^-T (L^-1 p + J^T lambda)
void ApgdSolver::hand_over(const Problem& problem, std::span<double> v, std::span<double> lambda) {
  u_ = free_;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    lambda[i] = rows_.in_cone(i) ? unit_[i] * x_[i] : rows_.clamp(i, unit_[i] * x_[i]);
    for (const RowTable::Term& term : rows_.terms(i))
      for (std::size_t k = 0; k < term.size; ++k) u_[6 * term.block + k] += x_[i] * j_[term.first + k];
  }
  for (std::size_t b = 0; b < problem.blocks().size(); ++b) {
    const Problem::Block& block = problem.blocks()[b];
    const auto x = v.subspan(block.offset, block.size);
    std::copy_n(&u_[6 * b], block.size, x.begin());
    cholesky_backward(rows_.factor(problem, b), x);
  }
}

}  // namespace hardpan::solve
