// Coulomb's law, or that of boxes, as a fixed point over the radii of friction: r = mu lambda_n of the last
// solution, with whose discs the problem is one of plain bounds or convex (friction_map.h; for friction with
// given bounds, of Tresca, see Panagiotopoulos, Ing. Archiv 44 (1975) 421-432, who proposed the iteration).
// It converges linearly where friction changes normals little, and need not where it changes them much. So:
//   - the first radii are mu times the normals of the guess (zero: a problem without friction);
//   - while the change of the radii does not fall by a fifth, steps are shortened by half, to an eighth at
//   least;
//   - radii that change a thousandfold more than they once did, and by half of the largest, run away:
//   the law is then given up for the convex one, which has a solution always, and the solve has not
//   converged;
//   - it ends when the law's errors are within the tolerance (noise.h), or after the given rounds.
// Afterwards friction that slides is put exactly on its rim, mu times its own normal: what that changes shows
// in the momentum residual.
#pragma once

#include <span>
#include <vector>

#include "hardpan/solve/friction_map.h"
#include "hardpan/solve/noise.h"

namespace hardpan::solve {

class RadiusLoop {
 public:
  static constexpr int most_rounds = 200;

  void start(FrictionMap& map, std::span<const double> lambda);
  // Is the solution with these discs one of the law? Puts lambda on its rims.
  bool done(double tolerance, const Problem& problem, const RowTable& rows, Friction friction,
            FrictionMap& map, std::span<const double> v, std::span<double> lambda);
  // New radii from the normals.
  void next(FrictionMap& map, std::span<const double> lambda);
  bool runs_away() const { return change_ > 1e3 * least_ && change_ > 0.5 * largest_; }

 private:
  double change_ = 0, least_ = 0, largest_ = 0, step_ = 1;
  Noise noise_;
};

}  // namespace hardpan::solve
