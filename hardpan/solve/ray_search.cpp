#include "hardpan/solve/ray_search.h"

#include <algorithm>
#include <cmath>

namespace hardpan::solve {
namespace {

struct Ray {
  const RowTable& rows;
  std::span<const double> s, ds;
  double decrease, curvature;

  double derivative(double t) const {
    double sum = t * curvature - decrease;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (!rows.fixed(i))
        sum += rows.sigma()[i] * ds[i] * (rows.clamp(i, s[i] + t * ds[i]) - rows.clamp(i, s[i]));
    return sum;
  }
  // Of the piece that contains t.
  double second_derivative(double t) const {
    double sum = curvature;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double at = s[i] + t * ds[i];
      if (at > rows.lower()[i] && at < rows.upper()[i]) sum += rows.sigma()[i] * ds[i] * ds[i];
    }
    return sum;
  }
};

}  // namespace

double RaySearch::minimum(const RowTable& rows, std::span<const double> s, std::span<const double> ds,
                          double decrease, double curvature) {
  if (!(decrease > 0) || !(curvature > 0)) return 0;
  const Ray ray{rows, s, ds, decrease, curvature};
  breaks_.assign(1, 0.0);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const double bound : {rows.lower()[i], rows.upper()[i]}) {
      const double t = (bound - s[i]) / ds[i];
      if (t > 0 && std::isfinite(t) && !rows.fixed(i)) breaks_.push_back(t);
    }
  std::sort(breaks_.begin(), breaks_.end());
  const auto next = std::partition_point(breaks_.begin() + 1, breaks_.end(),
                                         [&](double t) { return ray.derivative(t) < 0; });
  const double left = *(next - 1);
  const double inside = next == breaks_.end() ? 2 * left + 1 : 0.5 * (left + *next);
  const double t = left - ray.derivative(left) / ray.second_derivative(inside);
  if (!std::isfinite(t)) return 0;
  return next == breaks_.end() ? std::max(t, left) : std::clamp(t, left, *next);
}

}  // namespace hardpan::solve
