// Problems for the tests of the solvers: random ones, chains, grids, shafts, struts. Deterministic.
#pragma once

#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include <Eigen/Dense>

#include "hardpan/core/random.h"
#include "hardpan/solve/block_rows.h"
#include "hardpan/solve/problem.h"
#include "hardpan/solve/solver.h"

namespace hardpan::solve::test {

struct TestProblem {
  Problem problem;
  BlockRows rows;
};
using TestProblemPtr = std::unique_ptr<TestProblem>;

inline std::span<double> span_of(VecX& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}
  double number(double low = -1, double high = 1) { return random_.uniform(count_++, low, high); }
  double decade(double low, double high) { return std::pow(10.0, number(low, high)); }
  std::size_t pick(std::size_t size) { return static_cast<std::size_t>(random_.words(count_++)[0] % size); }

 private:
  CounterRandom random_;
  std::uint64_t count_ = 0;
};

struct Solved {
  SolveReport report;
  VecX v, lambda;
};
// From the problem's own start, or from a given guess.
inline Solved solved(Solver& solver, const Problem& problem, const VecX* guess = nullptr) {
  Solved s{{},
           VecX::Zero(static_cast<Eigen::Index>(problem.velocities())),
           VecX::Zero(static_cast<Eigen::Index>(problem.rows()))};
  problem.start(span_of(s.lambda));
  if (guess) s.lambda = *guess;
  s.report = solver.solve(problem, span_of(s.v), span_of(s.lambda));
  return s;
}
inline Solved solved(SolverKind kind, const Problem& problem, const VecX* guess = nullptr) {
  return solved(*make_solver({.kind = kind}), problem, guess);
}

class DenseSink final : public MatrixSink {
 public:
  DenseSink(Eigen::MatrixXd& m, const Problem& problem) : m_(m), problem_(problem) {}
  void jacobian(std::size_t row, std::size_t block, std::span<const double> values) override {
    const auto i = static_cast<Eigen::Index>(problem_.velocities() + row);
    auto j = static_cast<Eigen::Index>(problem_.blocks()[block].offset);
    for (const double value : values) {
      m_(i, j) += value;
      m_(j++, i) -= value;
    }
  }

 private:
  Eigen::MatrixXd& m_;
  const Problem& problem_;
};

// The unsymmetric system of MESHFREE (9), densely: independent of signs and ordering in the solvers.
struct DenseSystem {
  Eigen::MatrixXd matrix;
  VecX right;
};
inline DenseSystem dense_system(const Problem& problem) {
  const auto n = static_cast<Eigen::Index>(problem.velocities() + problem.rows());
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(n, n);
  VecX right = VecX::Zero(n);
  for (std::size_t b = 0; b < problem.blocks().size(); ++b) {
    const auto& block = problem.blocks()[b];
    for (std::size_t i = 0; i < block.size; ++i)
      for (std::size_t j = 0; j < block.size; ++j)
        m(static_cast<Eigen::Index>(block.offset + i), static_cast<Eigen::Index>(block.offset + j)) =
            problem.matrix(b)[i * block.size + j];
  }
  for (std::size_t i = 0; i < problem.velocities(); ++i)
    right[static_cast<Eigen::Index>(i)] = problem.momentum()[i];
  std::size_t first = 0;
  DenseSink sink(m, problem);
  for (const RowGroup* group : problem.groups()) {
    group->assemble(first, sink);
    for (std::size_t i = 0; i < group->rows(); ++i) {
      const auto row = static_cast<Eigen::Index>(problem.velocities() + first + i);
      right[row] = group->rhs()[i];
      m(row, row) = group->sigma()[i];
    }
    first += group->rows();
  }
  return {m, right};
}
inline VecX dense_solution(const Problem& problem) {
  const DenseSystem system = dense_system(problem);
  return system.matrix.fullPivLu().solve(system.right);
}

inline std::size_t add_mass(TestProblem& t, std::size_t size, double mass) {
  const std::size_t b = t.problem.add_block(size);
  for (std::size_t k = 0; k < size; ++k) t.problem.matrix(b)[k * (size + 1)] = mass;
  return b;
}

inline std::size_t add_row(TestProblem& t, std::span<const std::size_t> blocks, const RowValues& values) {
  const std::size_t row = t.rows.add_row(t.problem, blocks);
  t.rows.set(row, values);
  return row;
}

// Bodies with random positive definite blocks of 1, 3 and 6 velocities and random rows between the
// six-blocks.
inline TestProblemPtr random_problem(std::uint64_t seed, int bodies, int rows, double sigma) {
  auto r = std::make_unique<TestProblem>();
  Dice dice(seed);
  std::vector<std::size_t> six;
  for (int b = 0; b < bodies; ++b) {
    const std::size_t size = b % 5 == 3 ? 1 : b % 5 == 4 ? 3 : 6;
    const std::size_t index = r->problem.add_block(size);
    if (size == 6) six.push_back(index);
    const auto n = static_cast<Eigen::Index>(size);
    Eigen::MatrixXd m = Eigen::MatrixXd::NullaryExpr(n, n, [&](auto, auto) { return dice.number(); });
    m = (m * m.transpose() + 0.1 * Eigen::MatrixXd::Identity(n, n)).eval();
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < n; ++j)
        r->problem.matrix(index)[static_cast<std::size_t>(i * n + j)] = m(i, j);
    for (double& x : r->problem.momentum(index)) x = dice.number();
  }
  for (int i = 0; i < rows; ++i) {
    const std::size_t a = six[dice.pick(six.size())], b = six[dice.pick(six.size())];
    const std::size_t row =
        a == b ? r->rows.add_row(r->problem, std::array{a}) : r->rows.add_row(r->problem, std::array{a, b});
    for (std::size_t t = 0; t < r->rows.terms(row); ++t)
      for (double& x : r->rows.jacobian(row, t)) x = dice.number();
    r->rows.set(row, {.sigma = sigma * (1.5 + dice.number()), .rhs = dice.number()});
  }
  r->problem.add_group(r->rows);
  return r;
}

inline RowValues values_of(const BlockRows& rows, std::size_t i) {
  return {rows.sigma()[i], rows.rhs()[i], rows.lower()[i], rows.upper()[i], rows.start()[i]};
}

// One-sided, two-sided, opposite, fixed and no bounds by turns of the dice.
inline void add_random_bounds(TestProblem& t, std::uint64_t seed, double size = 1) {
  Dice dice(seed);
  for (std::size_t i = 0; i < t.rows.rows(); ++i) {
    RowValues values = values_of(t.rows, i);
    const double a = size * dice.number(), b = size * dice.number();
    switch (dice.pick(6)) {
      case 0:
        values.lower = 0;
        break;
      case 1:
        values.upper = 0;
        break;
      case 2:
        values.lower = -std::abs(a), values.upper = std::abs(a);
        break;
      case 3:
        values.lower = std::min(a, b), values.upper = std::max(a, b);
        break;
      case 4:
        values.lower = values.upper = dice.pick(2) ? a : 0.0;
        break;
      default:
        break;
    }
    values.start = dice.pick(2) ? a : 0.0;
    t.rows.set(i, values);
  }
}

// A chain hanging from the ground under its own weight: links of one size (1, 3 or 6 velocities) and mass, a
// load at the end, three rows (or one) between neighbours. At rest: v = 0 and lambda = weight below times h,
// as q = Sigma lambda. Rows pull along z = the last of the rows.
struct Chain {
  TestProblemPtr t;
  VecX tension;  // lambda of the z rows, from the top
};
inline Chain hanging_chain(int links, std::size_t size, double mass, double load, double sigma) {
  constexpr double gh = 9.81e-3;
  Chain chain{std::make_unique<TestProblem>(), VecX(links)};
  TestProblem& t = *chain.t;
  const std::size_t axes = size == 1 ? 1 : 3;
  for (int k = 0; k < links; ++k) {
    const double m = k + 1 == links ? load : mass;
    t.problem.momentum(add_mass(t, size, m))[axes - 1] = -m * gh;
  }
  double below = 0;
  for (int k = links; k-- > 0;) {
    below += k + 1 == links ? load : mass;
    chain.tension[k] = below * gh;  // with G = v_k - v_(k-1) it pulls link k up
  }
  for (int k = 0; k < links; ++k)
    for (std::size_t axis = 0; axis < axes; ++axis) {
      const auto here = static_cast<std::size_t>(k);
      const double lambda = axis + 1 == axes ? chain.tension[k] : 0.0;
      const std::size_t row =
          k == 0 ? add_row(t, std::array{here}, {.sigma = sigma, .rhs = sigma * lambda})
                 : add_row(t, std::array{here, here - 1}, {.sigma = sigma, .rhs = sigma * lambda});
      t.rows.jacobian(row, 0)[axis] = 1;
      if (k > 0) t.rows.jacobian(row, 1)[axis] = -1;
    }
  t.problem.add_group(t.rows);
  return chain;
}

// n x n points joined by compliant struts along their lines and diagonals, thrown at a floor (lower = 0) that
// every point may touch, with friction bounds along x.
inline TestProblemPtr grid_on_floor(int n, double sigma, double mass_ratio, std::uint64_t seed) {
  auto t = std::make_unique<TestProblem>();
  Dice dice(seed);
  const auto at = [&](int i, int j) { return static_cast<std::size_t>(i * n + j); };
  for (int k = 0; k < n * n; ++k) {
    const double m = std::pow(mass_ratio, dice.number(0, 1));
    const std::size_t b = add_mass(*t, 3, m);
    for (double& x : t->problem.momentum(b)) x = m * dice.number();
  }
  const auto strut = [&](std::size_t a, std::size_t b, Vec3 axis) {
    const std::size_t row = add_row(*t, std::array{a, b}, {.sigma = sigma, .rhs = 0.1 * dice.number()});
    axis.normalize();
    for (int k = 0; k < 3; ++k) {
      t->rows.jacobian(row, 0)[static_cast<std::size_t>(k)] = axis[k];
      t->rows.jacobian(row, 1)[static_cast<std::size_t>(k)] = -axis[k];
    }
  };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      if (i + 1 < n) strut(at(i, j), at(i + 1, j), {1, 0, 0.1 * dice.number()});
      if (j + 1 < n) strut(at(i, j), at(i, j + 1), {0, 1, 0.1 * dice.number()});
      if (i + 1 < n && j + 1 < n) strut(at(i, j), at(i + 1, j + 1), {1, 1, 0.1 * dice.number()});
    }
  for (int k = 0; k < n * n; ++k) {
    const auto b = static_cast<std::size_t>(k);
    t->rows.jacobian(add_row(*t, std::array{b}, {.sigma = sigma, .rhs = 0, .lower = 0}), 0)[2] = 1;
    const double friction = std::abs(dice.number());
    t->rows.jacobian(
        add_row(*t, std::array{b}, {.sigma = sigma, .rhs = 0, .lower = -friction, .upper = friction}), 0)[0] =
        1;
  }
  t->problem.add_group(t->rows);
  return t;
}

// Shafts (blocks of 1): gears between neighbours, rows over many shafts, clutches with torque limits.
inline TestProblemPtr shafts(int count, double sigma, double mass_ratio, std::uint64_t seed) {
  auto t = std::make_unique<TestProblem>();
  Dice dice(seed);
  std::vector<std::size_t> all;
  for (int k = 0; k < count; ++k) {
    const double m = std::pow(mass_ratio, dice.number(0, 1));
    all.push_back(add_mass(*t, 1, m));
    t->problem.momentum(all.back())[0] = m * dice.number(-10, 10);
  }
  for (std::size_t k = 0; k + 1 < all.size(); ++k) {
    const double limit = k % 3 == 0 ? unbounded : 5 * dice.number(0, 1);
    const std::size_t row = add_row(*t, std::array{all[k], all[k + 1]},
                                    {.sigma = sigma, .rhs = 0, .lower = -limit, .upper = limit});
    t->rows.jacobian(row, 0)[0] = 1;
    t->rows.jacobian(row, 1)[0] = dice.number(-3, 3);
  }
  for (int r = 0; r < 2; ++r) {
    const std::size_t row = add_row(*t, all, {.sigma = sigma, .rhs = dice.number(), .lower = 0});
    for (std::size_t k = 0; k < all.size(); ++k) t->rows.jacobian(row, k)[0] = dice.number();
  }
  t->problem.add_group(t->rows);
  return t;
}

// A body of six velocities on many struts along z at random places, far more than can be told apart.
inline TestProblemPtr platform(int struts, double sigma, double mass, bool one_sided, std::uint64_t seed) {
  auto t = std::make_unique<TestProblem>();
  Dice dice(seed);
  t->problem.momentum(add_mass(*t, 6, mass))[2] = -mass * 9.81e-3;
  for (int k = 0; k < struts; ++k) {
    const std::size_t row = add_row(*t, std::array<std::size_t, 1>{0},
                                    {.sigma = sigma, .rhs = 0, .lower = one_sided ? 0 : -unbounded});
    const double x = dice.number(), y = dice.number();
    const auto g = t->rows.jacobian(row, 0);
    g[2] = 1, g[3] = y, g[4] = -x;
  }
  t->problem.add_group(t->rows);
  return t;
}

// The varied list on which solvers must agree.
inline TestProblemPtr varied_problem(std::uint64_t k) {
  Dice dice(1000 + k);
  const double sigma = dice.decade(-8, -2), ratio = dice.decade(0, 6);
  const int n = static_cast<int>(k);
  switch (k % 6) {
    case 0:
      return std::move(hanging_chain(3 + n % 40, n % 4 == 0 ? 6 : 3, 1, ratio, sigma).t);
    case 1:
      return grid_on_floor(2 + n % 5, sigma, ratio, k);
    case 2:
      return shafts(3 + n % 20, sigma, ratio, k);
    case 3:
      return platform(3 + n % 50, sigma, ratio, n % 4 == 3, k);
    case 4: {
      auto t = random_problem(k, 1 + n % 12, 2 + n % 30, sigma);
      add_random_bounds(*t, k);
      return t;
    }
    default: {  // chain with slack: every third row can only pull, and the same row twice
      auto t = std::move(hanging_chain(4 + n % 20, 3, 1, ratio, sigma).t);
      for (std::size_t i = 0; i < t->rows.rows(); i += 3) {
        RowValues values = values_of(t->rows, i);
        values.lower = 0;
        t->rows.set(i, values);
      }
      for (int twice = 0; twice < 2; ++twice)
        t->rows.jacobian(
            add_row(*t, std::array<std::size_t, 1>{0}, {.sigma = sigma, .rhs = 0.5, .lower = -2}), 0)[1] = 1;
      return t;
    }
  }
}

}  // namespace hardpan::solve::test
