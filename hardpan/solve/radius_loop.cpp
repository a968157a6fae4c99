#include "hardpan/solve/radius_loop.h"

#include <algorithm>
#include <cmath>

namespace hardpan::solve {

void RadiusLoop::start(FrictionMap& map, std::span<const double> lambda) {
  change_ = least_ = unbounded;
  step_ = 1;
  for (Disc& disc : map.discs()) disc.radius = disc.mu * lambda[disc.normal];
}

bool RadiusLoop::done(double tolerance, const Problem& problem, const RowTable& rows, Friction friction,
                      FrictionMap& map, std::span<const double> v, std::span<double> lambda) {
  for (const Disc& disc : map.discs()) {
    const double size = norm(&lambda[disc.first], disc.count), radius = disc.mu * lambda[disc.normal];
    if (!(size > 0) || !(on_rim(size, disc.radius) || size > radius)) continue;
    for (std::size_t k = 0; k < disc.count; ++k)
      lambda[disc.first + k] = disc.count == 1 ? std::copysign(radius, lambda[disc.first])
                                               : lambda[disc.first + k] * (radius / size);
  }
  return noise_.within(tolerance, problem, rows, friction, v, lambda);
}

void RadiusLoop::next(FrictionMap& map, std::span<const double> lambda) {
  double change = 0;
  largest_ = 0;
  for (const Disc& disc : map.discs()) {
    largest_ = std::max(largest_, disc.radius);
    change = std::max(change, std::abs(disc.mu * lambda[disc.normal] - disc.radius));
  }
  if (change > 0.8 * change_) step_ = std::max(0.5 * step_, 0.125);
  change_ = change;
  least_ = std::min(least_, change);
  for (Disc& disc : map.discs()) disc.radius += step_ * (disc.mu * lambda[disc.normal] - disc.radius);
}

}  // namespace hardpan::solve
