// Newton's method, without matrices, for problems most of whose rows are soft (soft_rows.h): a solid of
// particles with a machine on it. As cone_newton.h, but with K in the place of A:
//
//     minimum over v of  1/2 v^T K v - b^T v + sum phi(G v),   gradient -r(v) - G^T P(s(v)),  s = (q - G
//     v)/Sigma
//
// Each step solves (K + T^T c^-1 T) d = -gradient for the rows T of the piece at s by conjugate gradients,
// and goes to the minimum along d. What they are preconditioned with is the same matrix with the diagonal
// blocks of K in its place, factored: exact for the machine, its joints and contacts, and for each particle
// by itself. Rows of one block without bounds, the holds of a solid, go into its diagonal block; only blocks
// that other rows touch take part in the factor. So it is the stiffness of the soil
// alone, over a step, that costs products: about as many as particles that a wave passes in a step, times a
// few. They end at a thirtieth, and only once the piece is the right one at the tolerance: the largest
// residual over the diagonal of A, a velocity.
//
// Rows that bend (Problem::Bend) are written anew around the velocities of each step, so that the gradient is
// the right one; where the slope along d has risen again at the end of a step, it goes back by the secant.
// Products need not be exact, since r(v) is.
//
// Coulomb's law by rounds of given radii (radius_loop.h has the idea), until these change by less than the
// tolerance over 1 mm/s, of the largest.
#pragma once

#include "hardpan/solve/block_rows.h"
#include "hardpan/solve/friction_map.h"
#include "hardpan/solve/saddle_factor.h"
#include "hardpan/solve/soft_rows.h"
#include "hardpan/solve/solver.h"

namespace hardpan::solve {

class SoftNewton {
 public:
  explicit SoftNewton(const SolverOptions& options) : options_(options), saddle_(0) {}

  // v and lambda come in as guesses.
  void solve(const Problem& problem, std::span<double> v, std::span<double> lambda, SolveReport& report);

 private:
  void minimise(SolveReport& report);
  bool change_radii();
  void settle();
  double error() const;
  void fold_rows();
  bool invert_blocks(SolveReport& report);
  void pick_terms(std::size_t row);
  bool prepare(SolveReport& report);
  void precondition(std::span<const double> r, std::span<double> out);
  void conjugate_gradients(double reduction, SolveReport& report);
  bool move();
  double slope(double t);
  void multiply(std::span<const double> x, std::span<double> out);

  SolverOptions options_;
  const Problem* problem_ = nullptr;
  SoftRows soft_;
  Problem others_;  // blocks of the problem, rows that are not soft
  RowTable rows_;
  FrictionMap map_;
  std::vector<double> v_, s_, lambda_, descent_;
  std::vector<RowState> states_;  // of the last piece

  // Preconditioner.
  std::vector<double> diagonal_, inverses_;  // blocks of K, with the rows of one block alone
  std::vector<std::size_t> joining_;         // the other rows
  std::vector<RowState> joining_states_;
  std::vector<std::size_t> place_;           // of blocks in the touched problem; none: alone
  std::vector<std::size_t> alone_;           // blocks that no row touches
  std::vector<std::size_t> touched_blocks_;  // the other way round
  std::vector<RowTable::Term> picked_;       // of a row
  Problem touched_;
  BlockRows touched_rows_;
  RowTable touched_table_;
  SaddleFactor saddle_;
  std::vector<double> touched_v_;

  std::vector<double> d_, ds_, work_, next_lambda_;
  std::vector<double> residual_, preconditioned_, direction_, product_, on_rows_;
  double decrease_ = 0, curvature_ = 0;
};

}  // namespace hardpan::solve
