#include "hardpan/solve/problem.h"

#include <algorithm>
#include <cmath>
#include <istream>
#include <ostream>
#include <string>

#include <fmt/core.h>
#include <fmt/ostream.h>

#include "hardpan/core/error.h"

namespace hardpan::solve {
namespace {

constexpr std::size_t max_count = 100'000'000;  // a damaged file must not ask for all memory

std::size_t read_count(std::istream& in) {
  std::size_t n = 0;
  if (!(in >> n) || n > max_count) throw IoError("stored problem: a count is missing or absurd");
  return n;
}

// Streams do not parse hexadecimal floats; strtod does.
double read_real(std::istream& in) {
  std::string word;
  in >> word;
  char* end = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  if (word.empty() || *end != '\0') throw IoError("stored problem: a number is missing or malformed");
  return value;
}

void expect_word(std::istream& in, const char* expected) {
  std::string word;
  in >> word;
  if (word != expected)
    throw IoError(fmt::format("stored problem: expected '{}', found '{}'", expected, word));
}

Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> as_matrix(
    std::span<const double> values, std::size_t size) {
  return {values.data(), static_cast<Eigen::Index>(size), static_cast<Eigen::Index>(size)};
}

Eigen::Map<const VecX> as_vector(std::span<const double> values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}
Eigen::Map<VecX> as_vector(std::span<double> values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

}  // namespace

// ---- PairRows

void PairRows::resize(std::size_t count) {
  rows_.resize(count);
  sigma_.resize(count);
  rhs_.resize(count);
}

void PairRows::set(std::size_t i, const Row& row, double sigma, double rhs) {
  rows_[i] = row;
  sigma_[i] = sigma;
  rhs_[i] = rhs;
}

void PairRows::apply(std::span<const double> v, std::span<double> out) const {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Row& r = rows_[i];
    double sum = 0;
    if (r.column_a != no_block) sum += r.jacobian_a.dot(Eigen::Map<const Vec6>(&v[r.column_a]));
    if (r.column_b != no_block) sum += r.jacobian_b.dot(Eigen::Map<const Vec6>(&v[r.column_b]));
    out[i] = sum;
  }
}

void PairRows::apply_transpose(std::span<const double> lambda, std::span<double> out) const {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Row& r = rows_[i];
    if (r.column_a != no_block) Eigen::Map<Vec6>(&out[r.column_a]) += lambda[i] * r.jacobian_a;
    if (r.column_b != no_block) Eigen::Map<Vec6>(&out[r.column_b]) += lambda[i] * r.jacobian_b;
  }
}

void PairRows::assemble(std::size_t first_row, MatrixSink& sink) const {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Row& r = rows_[i];
    sink.sigma(first_row + i, sigma_[i]);
    for (Eigen::Index k = 0; k < 6; ++k) {
      const auto column = static_cast<std::size_t>(k);
      if (r.column_a != no_block) sink.jacobian(first_row + i, r.column_a + column, r.jacobian_a[k]);
      if (r.column_b != no_block) sink.jacobian(first_row + i, r.column_b + column, r.jacobian_b[k]);
    }
  }
}

void PairRows::write(std::ostream& out) const {
  fmt::print(out, "pair-rows {}\n", rows_.size());
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Row& r = rows_[i];
    fmt::print(out, "{} {} {:a} {:a}", r.column_a == no_block ? -1 : static_cast<long>(r.column_a),
               r.column_b == no_block ? -1 : static_cast<long>(r.column_b), sigma_[i], rhs_[i]);
    for (double x : r.jacobian_a) fmt::print(out, " {:a}", x);
    for (double x : r.jacobian_b) fmt::print(out, " {:a}", x);
    fmt::print(out, "\n");
  }
}

std::unique_ptr<PairRows> PairRows::read(std::istream& in, std::size_t velocities) {
  const auto read_column = [&] {
    long column = -2;
    if (!(in >> column) || column < -1 || column + 6 > static_cast<long>(velocities))
      throw IoError("stored problem: a row refers to a velocity that is not there");
    return column < 0 ? no_block : static_cast<std::size_t>(column);
  };
  auto group = std::make_unique<PairRows>();
  const std::size_t count = read_count(in);
  for (std::size_t i = 0; i < count; ++i) {
    Row row;
    row.column_a = read_column();
    row.column_b = read_column();
    const double sigma = read_real(in), rhs = read_real(in);
    for (double& x : row.jacobian_a) x = read_real(in);
    for (double& x : row.jacobian_b) x = read_real(in);
    group->resize(i + 1);
    group->set(i, row, sigma, rhs);
  }
  return group;
}

// ---- Problem

std::size_t Problem::add_block(std::size_t size) {
  HARDPAN_CHECK(size == 1 || size == 3 || size == 6, "velocity blocks have 1, 3 or 6 components");
  blocks_.push_back({p_.size(), size, a_.size()});
  p_.resize(p_.size() + size, 0.0);
  a_.resize(a_.size() + size * size, 0.0);
  return blocks_.size() - 1;
}

std::size_t Problem::rows() const {
  std::size_t count = 0;
  for (const RowGroup* group : groups_) count += group->rows();
  return count;
}

std::span<double> Problem::matrix(std::size_t block) {
  const Block& b = blocks_[block];
  return std::span(a_).subspan(b.matrix, b.size * b.size);
}
std::span<const double> Problem::matrix(std::size_t block) const {
  const Block& b = blocks_[block];
  return std::span(a_).subspan(b.matrix, b.size * b.size);
}
std::span<double> Problem::momentum(std::size_t block) {
  const Block& b = blocks_[block];
  return std::span(p_).subspan(b.offset, b.size);
}

void Problem::residual(std::span<const double> v, std::span<const double> lambda, std::span<double> r_p,
                       std::span<double> r_q) const {
  std::size_t first = 0;
  std::fill(r_p.begin(), r_p.end(), 0.0);
  for (const RowGroup* group : groups_) {
    const auto part = lambda.subspan(first, group->rows());
    const auto out = r_q.subspan(first, group->rows());
    group->apply(v, out);
    group->apply_transpose(part, r_p);
    for (std::size_t i = 0; i < part.size(); ++i)
      out[i] = group->rhs()[i] - out[i] - group->sigma()[i] * part[i];
    first += group->rows();
  }
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Block& block = blocks_[b];
    as_vector(r_p.subspan(block.offset, block.size)) +=
        as_vector(std::span(p_).subspan(block.offset, block.size)) -
        as_matrix(matrix(b), block.size) * as_vector(v.subspan(block.offset, block.size));
  }
}

void Problem::write(std::ostream& out) const {
  fmt::print(out, "hardpan-problem 1\nblocks {}\n", blocks_.size());
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const Block& block = blocks_[b];
    fmt::print(out, "{}", block.size);
    for (double x : std::span(p_).subspan(block.offset, block.size)) fmt::print(out, " {:a}", x);
    for (double x : matrix(b)) fmt::print(out, " {:a}", x);
    fmt::print(out, "\n");
  }
  fmt::print(out, "groups {}\n", groups_.size());
  for (const RowGroup* group : groups_) group->write(out);
}

StoredProblem read_problem(std::istream& in) {
  StoredProblem stored;
  expect_word(in, "hardpan-problem");
  expect_word(in, "1");
  expect_word(in, "blocks");
  const std::size_t block_count = read_count(in);
  for (std::size_t b = 0; b < block_count; ++b) {
    const std::size_t size = read_count(in);
    if (size != 1 && size != 3 && size != 6)
      throw IoError("stored problem: a block has 1, 3 or 6 velocities");
    stored.problem.add_block(size);
    for (double& x : stored.problem.momentum(b)) x = read_real(in);
    for (double& x : stored.problem.matrix(b)) x = read_real(in);
  }
  expect_word(in, "groups");
  const std::size_t group_count = read_count(in);
  for (std::size_t g = 0; g < group_count; ++g) {
    expect_word(in, "pair-rows");
    stored.groups.push_back(PairRows::read(in, stored.problem.velocities()));
    stored.problem.add_group(*stored.groups.back());
  }
  return stored;
}

}  // namespace hardpan::solve
