// A function given by points, straight between them; beyond its ends it goes on straight or stays level.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

namespace hardpan {

class Curve {
 public:
  enum class Beyond { straight, level };
  struct Point {
    double x, y;
  };

  Curve() = default;
  // x strictly increasing; one point makes a constant.
  Curve(std::vector<Point> points, Beyond beyond) : points_(std::move(points)), beyond_(beyond) {}
  static Curve constant(double y) { return Curve({{0.0, y}}, Beyond::level); }

  bool empty() const { return points_.empty(); }
  std::span<const Point> points() const { return points_; }

  double value(double x) const {
    const std::size_t i = piece(x);
    return points_[i].y + slope_at(i, x) * (x - points_[i].x);
  }
  // From the right at a corner.
  double slope(double x) const { return slope_at(piece(x), x); }
  // The integral from `from` to `to`.
  double integral(double from, double to) const { return from <= to ? upward(from, to) : -upward(to, from); }

 private:
  // The last point at or before x; the first one for everything before it.
  std::size_t piece(double x) const {
    const auto after = std::upper_bound(points_.begin(), points_.end(), x,
                                        [](double value, const Point& p) { return value < p.x; });
    return after == points_.begin() ? 0 : static_cast<std::size_t>(after - points_.begin()) - 1;
  }
  double slope_at(std::size_t i, double x) const {
    const std::size_t last = points_.size() - 1;
    if (last == 0) return 0;
    const bool outside = x < points_[0].x || i == last;
    if (outside && beyond_ == Beyond::level) return 0;
    const std::size_t k = std::min(i, last - 1);
    return (points_[k + 1].y - points_[k].y) / (points_[k + 1].x - points_[k].x);
  }
  double upward(double from, double to) const {
    double sum = 0, x = from;
    for (const Point& p : points_) {
      if (p.x <= x) continue;
      if (p.x >= to) break;
      sum += 0.5 * (value(x) + p.y) * (p.x - x);
      x = p.x;
    }
    return sum + 0.5 * (value(x) + value(to)) * (to - x);
  }

  std::vector<Point> points_;
  Beyond beyond_ = Beyond::level;
};

}  // namespace hardpan
