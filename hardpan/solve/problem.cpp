#include "hardpan/solve/problem.h"

#include <algorithm>
#include <cmath>
#include <istream>
#include <ostream>
#include <string>

#include <fmt/core.h>
#include <fmt/ostream.h>

#include "hardpan/core/error.h"
#include "hardpan/solve/block_rows.h"
#include "hardpan/solve/stored_text.h"

namespace hardpan::solve {
namespace {

// out -= a v, a row-major. Eigen's product of unknown size would allocate. Bodies are nearly all there is: a
// product of known size for them.
void subtract_product(const double* a, const double* v, double* out, std::size_t size) {
  if (size == 6) {
    using Matrix6 = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;
    Eigen::Map<Vec6>(out).noalias() -= Eigen::Map<const Matrix6>(a) * Eigen::Map<const Vec6>(v);
    return;
  }
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j) out[i] -= a[i * size + j] * v[j];
}

}  // namespace

// ---- text

std::size_t read_count(std::istream& in) {
  constexpr std::size_t most = 100'000'000;  // a damaged file must not ask for all memory
  std::size_t n = 0;
  if (!(in >> n) || n > most) throw IoError("stored problem: a count is missing or absurd");
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

void write_cones(std::ostream& out, std::span<const Cone> cones) {
  fmt::print(out, "cones {}\n", cones.size());
  for (const Cone& cone : cones)
    fmt::print(out, "{} {} {} {:a}\n", cone.normal, cone.first, cone.count, cone.mu);
}

std::vector<Cone> read_cones(std::istream& in) {
  expect_word(in, "cones");
  std::vector<Cone> cones;
  for (std::size_t left = read_count(in); left > 0; --left) {
    const std::size_t normal = read_count(in), first = read_count(in), count = read_count(in);
    cones.push_back({normal, first, count, read_real(in)});
  }
  return cones;
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

void Problem::start(std::span<double> lambda) const {
  std::size_t row = 0;
  for (const RowGroup* group : groups_) {
    const auto lower = group->lower(), upper = group->upper(), guess = group->start();
    for (std::size_t i = 0; i < guess.size(); ++i, ++row)
      lambda[row] = std::max(lower[i], std::min(upper[i], guess[i]));
  }
}

void Problem::residual(std::span<const double> v, std::span<const double> lambda, std::span<double> r_p,
                       std::span<double> w) const {
  std::size_t first = 0;
  std::fill(r_p.begin(), r_p.end(), 0.0);
  for (const RowGroup* group : groups_) {
    const auto part = lambda.subspan(first, group->rows());
    const auto out = w.subspan(first, group->rows());
    group->apply(v, out);
    group->apply_transpose(part, r_p);
    const auto sigma = group->sigma(), rhs = group->rhs();
    for (std::size_t i = 0; i < part.size(); ++i) out[i] += sigma[i] * part[i] - rhs[i];
    first += group->rows();
  }
  for (std::size_t j = 0; j < p_.size(); ++j) r_p[j] += p_[j];
  for (const Block& block : blocks_)
    subtract_product(&a_[block.matrix], &v[block.offset], &r_p[block.offset], block.size);
}

void Problem::write(std::ostream& out) const {
  fmt::print(out, "hardpan-problem 3\nblocks {}\n", blocks_.size());
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
  const std::size_t version = read_count(in);
  if (version != 2 && version != 3)
    throw IoError(fmt::format("stored problem: version {} instead of 2 or 3", version));
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
    expect_word(in, "block-rows");
    stored.groups.push_back(BlockRows::read(in, stored.problem, version));
    stored.problem.add_group(*stored.groups.back());
  }
  return stored;
}

}  // namespace hardpan::solve
