#include "hardpan/solve/direct_solver.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

namespace hardpan::solve {
namespace {

double largest(std::span<const double> values) {
  double largest = 0;
  for (double x : values) largest = std::isnan(x) ? x : std::max(largest, std::abs(x));
  return largest;
}

}  // namespace

class DirectSolver::Collector final : public MatrixSink {
 public:
  Collector(const Problem& problem, std::vector<SparseLdlt::Place>& places, std::vector<double>& values)
      : problem_(problem), places_(places), values_(values) {}
  void jacobian(std::size_t row, std::size_t block, std::span<const double> values) override {
    for (std::size_t k = 0; k < values.size(); ++k)
      add(problem_.blocks()[block].offset + k, problem_.velocities() + row, values[k]);
  }
  void add(std::size_t row, std::size_t column, double value) {
    places_.push_back({static_cast<int>(row), static_cast<int>(column)});
    values_.push_back(value);
  }

 private:
  const Problem& problem_;
  std::vector<SparseLdlt::Place>& places_;
  std::vector<double>& values_;
};

SolveReport DirectSolver::factor(const Problem& problem) {
  const std::size_t velocities = problem.velocities(), size = velocities + problem.rows();
  places_.clear();
  values_.clear();
  Collector collector(problem, places_, values_);
  for (std::size_t b = 0; b < problem.blocks().size(); ++b) {
    const Problem::Block& block = problem.blocks()[b];
    const auto a = problem.matrix(b);
    for (std::size_t i = 0; i < block.size; ++i)
      for (std::size_t j = i; j < block.size; ++j)
        collector.add(block.offset + i, block.offset + j, a[i * block.size + j]);
  }
  std::size_t first_row = 0;
  for (const RowGroup* group : problem.groups()) {
    group->assemble(first_row, collector);
    for (std::size_t i = 0; i < group->rows(); ++i)
      collector.add(velocities + first_row + i, velocities + first_row + i, -group->sigma()[i]);
    first_row += group->rows();
  }

  const auto same = [](const SparseLdlt::Place& a, const SparseLdlt::Place& b) {
    return a.row == b.row && a.column == b.column;
  };
  if (!analysed_ || ldlt_.size() != static_cast<int>(size) ||
      !std::ranges::equal(places_, known_places_, same)) {
    analysed_ = true;
    ldlt_.analyse(static_cast<int>(size), places_);
    known_places_ = places_;
  }
  if (!ldlt_.factor(values_)) return SolveReport::failure("the factorisation met a zero or non-finite pivot");
  for (std::size_t i = 0; i < size; ++i)
    if ((ldlt_.pivot(static_cast<int>(i)) > 0) != (i < velocities))
      return SolveReport::failure(i < velocities ? "the mass matrix is not positive definite"
                                                 : "a constraint row has no positive compliance");
  return {};
}

SolveReport DirectSolver::solve(const Problem& problem, std::span<double> v, std::span<double> lambda) {
  SolveReport report = factor(problem);
  if (!report.ok) return report;
  const std::size_t velocities = problem.velocities(), rows = problem.rows();
  unknowns_.assign(velocities + rows, 0.0);
  residual_.resize(velocities + rows);
  std::fill(v.begin(), v.end(), 0.0);
  std::fill(lambda.begin(), lambda.end(), 0.0);
  // The first solve is a refinement of zero.
  for (int step = 0; step <= refinement_steps_; ++step) {
    problem.residual(v, lambda, std::span(residual_).first(velocities), std::span(residual_).last(rows));
    for (std::size_t i = velocities; i < residual_.size(); ++i) residual_[i] = -residual_[i];
    ldlt_.solve(residual_);
    for (std::size_t i = 0; i < velocities; ++i) v[i] += residual_[i];
    for (std::size_t i = 0; i < rows; ++i) lambda[i] -= residual_[velocities + i];
    ++report.iterations;
  }
  const auto finite = [](double x) { return std::isfinite(x); };
  if (!std::ranges::all_of(v, finite) || !std::ranges::all_of(lambda, finite)) {
    report.ok = false;
    report.reason = "the solution is not finite";
    return report;
  }
  problem.residual(v, lambda, std::span(residual_).first(velocities), std::span(residual_).last(rows));
  report.residual = {largest(std::span(residual_).first(velocities)),
                     largest(std::span(residual_).last(rows))};
  return report;
}

}  // namespace hardpan::solve
