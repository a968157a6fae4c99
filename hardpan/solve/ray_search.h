// The exact minimum of the primal function (newton_solver.h) along a ray v + t d, t >= 0. With s the impulses
// that rows would have without bounds, s + t ds along the ray, its derivative is
//     f'(t) = -decrease + t curvature + sum_i Sigma_i ds_i (clamp(s_i + t ds_i) - clamp(s_i)),
//     decrease = d . (p - A v + G^T clamp(s)),   curvature = d . A d.
// Each term grows with t and is linear between the points where a row meets a bound. So the zero lies between
// two of these, found by bisection over the sorted points, and there it is the zero of a line.
#pragma once

#include <span>
#include <vector>

#include "hardpan/solve/row_table.h"

namespace hardpan::solve {

class RaySearch {
 public:
  // Zero when the ray does not descend.
  double minimum(const RowTable& rows, std::span<const double> s, std::span<const double> ds, double decrease,
                 double curvature);

 private:
  std::vector<double> breaks_;
};

}  // namespace hardpan::solve
