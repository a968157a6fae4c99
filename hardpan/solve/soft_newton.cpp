#include "hardpan/solve/soft_newton.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "hardpan/core/parallel.h"
#include "hardpan/solve/block_cholesky.h"
#include "hardpan/solve/block_product.h"
#include "hardpan/solve/primal_path.h"
#include "hardpan/solve/slope_search.h"

namespace hardpan::solve {
namespace {

constexpr int default_steps = 200;
constexpr int most_products = 20'000;
constexpr int most_rounds = 50;
constexpr double new_piece = 0.03;  // reduction of the residual
constexpr double too_far = 0.5;     // slope at the end of a step, over that at its beginning
constexpr int most_returns = 8;
constexpr double small_term = 0.1;  // of the largest of a row
constexpr double roundings = 1e-6;  // what differences of curvatures may lose
constexpr std::size_t alone = static_cast<std::size_t>(-1);

}  // namespace

void SoftNewton::solve(const Problem& problem, std::span<double> v, std::span<double> lambda,
                       SolveReport& report) {
  problem_ = &problem;
  if (problem.bend()) problem.bend()(v, Problem::Bent::for_products);
  soft_.gather(problem);
  others_ = problem;
  others_.clear_groups();
  for (const RowGroup* group : soft_.others()) others_.add_group(*group);
  if (std::string fault = rows_.gather(others_); !fault.empty()) {
    report = SolveReport::failure(std::move(fault));
    return;
  }
  fold_rows();
  if (!invert_blocks(report)) return;
  v_.assign(v.begin(), v.end());
  soft_.take_others(lambda, lambda_);
  admit(rows_, options_.friction, lambda_);
  for (auto* vector : {&s_, &ds_, &work_, &next_lambda_, &on_rows_}) vector->resize(rows_.size());
  for (auto* vector : {&d_, &descent_, &product_, &preconditioned_}) vector->resize(v_.size());
  const bool convex = options_.friction == Friction::convex || rows_.contacts().empty();
  if (convex) {
    map_.cones(rows_);
    minimise(report);
  } else {
    map_.discs(rows_, options_.friction == Friction::box);
    change_radii();
    for (int round = 0; round < most_rounds && report.ok; ++round) {
      minimise(report);
      if (!change_radii()) break;
      report.converged = false;
    }
  }
  if (!report.ok) return;
  if (!rows_.contacts().empty()) report.friction = options_.friction;
  std::ranges::copy(v_, v.begin());
  if (problem.bend()) problem.bend()(v_, Problem::Bent::whole);
  soft_.give_back(v_, lambda_, lambda);
  if (!all_finite(v) || !all_finite(lambda)) {
    report = SolveReport::failure("the solution is not finite");
    return;
  }
  apply_rows(others_, v_, work_);
  for (std::size_t i = 0; i < work_.size(); ++i) work_[i] += rows_.sigma()[i] * lambda_[i] - rows_.rhs()[i];
  row_errors(rows_, options_.friction, lambda_, work_);
  report.residual = {largest(descent_), largest(work_), 0};
}

// From the normals; what slides is put on its new rim. False when that changes little.
bool SoftNewton::change_radii() {
  constexpr double nearly_all = 1 - 1e-9;
  const double little = std::clamp(1e3 * options_.tolerance, 1e-8, 1e-3);  // of a speed of 1 mm/s
  double most = 0, change = 0;
  for (Disc& disc : map_.discs()) {
    const double radius = disc.mu * std::max(0.0, lambda_[disc.normal]);
    most = std::max(most, radius);
    change = std::max(change, std::abs(radius - disc.radius));
    double* const friction = &lambda_[disc.first];
    if (const double size = norm(friction, disc.count); size > 0 && size >= nearly_all * disc.radius)
      for (std::size_t k = 0; k < disc.count; ++k) friction[k] *= radius / size;
    disc.radius = radius;
  }
  return change > little * most;
}

void SoftNewton::minimise(SolveReport& report) {
  const int cap = options_.max_iterations > 0 ? options_.max_iterations : default_steps;
  apply_rows(others_, v_, work_);
  for (std::size_t i = 0; i < s_.size(); ++i)
    s_[i] = rows_.fixed(i) ? rows_.lower()[i] : (rows_.rhs()[i] - work_[i]) / rows_.sigma()[i];
  settle();
  states_.clear();
  report.converged = error() <= options_.tolerance;
  for (int k = 0; !report.converged && k < cap && report.inner_iterations < most_products; ++k) {
    if (!prepare(report)) return;
    const bool same = std::ranges::equal(states_, map_.states());
    states_.assign(map_.states().begin(), map_.states().end());
    const bool linear = !problem_->bend() && (same || rows_.contacts().empty());
    conjugate_gradients(linear ? 0.0 : new_piece, report);
    if (!move()) break;
    report.converged = error() <= options_.tolerance;
  }
}

void SoftNewton::settle() {
  map_.project(rows_, s_, lambda_);
  if (problem_->bend()) problem_->bend()(v_, Problem::Bent::for_products);
  soft_.residual(v_, descent_);
  std::size_t first = 0;
  for (const RowGroup* group : others_.groups()) {
    group->apply_transpose(std::span<const double>(lambda_).subspan(first, group->rows()), descent_);
    first += group->rows();
  }
}

// Of the momentum, as the velocity that is left over: velocities follow from impulses (stepper.h).
double SoftNewton::error() const {
  double most = 0;
  for (const Problem::Block& block : others_.blocks())
    for (std::size_t k = 0; k < block.size; ++k) {
      const double error =
          std::abs(descent_[block.offset + k]) / others_.matrices()[block.matrix + k * (block.size + 1)];
      if (!(error <= most)) most = error;
    }
  return most;
}

void SoftNewton::fold_rows() {
  diagonal_.assign(soft_.diagonal().begin(), soft_.diagonal().end());
  joining_.clear();
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const double sigma = rows_.sigma()[i];
    if (rows_.terms(i).size() != 1 || rows_.bounded(i) || rows_.in_cone(i) || !(sigma > 0)) {
      joining_.push_back(i);
      continue;
    }
    const RowTable::Term& term = rows_.terms(i)[0];
    const auto g = rows_.coefficients(term);
    double* const block = &diagonal_[others_.blocks()[term.block].matrix];
    for (std::size_t a = 0; a < term.size; ++a)
      for (std::size_t b = 0; b < term.size; ++b) block[a * term.size + b] += g[a] * g[b] / sigma;
  }
}

bool SoftNewton::invert_blocks(SolveReport& report) {
  inverses_.resize(diagonal_.size());
  const auto invert = [&](const Problem::Block& block) {
    const std::size_t size = block.size;
    std::array<double, 36> factor;
    std::array<double, 6> column;
    const auto l = std::span(factor).first(size * size);
    const auto x = std::span(column).first(size);
    std::ranges::copy(std::span(diagonal_).subspan(block.matrix, size * size), l.begin());
    if (!cholesky(l, size)) return false;
    for (std::size_t k = 0; k < size; ++k) {
      std::ranges::fill(x, 0.0);
      x[k] = 1;
      cholesky_solve(l, x);
      std::ranges::copy(x, &inverses_[block.matrix + k * size]);
    }
    return true;
  };
  const bool good = parallel_reduce(
      others_.blocks().size(), true,
      [&](std::size_t begin, std::size_t end) {
        return std::all_of(others_.blocks().begin() + static_cast<std::ptrdiff_t>(begin),
                           others_.blocks().begin() + static_cast<std::ptrdiff_t>(end), invert);
      },
      std::logical_and<>());
  if (!good) report = SolveReport::failure("the stiffness of a block is not positive definite");
  return good;
}

// ---- one step

// The terms of a row that what is preconditioned with has: those of points that are small against others of
// the same row would only make its factor fuller.
void SoftNewton::pick_terms(std::size_t row) {
  const auto size = [&](const RowTable::Term& term) {
    return norm(map_.rows().coefficients(term).data(), term.size);
  };
  double most = 0;
  for (const RowTable::Term& term : rows_.terms(row))
    if (term.size == 3) most = std::max(most, size(term));
  picked_.clear();
  for (const RowTable::Term& term : rows_.terms(row))
    if (term.size != 3 || !(size(term) < small_term * most)) picked_.push_back(term);
}

// The piece at s, and the factor of what it is preconditioned with.
bool SoftNewton::prepare(SolveReport& report) {
  ++report.iterations;
  map_.linearise(rows_, s_);
  place_.assign(others_.blocks().size(), alone);
  touched_blocks_.clear();
  touched_ = Problem();
  touched_rows_.clear();
  std::vector<std::size_t> blocks;
  const PieceRows& piece = map_.rows();
  const auto place = [&](const RowTable::Term& term) {
    if (place_[term.block] == alone) {
      const std::size_t block = place_[term.block] = touched_.add_block(term.size);
      touched_blocks_.push_back(term.block);
      std::ranges::copy(
          std::span(diagonal_).subspan(others_.blocks()[term.block].matrix, term.size * term.size),
          touched_.matrix(block).begin());
    }
    return place_[term.block];
  };
  joining_states_.clear();
  for (const std::size_t i : joining_) {
    joining_states_.push_back(map_.states()[i]);
    pick_terms(i);
    blocks.clear();
    for (const RowTable::Term& term : picked_) blocks.push_back(place(term));
    const std::size_t row = touched_rows_.add_row(touched_, blocks);
    for (std::size_t t = 0; t < picked_.size(); ++t)
      std::ranges::copy(piece.coefficients(picked_[t]), touched_rows_.jacobian(row, t).begin());
    touched_rows_.set(row, {.sigma = piece.sigma()[i]});
  }
  touched_.add_group(touched_rows_);
  std::string fault = touched_table_.gather(touched_);
  if (fault.empty()) {
    saddle_.assemble(touched_, touched_table_);
    ++report.factorisations;
    if (!saddle_.factor(joining_states_)) fault = "the factorisation met a zero or non-finite pivot";
  }
  alone_.clear();
  for (std::size_t b = 0; b < place_.size(); ++b)
    if (place_[b] == alone) alone_.push_back(b);
  if (fault.empty()) return true;
  report = SolveReport::failure(fault);
  return false;
}

void SoftNewton::precondition(std::span<const double> r, std::span<double> out) {
  touched_v_.clear();
  for (const std::size_t b : touched_blocks_) {
    const Problem::Block& block = others_.blocks()[b];
    touched_v_.insert(touched_v_.end(), r.begin() + static_cast<std::ptrdiff_t>(block.offset),
                      r.begin() + static_cast<std::ptrdiff_t>(block.offset + block.size));
  }
  saddle_.precondition(touched_v_);
  std::size_t from = 0;
  for (const std::size_t b : touched_blocks_) {
    const Problem::Block& block = others_.blocks()[b];
    for (std::size_t k = 0; k < block.size; ++k) out[block.offset + k] = touched_v_[from++];
  }
  parallel_for(alone_.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      const Problem::Block& block = others_.blocks()[alone_[n]];
      for (std::size_t k = 0; k < block.size; ++k)
        out[block.offset + k] = dot(&inverses_[block.matrix + k * block.size], &r[block.offset], block.size);
    }
  });
}

// (K + T^T c^-1 T) x over the free rows of the piece.
void SoftNewton::multiply(std::span<const double> x, std::span<double> out) {
  soft_.multiply(x, out);
  map_.rows().apply(x, on_rows_);
  for (std::size_t i = 0; i < on_rows_.size(); ++i)
    on_rows_[i] = map_.states()[i] == RowState::free ? on_rows_[i] / map_.rows().sigma()[i] : 0.0;
  map_.rows().apply_transpose(on_rows_, out);
}

void SoftNewton::conjugate_gradients(double reduction, SolveReport& report) {
  residual_ = descent_;
  std::ranges::fill(d_, 0.0);
  precondition(residual_, preconditioned_);
  direction_ = preconditioned_;
  double norm = dot(residual_, preconditioned_);
  const double enough = norm * reduction * reduction;
  const auto fine = [&] {  // half of what is asked for: the other half is for rounding and the way there
    for (const Problem::Block& block : others_.blocks())
      for (std::size_t k = 0; k < block.size; ++k)
        if (std::abs(residual_[block.offset + k]) >
            0.5 * options_.tolerance * others_.matrices()[block.matrix + k * (block.size + 1)])
          return false;
    return true;
  };
  for (int k = 0; k < most_products && norm > enough && std::isfinite(norm) && !fine(); ++k) {
    multiply(direction_, product_);
    ++report.inner_iterations;
    const double curvature = dot(direction_, product_), step = norm / curvature;
    if (!(curvature > 0) || !std::isfinite(step)) break;
    parallel_for(
        d_.size(),
        [&](std::size_t begin, std::size_t end) {
          for (std::size_t j = begin; j < end; ++j) {
            d_[j] += step * direction_[j];
            residual_[j] -= step * product_[j];
          }
        },
        long_chunk);
    precondition(residual_, preconditioned_);
    const double next = dot(residual_, preconditioned_), beta = next / norm;
    norm = next;
    parallel_for(
        d_.size(),
        [&](std::size_t begin, std::size_t end) {
          for (std::size_t j = begin; j < end; ++j) direction_[j] = preconditioned_[j] + beta * direction_[j];
        },
        long_chunk);
  }
}

double SoftNewton::slope(double t) {
  for (std::size_t i = 0; i < s_.size(); ++i) work_[i] = s_[i] + t * ds_[i];
  map_.project(rows_, work_, next_lambda_);
  double sum = t * curvature_ - decrease_;
  for (std::size_t i = 0; i < s_.size(); ++i)
    if (!rows_.fixed(i)) sum += rows_.sigma()[i] * ds_[i] * (next_lambda_[i] - lambda_[i]);
  return sum;
}

// To the minimum along d, as ConeNewton.
bool SoftNewton::move() {
  constexpr SlopeSearch search{.enough = 1e-3, .most_doublings = 10, .most_secants = 40};
  apply_rows(others_, d_, ds_);
  map_.rows().apply(d_, on_rows_);
  for (std::size_t i = 0; i < ds_.size(); ++i) ds_[i] = rows_.fixed(i) ? 0.0 : -ds_[i] / rows_.sigma()[i];
  decrease_ = dot(d_, descent_);
  curvature_ = decrease_ - dot(d_, residual_);  // with the rows of the piece, by what is left over
  const double with_rows = curvature_;
  for (std::size_t i = 0; i < on_rows_.size(); ++i)
    if (map_.states()[i] == RowState::free) curvature_ -= on_rows_[i] * on_rows_[i] / map_.rows().sigma()[i];
  if (!(curvature_ > roundings * with_rows)) {  // these are all of it, or nearly
    soft_.multiply(d_, product_);
    curvature_ = dot(d_, product_);
  }
  if (!(curvature_ > 0) || !(decrease_ > 0) || !std::isfinite(decrease_)) return false;
  const double t = search.zero(decrease_, [&](double at) { return slope(at); });
  if (!std::isfinite(t)) return false;
  const auto go = [&](double way) {
    for (std::size_t j = 0; j < v_.size(); ++j) v_[j] += way * d_[j];
    for (std::size_t i = 0; i < s_.size(); ++i) s_[i] += way * ds_[i];
    settle();
  };
  go(t);
  // What bends may rise again on the way: back to where it does not, by the secant from the start.
  double at = t;
  for (int k = 0; problem_->bend() && k < most_returns; ++k) {
    const double rise = -dot(d_, descent_);
    if (!(rise > too_far * decrease_)) break;
    const double back = std::max(0.1, decrease_ / (decrease_ + rise)) * at;
    go(back - at);
    at = back;
  }
  return true;
}

}  // namespace hardpan::solve
