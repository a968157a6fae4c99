// Projected Gauss-Seidel: row after row, forwards and backwards in turn,
//     lambda_i := clamp(lambda_i - w_i / D_i),   D_i = Sigma_i + G_i A^-1 G_i^T,   v += A^-1 G_i^T d
//     lambda_i,
// with w_i = G_i v + Sigma_i lambda_i - q_i of the present v. Coordinate descent on the dual quadratic
// 1/2 lambda^T (G A^-1 G^T + Sigma) lambda - ... over the box; it converges for every start since the matrix
// is positive definite (Cryer, "The solution of a quadratic programming problem using systematic
// overrelaxation", SIAM J. Control 9 (1971) 385-392), at a rate that stiff rows and mass ratios spoil: errors
// travel one row per sweep. Cheap, needs no factorisation, always returns impulses that their law admits.
//
// The rows of a contact are visited together (pgs_cells.h): the normal first, then friction within what the
// new normal allows. Contacts of another layout (rolling, more than two blocks) are visited the same way, row
// by row, with rho for D_tt. For cone and box there is no proof of convergence, as there is none of
// uniqueness.
//
// All in scaled velocities u = L^T v (pgs_cells.h). What a sweep met on its way stands for the error; only
// when that is below the tolerance, and after 16, 32, 64, ... sweeps, is u computed anew from lambda, which
// sheds the roundings of many small changes, and the error measured. A fixed number of sweeps costs no such
// measurement but the one in the report: max_iterations with tolerance 0. Contacts then start from 85 % of
// the guess: impulses of the last step that a few sweeps do not correct swing about the solution from step to
// step, and a pile of boxes does not come to rest.
//
// Large beds rest nearly everywhere. So with a tolerance of impulses only every twelfth sweep visits all
// contacts; the others visit those on bodies of which a contact changed by more than half of the tolerance in
// the last one. The error, of all contacts, is measured after every eighth more of sweeps.
#pragma once

#include "hardpan/solve/noise.h"
#include "hardpan/solve/pgs_cells.h"
#include "hardpan/solve/row_table.h"
#include "hardpan/solve/solver.h"

namespace hardpan::solve {

class PgsSolver final : public Solver {
 public:
  // max_iterations 0: 2000 sweeps.
  explicit PgsSolver(const SolverOptions& options = {.kind = SolverKind::pgs});

  SolveReport solve(const Problem& problem, std::span<double> v, std::span<double> lambda) override;

 private:
  // Neighbours of one kind, visited in one loop.
  enum class Kind { rows, cells, contacts };
  struct Run {
    Kind kind;
    std::size_t first, count;  // of rows, of cells_, of the table's contacts
  };

  struct Inverse {
    Mat6 matrix;
    bool rigid;  // a mass and a 3 x 3 matrix of inertia: nothing else
  };

  // A contact of the table and its velocity blocks, `ground` where there is none.
  struct Visit {
    static constexpr std::uint32_t ground = static_cast<std::uint32_t>(-1);
    std::uint32_t contact, a, b;
  };

  void ease(std::span<double> lambda) const;
  void lay_out(const Problem& problem, std::span<const double> lambda);
  void start_velocities(const Problem& problem);
  void invert(const Problem& problem);
  void scale(const Problem& problem, std::size_t block, const double* x, double* to) const;
  static void scale_body(const Inverse& of, const double* x, double* to);
  void scale_row(const Problem& problem, std::size_t row);
  bool fits_cell(const RowTable::Contact& contact) const;
  std::size_t cell_row(std::size_t cell) const { return rows_.contacts()[visits_[cell].contact].normal; }
  static void arrange(std::span<Visit> visits);
  void fill(const Problem& problem, std::size_t cell, std::span<const double> lambda);
  void append(Kind kind, std::size_t index);
  void spread(const Problem& problem, const RowTable::Contact& contact);

  void refresh(const Problem& problem, std::span<const double> lambda);
  void hand_over(const Problem& problem, std::span<double> v, std::span<double> lambda) const;
  bool measure(const Problem& problem, std::span<double> v, std::span<double> lambda);
  double impulse_error(const Problem& problem, std::span<const double> v, std::span<const double> lambda);
  double sweep(bool forward, std::span<double> lambda, const std::vector<std::uint32_t>* which = nullptr);
  bool sweep_all(int number, std::span<double> lambda);
  bool sweep_where_it_changes(const Problem& problem, int number, std::span<double> lambda);
  void find_hot(const Problem& problem);
  double rate(std::size_t row) const;
  void push(std::size_t row, double change);
  void push_contact(const RowTable::Contact& contact, std::span<const double> lambda);
  double target(std::size_t row, std::span<const double> lambda) const;
  double replace(std::size_t row, double next, std::span<double> lambda);
  double relax_row(std::size_t row, std::span<double> lambda);
  double relax_contact(const RowTable::Contact& contact, std::span<double> lambda);

  SolverOptions options_;
  RowTable rows_;
  Noise noise_;
  std::vector<double> u_;         // six per block, and twice six for the ground
  std::vector<Inverse> inverse_;  // L^-1 of bodies
  std::vector<double> j_;         // G L^-T outside cells, laid out as G
  std::vector<double> diagonal_;  // D outside cells; of friction: rho of its cone
  std::vector<Run> runs_;
  std::vector<pgs::Cell> cells_;
  std::vector<Visit> visits_;             // of the cells
  std::vector<double> rho_, residual_;    // of impulse_error.h
  std::vector<std::uint32_t> all_, hot_;  // cells, and those that still change, in order
  std::vector<double> changed_;           // by how much those last visited, N s
  std::vector<char> stirred_;             // blocks
  double error_ = 0;                      // of the last sweep, m/s
  int look_ = 0;                          // sweeps after which the error is measured in any case
};

}  // namespace hardpan::solve
