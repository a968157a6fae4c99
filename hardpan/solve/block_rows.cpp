#include "hardpan/solve/block_rows.h"

#include <ostream>

#include <fmt/core.h>
#include <fmt/ostream.h>

#include "hardpan/core/error.h"
#include "hardpan/solve/block_product.h"
#include "hardpan/solve/stored_text.h"

namespace hardpan::solve {

void BlockRows::clear() {
  row_start_.assign(1, 0);
  terms_.clear();
  coefficients_.clear();
  cones_.clear();
  for (auto* column : {&sigma_, &rhs_, &lower_, &upper_, &start_}) column->clear();
}

std::size_t BlockRows::add_row(const Problem& problem, std::span<const std::size_t> blocks) {
  for (const std::size_t block : blocks) {
    const Problem::Block& b = problem.blocks()[block];
    terms_.push_back({block, b.offset, b.size, coefficients_.size()});
    coefficients_.resize(coefficients_.size() + b.size, 0.0);
  }
  row_start_.push_back(terms_.size());
  for (auto* column : {&sigma_, &rhs_, &lower_, &upper_, &start_}) column->push_back(0.0);
  set(rows() - 1, {});
  return rows() - 1;
}

void BlockRows::set(std::size_t row, const RowValues& values) {
  sigma_[row] = values.sigma;
  rhs_[row] = values.rhs;
  lower_[row] = values.lower;
  upper_[row] = values.upper;
  start_[row] = values.start;
}

std::span<double> BlockRows::jacobian(std::size_t row, std::size_t k) {
  const Term& term = terms_[row_start_[row] + k];
  return std::span(coefficients_).subspan(term.first, term.size);
}
std::span<const double> BlockRows::jacobian(std::size_t row, std::size_t k) const {
  const Term& term = terms_[row_start_[row] + k];
  return std::span(coefficients_).subspan(term.first, term.size);
}

double BlockRows::rate(std::size_t row, std::span<const double> v) const {
  double sum = 0;
  for (std::size_t t = row_start_[row]; t < row_start_[row + 1]; ++t)
    sum += dot(&coefficients_[terms_[t].first], &v[terms_[t].column], terms_[t].size);
  return sum;
}

void BlockRows::apply(std::span<const double> v, std::span<double> out) const {
  for (std::size_t i = 0; i < rows(); ++i) out[i] = rate(i, v);
}

void BlockRows::apply_transpose(std::span<const double> lambda, std::span<double> out) const {
  for (std::size_t i = 0; i < rows(); ++i)
    for (std::size_t t = row_start_[i]; t < row_start_[i + 1]; ++t)
      add_scaled(lambda[i], &coefficients_[terms_[t].first], &out[terms_[t].column], terms_[t].size);
}

void BlockRows::assemble(std::size_t first_row, MatrixSink& sink) const {
  for (std::size_t i = 0; i < rows(); ++i)
    for (std::size_t t = row_start_[i]; t < row_start_[i + 1]; ++t)
      sink.jacobian(first_row + i, terms_[t].block,
                    std::span(coefficients_).subspan(terms_[t].first, terms_[t].size));
}

void BlockRows::write(std::ostream& out) const {
  fmt::print(out, "block-rows {}\n", rows());
  for (std::size_t i = 0; i < rows(); ++i) {
    fmt::print(out, "{:a} {:a} {:a} {:a} {:a} {}", sigma_[i], rhs_[i], lower_[i], upper_[i], start_[i],
               terms(i));
    for (std::size_t k = 0; k < terms(i); ++k) {
      fmt::print(out, " {}", terms_[row_start_[i] + k].block);
      for (const double x : jacobian(i, k)) fmt::print(out, " {:a}", x);
    }
    fmt::print(out, "\n");
  }
  write_cones(out, cones_);
}

std::unique_ptr<BlockRows> BlockRows::read(std::istream& in, const Problem& problem, std::size_t version) {
  auto group = std::make_unique<BlockRows>();
  const std::size_t count = read_count(in);
  for (std::size_t i = 0; i < count; ++i) {
    RowValues values;
    for (double* x : {&values.sigma, &values.rhs, &values.lower, &values.upper, &values.start})
      *x = read_real(in);
    const std::size_t terms = read_count(in);
    const std::size_t row = group->add_row(problem, {});
    for (std::size_t k = 0; k < terms; ++k) {
      const std::size_t block = read_count(in);
      if (block >= problem.blocks().size())
        throw IoError("stored problem: a row refers to a velocity block that is not there");
      const Problem::Block& b = problem.blocks()[block];
      group->terms_.push_back({block, b.offset, b.size, group->coefficients_.size()});
      for (std::size_t c = 0; c < b.size; ++c) group->coefficients_.push_back(read_real(in));
    }
    group->row_start_.back() = group->terms_.size();
    group->set(row, values);
  }
  if (version > 2) group->cones_ = read_cones(in);
  return group;
}

}  // namespace hardpan::solve
