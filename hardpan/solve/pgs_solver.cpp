#include "hardpan/solve/pgs_solver.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hardpan/core/parallel.h"
#include "hardpan/solve/block_cholesky.h"
#include "hardpan/solve/block_product.h"
#include "hardpan/solve/impulse_error.h"

namespace hardpan::solve {
namespace {

constexpr int default_sweeps = 2000, first_look = 16;
constexpr int all_again = 12;  // sweeps until one visits all contacts
constexpr double still = 0.5;  // of the tolerance, by which a contact may change and be left alone

}  // namespace

PgsSolver::PgsSolver(const SolverOptions& options) : options_(options) {
  if (options_.max_iterations <= 0) options_.max_iterations = default_sweeps;
}

SolveReport PgsSolver::solve(const Problem& problem, std::span<double> v, std::span<double> lambda) {
  if (std::string fault = rows_.gather(problem); !fault.empty())
    return SolveReport::failure(std::move(fault));
  admit(rows_, options_.friction, lambda);
  if (options_.tolerance == 0) ease(lambda);
  lay_out(problem, lambda);
  const bool by_impulse = options_.impulse_tolerance > 0;
  if (by_impulse) {
    impulse_steps(problem, rows_, rho_);
    all_.resize(cells_.size());
    std::iota(all_.begin(), all_.end(), 0u);
  }
  SolveReport report;
  report.converged = false;
  look_ = first_look;
  error_ = 0;
  while (!report.converged && report.iterations < options_.max_iterations) {
    const bool worth_a_look = by_impulse ? sweep_where_it_changes(problem, report.iterations, lambda)
                                         : sweep_all(report.iterations, lambda);
    if (std::isnan(error_)) break;
    const bool last = ++report.iterations == options_.max_iterations;
    if ((worth_a_look || last) && options_.tolerance > 0) report.converged = measure(problem, v, lambda);
  }
  if (!report.converged) hand_over(problem, v, lambda);
  rows_.judge(problem, options_.friction, v, lambda, report);
  if (by_impulse) report.residual.impulse = impulse_error(problem, v, lambda);
  return report;
}

void PgsSolver::ease(std::span<double> lambda) const {
  constexpr double share = 0.85;
  for (const RowTable::Contact& contact : rows_.contacts()) {
    lambda[contact.normal] *= share;
    for (const Cone& cone : rows_.cones(contact))
      for (double& x : lambda.subspan(cone.first, cone.count)) x *= share;
  }
}

// ---- layout

// L^-1 of all bodies by columns: divisions once for a body and not for each of its rows.
void PgsSolver::invert(const Problem& problem) {
  inverse_.resize(problem.blocks().size());
  for (std::size_t b = 0; b < problem.blocks().size(); ++b) {
    if (problem.blocks()[b].size != 6) continue;
    using Factor = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;
    const Eigen::Map<const Factor> l(rows_.factor(problem, b).data());
    auto& [inverse, rigid] = inverse_[b];
    rigid = l.bottomLeftCorner<3, 3>().isZero(0) && l(1, 0) == 0 && l(2, 0) == 0 && l(2, 1) == 0;
    inverse.setZero();
    for (Eigen::Index i = 0; i < 6; ++i) inverse(i, i) = 1 / l(i, i);
    for (Eigen::Index k = rigid ? 3 : 0; k < 6; ++k)
      for (Eigen::Index i = k + 1; i < 6; ++i) {
        double sum = 0;
        for (Eigen::Index m = k; m < i; ++m) sum -= l(i, m) * inverse(m, k);
        inverse(i, k) = sum * inverse(i, i);
      }
  }
}

// L^-1 x of a block: a row of G becomes one of J, a momentum a scaled velocity.
void PgsSolver::scale(const Problem& problem, std::size_t b, const double* x, double* to) const {
  const std::size_t size = problem.blocks()[b].size;
  if (size != 6) {
    std::copy_n(x, size, to);
    return cholesky_forward(rows_.factor(problem, b), {to, size});
  }
  scale_body(inverse_[b], x, to);
}

// Written two at a time, as cells are read.
[[gnu::always_inline]] inline void PgsSolver::scale_body(const Inverse& of, const double* x, double* to) {
  const Mat6& m = of.matrix;
  if (of.rigid) {
    pgs::Pair* const out = reinterpret_cast<pgs::Pair*>(to);  // auto would take them for aligned
    out[0] = pgs::Pair{m(0, 0) * x[0], m(1, 1) * x[1]};
    out[1] = pgs::Pair{m(2, 2) * x[2], m(3, 3) * x[3]};
    out[2] = pgs::Pair{m(4, 3) * x[3] + m(4, 4) * x[4], m(5, 4) * x[4] + m(5, 5) * x[5] + m(5, 3) * x[3]};
  } else {
    Eigen::Map<Vec6>(to).noalias() = m * Eigen::Map<const Vec6>(x);
  }
}

void PgsSolver::scale_row(const Problem& problem, std::size_t row) {
  double sum = rows_.sigma()[row];
  for (const RowTable::Term& term : rows_.terms(row)) {
    const auto j = std::span(j_).subspan(term.first, term.size);
    scale(problem, term.block, rows_.coefficients(term).data(), j.data());
    sum += dot(j.data(), j.data(), term.size);
  }
  diagonal_[row] = sum;
}

// Rows of friction go with their normal; all else stays in its order. u begins at the guess.
void PgsSolver::lay_out(const Problem& problem, std::span<const double> lambda) {
  invert(problem);
  j_.resize(rows_.coefficient_count());
  diagonal_.resize(rows_.size());
  runs_.clear();
  visits_.clear();
  start_velocities(problem);
  std::size_t c = 0;
  const auto contacts = rows_.contacts();
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (rows_.is_friction(i)) continue;
    if (!rows_.in_cone(i)) {
      scale_row(problem, i);
      push(i, lambda[i]);
      append(Kind::rows, i);
    } else if (fits_cell(contacts[c])) {
      append(Kind::cells, visits_.size());
      const auto terms = rows_.terms(i);
      visits_.push_back({static_cast<std::uint32_t>(c++), terms.empty() ? Visit::ground : terms[0].block,
                         terms.size() < 2 ? Visit::ground : terms[1].block});
    } else {
      spread(problem, contacts[c]);
      push_contact(contacts[c], lambda);
      append(Kind::contacts, c++);
    }
  }
  for (const Run& run : runs_)
    if (run.kind == Kind::cells) arrange(std::span(visits_).subspan(run.first, run.count));
  cells_.resize(visits_.size());
  parallel_for(cells_.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) fill(problem, k, lambda);
  });
  for (const pgs::Cell& cell : cells_)
    if (cell.lambda[0] != 0) pgs::push(cell, u_.data());
}

// u = L^-1 p
void PgsSolver::start_velocities(const Problem& problem) {
  u_.assign(6 * (problem.blocks().size() + 2), 0.0);
  for (std::size_t b = 0; b < problem.blocks().size(); ++b)
    scale(problem, b, &problem.momentum()[problem.blocks()[b].offset], &u_[6 * b]);
}

// Neighbours in the list share bodies, and each would wait for the velocities that the one before it leaves.
// So the next to be visited is the first of the next few that has no body in common with the last.
void PgsSolver::arrange(std::span<Visit> visits) {
  constexpr std::size_t few = 16;
  const auto share = [](const Visit& v, const Visit& w) {
    return v.a == w.a || v.a == w.b || (v.b != Visit::ground && (v.b == w.a || v.b == w.b));
  };
  for (std::size_t i = 1; i < visits.size(); ++i) {
    const auto next = visits.subspan(i, std::min(few, visits.size() - i));
    const auto found = std::ranges::find_if(next, [&](const Visit& v) { return !share(v, visits[i - 1]); });
    if (found == next.end()) continue;
    const Visit first = *found;
    std::move_backward(next.begin(), found, found + 1);
    next[0] = first;
  }
}

void PgsSolver::append(Kind kind, std::size_t index) {
  if (!runs_.empty() && runs_.back().kind == kind && runs_.back().first + runs_.back().count == index)
    ++runs_.back().count;
  else
    runs_.push_back({kind, index, 1});
}

bool PgsSolver::fits_cell(const RowTable::Contact& contact) const {
  const std::size_t n = contact.normal;
  const auto cones = rows_.cones(contact);
  if (cones.size() != 1 || cones[0].first != n + 1 || cones[0].count != 2) return false;
  const auto terms = rows_.terms(n);
  return terms.size() <= 2 && (terms.size() < 2 || terms[0].block != terms[1].block);
}

void PgsSolver::fill(const Problem& problem, std::size_t k, std::span<const double> lambda) {
  const RowTable::Contact& contact = rows_.contacts()[visits_[k].contact];
  const std::size_t n = contact.normal;
  pgs::Cell& cell = cells_[k];
  const auto terms = rows_.terms(n);
  if (terms.size() < 2 || terms[0].size < 6 || terms[1].size < 6) cell.j = {};
  // Two grounds: neighbours need not wait for one that never moves.
  std::array<std::size_t, 2> blocks;
  blocks.fill(u_.size() - 6 * (1 + k % 2));
  for (std::size_t t = 0; t < terms.size(); ++t) {
    const std::size_t block = terms[t].block;
    blocks[t] = 6 * block;
    for (std::size_t r = 0; r < 3; ++r) {
      const double* const row = rows_.coefficients(rows_.terms(n + r)[t]).data();
      if (terms[t].size == 6)
        scale_body(inverse_[block], row, &cell.j[12 * r + 6 * t]);
      else
        scale(problem, block, row, &cell.j[12 * r + 6 * t]);
    }
  }
  cell.a = static_cast<std::uint32_t>(blocks[0]);
  cell.b = static_cast<std::uint32_t>(blocks[1]);
  for (std::size_t r = 0; r < 3; ++r) cell.q[r] = rows_.rhs()[n + r];
  std::copy_n(&lambda[n], 3, cell.lambda.begin());
  cell.sigma_n = rows_.sigma()[n];
  cell.sigma_t = rows_.sigma()[n + 1];
  cell.mu = rows_.cones(contact)[0].mu;
  pgs::complete(cell, options_.friction);
}

// D of a contact's rows becomes rho, one number for the rows of a cone: no less than the largest eigenvalue
// of their part of D by its sums of absolute values, of the whole contact's part for the convex law.
void PgsSolver::spread(const Problem& problem, const RowTable::Contact& contact) {
  scale_row(problem, contact.normal);
  for (const Cone& cone : rows_.cones(contact))
    for (std::size_t i = cone.first; i < cone.first + cone.count; ++i) scale_row(problem, i);
  const bool whole = options_.friction == Friction::convex;
  const auto others = [&](std::size_t i, std::size_t first, std::size_t count) {
    double sum = 0;
    for (std::size_t k = first; k < first + count; ++k)
      for (const RowTable::Term& a : rows_.terms(i))
        for (const RowTable::Term& b : rows_.terms(k))
          if (i != k && a.block == b.block) sum += std::abs(dot(&j_[a.first], &j_[b.first], a.size));
    return sum;
  };
  const auto all_others = [&](std::size_t i) {
    double sum = others(i, contact.normal, 1);
    for (const Cone& cone : rows_.cones(contact)) sum += others(i, cone.first, cone.count);
    return sum;
  };
  for (const Cone& cone : rows_.cones(contact)) {
    double most = 0;
    for (std::size_t i = cone.first; i < cone.first + cone.count; ++i)
      most = std::max(most, diagonal_[i] + (whole ? all_others(i) : others(i, cone.first, cone.count)));
    std::fill_n(&diagonal_[cone.first], cone.count, most);
  }
  if (whole) diagonal_[contact.normal] += all_others(contact.normal);
}

// ---- sweeps

bool PgsSolver::measure(const Problem& problem, std::span<double> v, std::span<double> lambda) {
  refresh(problem, lambda);
  hand_over(problem, v, lambda);
  if (options_.impulse_tolerance > 0) return impulse_error(problem, v, lambda) <= options_.impulse_tolerance;
  return noise_.within(options_.tolerance, problem, rows_, options_.friction, v, lambda);
}

double PgsSolver::impulse_error(const Problem& problem, std::span<const double> v,
                                std::span<const double> lambda) {
  residual_.resize(v.size() + lambda.size());
  const auto r = std::span(residual_).first(v.size()), w = std::span(residual_).subspan(v.size());
  problem.residual(v, lambda, r, w);
  return solve::impulse_error(rows_, options_.friction, rho_, lambda, w);
}

// u = L^-1 p + J^T lambda
void PgsSolver::refresh(const Problem& problem, std::span<const double> lambda) {
  start_velocities(problem);
  for (const pgs::Cell& cell : cells_) pgs::push(cell, u_.data());
  for (const Run& run : runs_)
    for (std::size_t k = run.first; k < run.first + run.count; ++k) {
      if (run.kind == Kind::rows) push(k, lambda[k]);
      if (run.kind == Kind::contacts) push_contact(rows_.contacts()[k], lambda);
    }
}

// lambda, and v = L^-T u
void PgsSolver::hand_over(const Problem& problem, std::span<double> v, std::span<double> lambda) const {
  for (std::size_t k = 0; k < cells_.size(); ++k)
    std::copy_n(cells_[k].lambda.begin(), 3, &lambda[cell_row(k)]);
  for (std::size_t b = 0; b < problem.blocks().size(); ++b) {
    const Problem::Block& block = problem.blocks()[b];
    const auto x = v.subspan(block.offset, block.size);
    if (block.size == 6) {
      Eigen::Map<Vec6>(x.data()).noalias() =
          inverse_[b].matrix.transpose() * Eigen::Map<const Vec6>(&u_[6 * b]);
    } else {
      std::copy_n(&u_[6 * b], block.size, x.begin());
      cholesky_backward(rows_.factor(problem, b), x);
    }
  }
}

// Of the contacts in cells some, where these are given.
double PgsSolver::sweep(bool forward, std::span<double> lambda, const std::vector<std::uint32_t>* which) {
  if (which) changed_.resize(which->size());
  double worst = 0;
  for (std::size_t k = 0; k < runs_.size(); ++k) {
    const Run& run = runs_[forward ? k : runs_.size() - 1 - k];
    double error = 0;
    if (run.kind == Kind::cells && which) {
      const auto first = std::ranges::lower_bound(*which, run.first);
      const auto last = std::lower_bound(first, which->end(), run.first + run.count);
      error = pgs::sweep(options_.friction, cells_, std::span(first, last), forward, u_.data(),
                         changed_.data() + (first - which->begin()));
    } else if (run.kind == Kind::cells)
      error =
          pgs::sweep(options_.friction, std::span(cells_).subspan(run.first, run.count), forward, u_.data());
    else
      for (std::size_t m = 0; m < run.count; ++m) {
        const std::size_t i = forward ? run.first + m : run.first + run.count - 1 - m;
        const double one =
            run.kind == Kind::rows ? relax_row(i, lambda) : relax_contact(rows_.contacts()[i], lambda);
        if (!(one <= error)) error = one;
        if (std::isnan(one)) break;
      }
    if (std::isnan(error)) return error;
    worst = std::max(worst, error);
  }
  return worst;
}

// Is the error small by what was met on the way, or is it time to look?
bool PgsSolver::sweep_all(int number, std::span<double> lambda) {
  error_ = sweep(number % 2 == 0, lambda);
  const bool due = number + 1 >= look_;
  if (due) look_ *= 2;
  return due || error_ <= options_.tolerance;
}

// Is it time to look?
bool PgsSolver::sweep_where_it_changes(const Problem& problem, int number, std::span<double> lambda) {
  const bool all = number % all_again == 0;
  error_ = sweep(number % 2 == 0, lambda, all ? &all_ : &hot_);
  if (all) find_hot(problem);
  const bool due = number + 1 >= look_;
  if (due) look_ += std::max(8, look_ / 8);
  return due;
}

// After a visit of all: the contacts of bodies of which one has still changed.
void PgsSolver::find_hot(const Problem& problem) {
  stirred_.assign(problem.blocks().size() + 2, false);
  for (std::size_t k = 0; k < cells_.size(); ++k) {
    if (changed_[k] > still * options_.impulse_tolerance)
      stirred_[cells_[k].a / 6] = stirred_[cells_[k].b / 6] = true;
  }
  stirred_[problem.blocks().size()] = stirred_[problem.blocks().size() + 1] = false;  // the ground
  hot_.clear();
  for (std::size_t k = 0; k < cells_.size(); ++k)
    if (stirred_[cells_[k].a / 6] || stirred_[cells_[k].b / 6]) hot_.push_back(static_cast<std::uint32_t>(k));
}

double PgsSolver::rate(std::size_t row) const {
  double sum = 0;
  for (const RowTable::Term& term : rows_.terms(row))
    sum += dot(&j_[term.first], &u_[6 * term.block], term.size);
  return sum;
}

void PgsSolver::push(std::size_t row, double change) {
  if (change == 0) return;
  for (const RowTable::Term& term : rows_.terms(row))
    add_scaled(change, &j_[term.first], &u_[6 * term.block], term.size);
}

// Returns what the row missed.
double PgsSolver::relax_row(std::size_t i, std::span<double> lambda) {
  if (rows_.fixed(i)) return 0;
  const double w = rate(i) + rows_.sigma()[i] * lambda[i] - rows_.rhs()[i];
  const double error = std::abs(row_error(w, lambda[i], rows_.lower()[i], rows_.upper()[i]));
  const double next = rows_.clamp(i, lambda[i] - w / diagonal_[i]);
  push(i, next - lambda[i]);
  lambda[i] = next;
  return std::isnan(w) ? w : error;
}

void PgsSolver::push_contact(const RowTable::Contact& contact, std::span<const double> lambda) {
  push(contact.normal, lambda[contact.normal]);
  for (const Cone& cone : rows_.cones(contact))
    for (std::size_t i = cone.first; i < cone.first + cone.count; ++i) push(i, lambda[i]);
}

// lambda_i - w_i / rho_i
double PgsSolver::target(std::size_t i, std::span<const double> lambda) const {
  return lambda[i] - (rate(i) + rows_.sigma()[i] * lambda[i] - rows_.rhs()[i]) / diagonal_[i];
}

double PgsSolver::replace(std::size_t i, double next, std::span<double> lambda) {
  const double change = next - lambda[i];
  push(i, change);
  lambda[i] = next;
  return diagonal_[i] * std::abs(change);
}

// As the cells do it, for any rows.
double PgsSolver::relax_contact(const RowTable::Contact& contact, std::span<double> lambda) {
  double error = 0;
  const auto note = [&](double one) { error = one <= error ? error : one; };
  std::array<std::array<double, 3>, RowTable::most_cones> next{};
  std::array<ConeTerm, RowTable::most_cones> terms;
  const auto cones = rows_.cones(contact);
  if (options_.friction == Friction::convex) {
    for (std::size_t c = 0; c < cones.size(); ++c) {
      for (std::size_t k = 0; k < cones[c].count; ++k) next[c][k] = target(cones[c].first + k, lambda);
      terms[c] = {cones[c].mu, norm(next[c].data(), cones[c].count), diagonal_[cones[c].first]};
    }
    const double n = cone_balance(target(contact.normal, lambda), diagonal_[contact.normal],
                                  std::span(terms).first(cones.size()));
    note(replace(contact.normal, pgs::larger(0.0, n), lambda));
  } else {
    note(relax_row(contact.normal, lambda));
  }
  for (std::size_t c = 0; c < cones.size(); ++c) {
    const double radius = cones[c].mu * lambda[contact.normal];
    if (options_.friction != Friction::convex)
      for (std::size_t k = 0; k < cones[c].count; ++k) next[c][k] = target(cones[c].first + k, lambda);
    if (options_.friction == Friction::box)
      for (double& x : next[c]) x = std::clamp(x, -radius, radius);
    else
      into_disc(next[c].data(), cones[c].count, radius);
    for (std::size_t k = 0; k < cones[c].count; ++k) note(replace(cones[c].first + k, next[c][k], lambda));
  }
  return error;
}

}  // namespace hardpan::solve
