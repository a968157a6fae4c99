// Accelerated projected gradient descent (DEM-C, appendix; Nesterov's method with restarts: Mazhar, Heyn,
// Negrut & Tasora, ACM Trans. Graph. 34 (2015) 32), for problems of very many contacts:
//
//     lambda_+ = P(y - (N y + r)/L),     theta_+^2 = (1 - theta_+) theta^2,
//     y_+ = lambda_+ + beta (lambda_+ - lambda),     beta = theta (1 - theta)/(theta^2 + theta_+)
//
// on 1/2 lambda^T N lambda + lambda^T r, N = G A^-1 G^T + Sigma, r = G A^-1 p - q: the dual of the convex law
// (friction.h). P is the projection on the admissible impulses: bounds, and cones exactly. As the appendix
// has it, L begins as an estimate of |N|, is doubled while the step is too long, and shrinks by a tenth after
// every step; where the step leads uphill (g . (lambda_+ - lambda) > 0), acceleration begins anew; what is
// returned is the best iterate, not the last one. Four things are done otherwise:
//
//   - the test of a step, f(lambda_+) >= f(y) + g . d + L/2 |d|^2, d = lambda_+ - y, is taken in the form
//     d . N d >= L |d|^2, which is the same without the differences of large numbers;
//   - N is applied once per iteration: N y follows from N lambda;
//   - errors, of velocities or of impulses (impulse_error.h), are measured now and then, and when the length
//     of a step says that it is time; the best iterate is the best of those;
//   - unless `scaled` is off, every contact and every other row is measured in units of 1/sqrt(N_ii), one for
//     a cone so that it stays round: light bodies beside heavy ones then cost no iterations.
//
// Coulomb's law is met by rounds of the convex one, whose normals are asked for mu |w_t| less (De Saxce &
// Feng, Math. Comput. Model. 28 (1998) 225-245), w_t being that of the round before.
#pragma once

#include "hardpan/solve/apgd_cells.h"
#include "hardpan/solve/noise.h"
#include "hardpan/solve/pair_order.h"
#include "hardpan/solve/row_table.h"
#include "hardpan/solve/solver.h"

namespace hardpan::solve {

class ApgdSolver final : public Solver {
 public:
  // max_iterations 0: 10,000.
  explicit ApgdSolver(const SolverOptions& options = {.kind = SolverKind::apgd});

  SolveReport solve(const Problem& problem, std::span<double> v, std::span<double> lambda) override;

 private:
  void lay_out(const Problem& problem, std::span<const double> lambda);
  void choose_units();
  void sort_rows();
  void multiply(std::span<const double> x, std::span<double> out);
  void push_odd(std::span<const double> x);
  void odd_rates(std::span<const double> x, std::span<double> out) const;
  void project_odd(std::span<double> x) const;
  double gauge(std::size_t row) const;
  void begin();
  apgd::Progress step(double beta);
  void collect();
  double first_curvature();
  double goal() const;
  double error_of(std::span<const double> x, std::span<const double> nx, Friction friction);
  bool round(double enough, SolveReport& report);
  void shift_normals();
  void hand_over(const Problem& problem, std::span<double> v, std::span<double> lambda);

  SolverOptions options_;
  RowTable rows_;
  Noise noise_;
  std::vector<RowTable::Contact> regular_;                 // contacts that fit a cell: most
  std::vector<PairOrder::Pair> pairs_;                     // their blocks
  PairOrder order_;                                        // of them
  std::vector<apgd::Cell> cells_;                          // they, in that order
  apgd::Waves waves_;                                      // through them
  std::vector<RowTable::Contact> odd_;                     // contacts that do not
  std::vector<std::uint32_t> plain_;                       // rows of no contact
  std::vector<std::uint32_t> odd_rows_;                    // both
  std::vector<std::array<apgd::Point<1>, 3>> odd_points_;  // of them
  apgd::Ring ring_;                                        // of all points
  std::vector<double> j_;                                  // rows of G L^-T, in units
  std::vector<double> unit_;                               // lambda = unit x
  std::vector<double> sigma_;                              // in units
  std::vector<double> r_;                                  // likewise, without the shift
  std::vector<double> shift_;                              // of r, of normals
  std::vector<double> free_;                               // L^-1 p
  std::vector<double> u_;                                  // six per block
  std::vector<double> x_, nx_;                             // impulses in units, N x
  std::vector<double> next_, n_next_;                      // of odd rows
  std::vector<double> best_, n_best_;
  std::vector<double> lambda_, w_, rho_;
  double curvature_ = 0;  // L
};

}  // namespace hardpan::solve
