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
  for (auto* array : {&nx_, &next_, &n_next_, &y_, &ny_, &best_, &n_best_, &lambda_, &w_})
    array->assign(count, 0.0);
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
  cells_.clear();
  odd_.clear();
  plain_.clear();
  odd_rows_.clear();
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (!rows_.in_cone(i)) plain_.push_back(static_cast<std::uint32_t>(i));
  odd_rows_ = plain_;
  const auto ground = static_cast<std::uint32_t>(free_.size() - 6);
  for (const RowTable::Contact& contact : rows_.contacts()) {
    const std::size_t n = contact.normal;
    const auto cones = rows_.cones(contact);
    const auto terms = rows_.terms(n);
    if (cones.size() != 1 || cones[0].first != n + 1 || cones[0].count != 2 || terms.size() > 2 ||
        (terms.size() == 2 && terms[0].block == terms[1].block)) {
      odd_.push_back(contact);
      odd_rows_.push_back(static_cast<std::uint32_t>(n));
      for (const Cone& cone : cones)
        for (std::size_t i = cone.first; i < cone.first + cone.count; ++i)
          odd_rows_.push_back(static_cast<std::uint32_t>(i));
      continue;
    }
    apgd::Cell& cell = cells_.emplace_back();
    cell.j = {};
    std::array blocks = {ground, ground - 6};
    for (std::size_t k = 0; k < terms.size(); ++k) {
      blocks[k] = 6 * terms[k].block;
      for (std::size_t r = 0; r < 3; ++r)
        std::copy_n(&j_[rows_.terms(n + r)[k].first], terms[k].size, &cell.j[12 * r + 6 * k]);
    }
    cell.a = blocks[0];
    cell.b = blocks[1];
    cell.row = static_cast<std::uint32_t>(n);
    cell.sigma_n = sigma_[n];
    cell.sigma_t = sigma_[n + 1];
    cell.mu = cones[0].mu;
  }
}

// ---- the matrix and the cones

// out = N x
void ApgdSolver::multiply(std::span<const double> x, std::span<double> out) {
  u_.assign(free_.size(), 0.0);
  apgd::push(cells_, x.data(), u_.data());
  for (const std::uint32_t i : odd_rows_)
    for (const RowTable::Term& term : rows_.terms(i))
      for (std::size_t k = 0; k < term.size; ++k) u_[6 * term.block + k] += x[i] * j_[term.first + k];
  apgd::rates(cells_, u_.data(), x.data(), out.data());
  for (const std::uint32_t i : odd_rows_) {
    double sum = sigma_[i] * x[i];
    for (const RowTable::Term& term : rows_.terms(i))
      for (std::size_t k = 0; k < term.size; ++k) sum += j_[term.first + k] * u_[6 * term.block + k];
    out[i] = sum;
  }
}

void ApgdSolver::project(std::span<double> x) const {
  apgd::project(cells_, x.data());
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

// From y by 1/L to `next`, with N next. Returns how long it was, as an error of rows: L |next - y|.
double ApgdSolver::step(bool& too_long) {
  const double over = 1 / curvature_;
  for (std::size_t i = 0; i < rows_.size(); ++i) next_[i] = y_[i] - (ny_[i] + r_[i] + shift_[i]) * over;
  project(next_);
  multiply(next_, n_next_);
  const bool by_impulse = options_.impulse_tolerance > 0;
  double bent = 0, size = 0, longest = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const double d = next_[i] - y_[i];
    bent += d * (n_next_[i] - ny_[i]);
    size += d * d;
    longest = std::max(longest, by_impulse ? std::abs(d) * unit_[i] : std::abs(d) / unit_[i]);
  }
  too_long = !(bent <= curvature_ * size * (1 + 1e-12)) && size > 0;
  return curvature_ * longest;
}

// Of the convex law with the normals shifted as they are; false at the limit of iterations. x becomes the
// best iterate.
bool ApgdSolver::round(double enough, SolveReport& report) {
  constexpr int interval = 25;  // of measurements
  const std::size_t count = rows_.size();
  multiply(x_, nx_);
  double least = error_of(x_, nx_, Friction::convex);
  best_ = x_;
  n_best_ = nx_;
  y_ = x_;
  ny_ = nx_;
  double theta = 1;
  for (int k = 1; !(least <= enough) && report.iterations < options_.max_iterations; ++k) {
    ++report.iterations;
    bool too_long = true;
    double length = step(too_long);
    for (int tries = 0; too_long && tries < 60; ++tries) {
      curvature_ *= 2;
      length = step(too_long);
    }
    double uphill = 0;
    for (std::size_t i = 0; i < count; ++i) uphill += (ny_[i] + r_[i] + shift_[i]) * (next_[i] - x_[i]);
    double theta_next = 0.5 * theta * (std::sqrt(theta * theta + 4) - theta);
    double beta = theta * (1 - theta) / (theta * theta + theta_next);
    if (!(uphill <= 0)) beta = 0, theta_next = 1;
    for (std::size_t i = 0; i < count; ++i) {
      y_[i] = next_[i] + beta * (next_[i] - x_[i]);
      ny_[i] = n_next_[i] + beta * (n_next_[i] - nx_[i]);
    }
    theta = theta_next;
    x_.swap(next_);
    nx_.swap(n_next_);
    curvature_ *= 0.9;
    if (std::isnan(length)) break;
    const bool last = report.iterations == options_.max_iterations;
    if (length > enough && k % interval != 0 && !last) continue;
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
