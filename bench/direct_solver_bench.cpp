// Factorisation and solution of the matrices of machines: ours against Eigen's scalar LDL^T and, where it
// was found, against sequential MUMPS (http://mumps-solver.org), with its defaults for symmetric matrices.
//   links per chain: time should grow in proportion.   tracked machine: 201 bodies, 1,122 rows.
#include <Eigen/SparseCholesky>
#include <benchmark/benchmark.h>

#include "hardpan/solve/test_matrices.h"

#ifdef HARDPAN_MUMPS
#include <dmumps_c.h>
#endif

namespace {

using namespace hardpan::solve;

constexpr int tracked = 0;  // argument that stands for the tracked machine; others are links of a chain

test::BlockMatrix matrix_of(const benchmark::State& state) {
  return state.range(0) == tracked ? test::tracked_machine()
                                   : test::hinge_chain(static_cast<int>(state.range(0)));
}

std::vector<double> right_side(const test::BlockMatrix& matrix) {
  std::vector<double> b;
  for (int i = 0; i < matrix.size(); ++i) b.push_back(std::sin(i));
  return b;
}

void matrices(benchmark::internal::Benchmark* benchmark) {
  for (int argument : {10, 100, 1000, tracked}) benchmark->Arg(argument);
  benchmark->Unit(benchmark::kMicrosecond)->ArgName("links")->MinTime(0.2);
}

class Block {
 public:
  explicit Block(const test::BlockMatrix& matrix) : matrix_(matrix) {}
  void analyse() { ldlt_.analyse(matrix_.sizes, matrix_.places, matrix_.velocity_blocks); }
  bool factor() { return ldlt_.factor(matrix_.values); }
  void solve(std::vector<double>& x) { ldlt_.solve(x); }
  void count(benchmark::State& state) const {
    const auto rate = benchmark::Counter::kIsIterationInvariantRate;
    state.counters["flop/s"] = benchmark::Counter(ldlt_.factor_flops() + ldlt_.solve_flops(), rate);
    state.counters["Mflop"] = 1e-6 * (ldlt_.factor_flops() + ldlt_.solve_flops());
    state.counters["kB"] = 1e-3 * static_cast<double>(ldlt_.factor_bytes());
  }

 private:
  const test::BlockMatrix& matrix_;
  BlockLdlt ldlt_;
};

class Scalar {
 public:
  explicit Scalar(const test::BlockMatrix& matrix)
      : matrix_(test::ScalarMatrix(matrix).sparse(matrix.size())) {}
  void analyse() { ldlt_.analyzePattern(matrix_); }
  bool factor() {
    ldlt_.factorize(matrix_);
    return ldlt_.info() == Eigen::Success;
  }
  void solve(std::vector<double>& x) {
    Eigen::Map<Eigen::VectorXd> all(x.data(), static_cast<Eigen::Index>(x.size()));
    all = ldlt_.solve(all).eval();
  }
  void count(benchmark::State&) const {}

 private:
  Eigen::SparseMatrix<double> matrix_;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Upper> ldlt_;
};

#ifdef HARDPAN_MUMPS
class Mumps {
 public:
  explicit Mumps(const test::BlockMatrix& matrix) : scalars_(matrix) {
    for (const BlockPlace& p : scalars_.places) {
      rows_.push_back(p.row + 1);
      columns_.push_back(p.column + 1);
    }
    id_.par = 1;
    id_.sym = 2;                 // symmetric indefinite
    id_.comm_fortran = -987654;  // its own word for MPI_COMM_WORLD
    call(-1);
    for (int stream : {0, 1, 2, 3}) id_.icntl[stream] = stream == 3 ? 0 : -1;  // silent
    id_.icntl[13] = 200;  // per cent of room to spare: redundant rows make it delay many pivots
    id_.n = matrix.size();
    id_.nnz = static_cast<MUMPS_INT8>(rows_.size());
    id_.irn = rows_.data();
    id_.jcn = columns_.data();
    id_.a = scalars_.values.data();
    id_.nrhs = 1;
    id_.lrhs = id_.n;
  }
  ~Mumps() { call(-2); }
  Mumps(const Mumps&) = delete;
  Mumps& operator=(const Mumps&) = delete;

  void analyse() { call(1); }
  bool factor() { return call(2); }
  void solve(std::vector<double>& x) {
    id_.rhs = x.data();
    call(3);
  }
  void count(benchmark::State&) const {}

 private:
  bool call(int job) {
    id_.job = job;
    dmumps_c(&id_);
    return id_.infog[0] >= 0;
  }
  test::ScalarMatrix scalars_;
  std::vector<MUMPS_INT> rows_, columns_;
  DMUMPS_STRUC_C id_{};
};
#endif

// One step of a simulation: the pattern is known, the values are new.
template <class Solver>
void FactorAndSolve(benchmark::State& state) {
  const test::BlockMatrix matrix = matrix_of(state);
  const std::vector<double> b = right_side(matrix);
  Solver solver(matrix);
  solver.analyse();
  std::vector<double> x;
  for (auto _ : state) {
    if (!solver.factor()) return state.SkipWithError("the factorisation failed");
    x = b;
    solver.solve(x);
    benchmark::DoNotOptimize(x.data());
  }
  solver.count(state);
}
BENCHMARK_TEMPLATE(FactorAndSolve, Block)->Apply(matrices);
BENCHMARK_TEMPLATE(FactorAndSolve, Scalar)->Apply(matrices);

template <class Solver>
void Solve(benchmark::State& state) {
  const test::BlockMatrix matrix = matrix_of(state);
  const std::vector<double> b = right_side(matrix);
  Solver solver(matrix);
  solver.analyse();
  if (!solver.factor()) return state.SkipWithError("the factorisation failed");
  std::vector<double> x;
  for (auto _ : state) {
    x = b;
    solver.solve(x);
    benchmark::DoNotOptimize(x.data());
  }
}
BENCHMARK_TEMPLATE(Solve, Block)->Apply(matrices);
BENCHMARK_TEMPLATE(Solve, Scalar)->Apply(matrices);

template <class Solver>
void Analyse(benchmark::State& state) {
  const test::BlockMatrix matrix = matrix_of(state);
  Solver solver(matrix);
  for (auto _ : state) solver.analyse();
}
BENCHMARK_TEMPLATE(Analyse, Block)->Apply(matrices);
BENCHMARK_TEMPLATE(Analyse, Scalar)->Apply(matrices);

#ifdef HARDPAN_MUMPS
BENCHMARK_TEMPLATE(FactorAndSolve, Mumps)->Apply(matrices);
BENCHMARK_TEMPLATE(Solve, Mumps)->Apply(matrices);
BENCHMARK_TEMPLATE(Analyse, Mumps)->Apply(matrices);
#endif

}  // namespace
