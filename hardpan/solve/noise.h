// What rounding can do to the two block equations at a solution (v, lambda), absolute values inside the sums:
//     velocities:  64 eps ( |p| + |A v| + |G^T lambda| ) / diag(A)
//     rows:        64 eps ( |G v| + |Sigma lambda| + |q| ) + |G| (noise of the velocities)
// both in m/s or rad/s. Nothing below this can be asked of a residual, and no sign of w is worth anything.
#pragma once

#include <span>
#include <vector>

#include "hardpan/solve/row_table.h"

namespace hardpan::solve {

class Noise {
 public:
  void measure(const Problem& problem, const RowTable& rows, std::span<const double> v,
               std::span<const double> lambda);
  std::span<const double> velocities() const { return velocities_; }
  std::span<const double> rows() const { return rows_; }

  // Measures, then: is every error of a row (friction.h), and every momentum residual over diag(A), below the
  // tolerance (m/s or rad/s) or rounding?
  bool within(double tolerance, const Problem& problem, const RowTable& rows, Friction friction,
              std::span<const double> v, std::span<const double> lambda);

 private:
  std::vector<double> velocities_, rows_, residual_;
};

}  // namespace hardpan::solve
