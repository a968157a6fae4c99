#include "hardpan/math/spline.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace hardpan {
namespace {

// Second derivatives M at the knots from continuity of the first derivative,
//     h_(i-1) M_(i-1) + 2 (h_(i-1) + h_i) M_i + h_i M_(i+1) = 6 (slope_i - slope_(i-1)),
// a diagonally dominant tridiagonal system (Thomas algorithm).
std::vector<Vec3> solve_tridiagonal(const std::vector<double>& below, std::vector<double> diagonal,
                                    const std::vector<double>& above, std::vector<Vec3> rhs) {
  const std::size_t n = diagonal.size();
  for (std::size_t i = 1; i < n; ++i) {
    const double factor = below[i] / diagonal[i - 1];
    diagonal[i] -= factor * above[i - 1];
    rhs[i] -= factor * rhs[i - 1];
  }
  for (std::size_t i = n; i-- > 0;) {
    if (i + 1 < n) rhs[i] -= above[i] * rhs[i + 1];
    rhs[i] /= diagonal[i];
  }
  return rhs;
}

// The same with corners: row 0 also has below[0] on the last unknown, the last row above[n-1] on the first
// (Sherman and Morrison).
std::vector<Vec3> solve_cyclic(const std::vector<double>& below, std::vector<double> diagonal,
                               const std::vector<double>& above, const std::vector<Vec3>& rhs) {
  const std::size_t n = diagonal.size();
  const double gamma = -diagonal[0], top = below[0], bottom = above[n - 1];
  diagonal[0] -= gamma;
  diagonal[n - 1] -= bottom * top / gamma;
  std::vector<Vec3> u(n, Vec3::Zero());
  u[0] = Vec3::Constant(gamma);
  u[n - 1] = Vec3::Constant(bottom);
  std::vector<Vec3> x = solve_tridiagonal(below, diagonal, above, rhs);
  const std::vector<Vec3> z = solve_tridiagonal(below, diagonal, above, u);
  const double scale = top / gamma;
  const Vec3 factor = (x[0] + scale * x[n - 1]) / (1 + z[0].x() + scale * z[n - 1].x());
  for (std::size_t i = 0; i < n; ++i) x[i] -= z[i].x() * factor;
  return x;
}

// Gauss-Legendre on [0, 1], eight points.
constexpr std::array<double, 4> nodes = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                         0.9602898564975363};
constexpr std::array<double, 4> weights = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                           0.1012285362903763};

}  // namespace

Spline::Spline(std::vector<Vec3> points, bool closed) : closed_(closed), values_(std::move(points)) {
  if (closed_) values_.push_back(values_.front());
  const std::size_t pieces = values_.size() - 1;
  std::vector<double> h(pieces);
  std::vector<Vec3> slope(pieces);
  knots_.push_back(0);
  for (std::size_t i = 0; i < pieces; ++i) {
    h[i] = (values_[i + 1] - values_[i]).norm();
    slope[i] = (values_[i + 1] - values_[i]) / h[i];
    knots_.push_back(knots_.back() + h[i]);
  }
  moments_.assign(pieces + 1, Vec3::Zero());
  const std::size_t first = closed_ ? 0 : 1, count = closed_ ? pieces : pieces - 1;
  if (count > 0) {
    std::vector<double> below(count), diagonal(count), above(count);
    std::vector<Vec3> rhs(count);
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t i = first + k, before = i == 0 ? pieces - 1 : i - 1;
      below[k] = h[before];
      diagonal[k] = 2 * (h[before] + h[i]);
      above[k] = h[i];
      rhs[k] = 6 * (slope[i] - slope[before]);
    }
    const std::vector<Vec3> solution =
        closed_ ? solve_cyclic(below, diagonal, above, rhs) : solve_tridiagonal(below, diagonal, above, rhs);
    std::copy(solution.begin(), solution.end(), moments_.begin() + static_cast<std::ptrdiff_t>(first));
    if (closed_) moments_.back() = moments_.front();
  }
  arc_.push_back(0);
  for (std::size_t i = 0; i < pieces; ++i) arc_.push_back(arc_.back() + piece_length(i, h[i]));
}

Spline::Place Spline::place(double u) const {
  const double end = knots_.back();
  const double laps = closed_ ? std::floor(u / end) : 0.0;
  u -= laps * end;
  if (!closed_ && u <= 0) return {0, u, 0, true};
  if (!closed_ && u >= end) return {knots_.size() - 2, u - knots_[knots_.size() - 2], 0, true};
  const auto after = std::upper_bound(knots_.begin(), knots_.end(), u);
  const auto index = std::clamp<std::ptrdiff_t>(after - knots_.begin() - 1, 0,
                                                static_cast<std::ptrdiff_t>(knots_.size()) - 2);
  const auto piece = static_cast<std::size_t>(index);
  return {piece, u - knots_[piece], laps, false};
}

Vec3 Spline::position(double u) const {
  const Place at = place(u);
  const std::size_t i = at.piece;
  const double h = knots_[i + 1] - knots_[i];
  if (at.beyond) {
    const double edge = at.t <= 0 ? 0.0 : h;
    return values_[at.t <= 0 ? i : i + 1] + (at.t - edge) * derivative(u);
  }
  const double b = at.t / h, a = 1 - b;
  return a * values_[i] + b * values_[i + 1] +
         h * h / 6 * ((a * a * a - a) * moments_[i] + (b * b * b - b) * moments_[i + 1]);
}

Vec3 Spline::derivative(double u) const {
  const Place at = place(u);
  const std::size_t i = at.piece;
  const double h = knots_[i + 1] - knots_[i], b = std::clamp(at.t / h, 0.0, 1.0), a = 1 - b;
  return (values_[i + 1] - values_[i]) / h +
         h / 6 * ((1 - 3 * a * a) * moments_[i] + (3 * b * b - 1) * moments_[i + 1]);
}

Vec3 Spline::second_derivative(double u) const {
  const Place at = place(u);
  if (at.beyond) return Vec3::Zero();
  const std::size_t i = at.piece;
  const double b = at.t / (knots_[i + 1] - knots_[i]);
  return (1 - b) * moments_[i] + b * moments_[i + 1];
}

// Two panels of eight points from the beginning of the piece to t.
double Spline::piece_length(std::size_t piece, double t) const {
  const double from = knots_[piece], half = 0.5 * t;
  double sum = 0;
  for (const double middle : {from + 0.5 * half, from + 1.5 * half})
    for (std::size_t i = 0; i < nodes.size(); ++i)
      for (const double side : {-0.5, 0.5}) {
        const double u = middle + side * half * nodes[i];
        const double h = knots_[piece + 1] - from, b = (u - from) / h, a = 1 - b;
        const Vec3 slope =
            (values_[piece + 1] - values_[piece]) / h +
            h / 6 * ((1 - 3 * a * a) * moments_[piece] + (3 * b * b - 1) * moments_[piece + 1]);
        sum += 0.5 * half * weights[i] * slope.norm();
      }
  return sum;
}

double Spline::arc_length(double u) const {
  const Place at = place(u);
  if (at.beyond) {
    const double speed = derivative(u).norm();
    return at.t <= 0 ? at.t * speed : length() + (u - knots_.back()) * speed;
  }
  return at.laps * length() + arc_[at.piece] + piece_length(at.piece, at.t);
}

// Newton's method on the slope of half the squared distance, never uphill, by at most half a piece at a time.
double Spline::closest(const Vec3& point, double near) const {
  double u = near, square = (position(u) - point).squaredNorm();
  for (int i = 0; i < 60; ++i) {
    const Vec3 gap = position(u) - point, d = derivative(u);
    const double curvature = d.squaredNorm() + gap.dot(second_derivative(u));
    const std::size_t piece = place(u).piece;
    const double reach = 0.5 * (knots_[piece + 1] - knots_[piece]);
    double step = -gap.dot(d) / (curvature > 0 ? curvature : d.squaredNorm());
    step = std::clamp(step, -reach, reach);
    if (std::abs(step) <= 1e-15 * (std::abs(u) + knots_.back())) break;
    double next = (position(u + step) - point).squaredNorm();
    // Short steps cannot go astray, and rounding would make them look uphill.
    while (next > square && std::abs(step) > 1e-4 * reach) {
      step *= 0.5;
      next = (position(u + step) - point).squaredNorm();
    }
    u += step;
    square = next;
  }
  return u;
}

double Spline::closest(const Vec3& point) const {
  double best = 0, least = (values_[0] - point).squaredNorm();
  constexpr int samples = 8;
  for (std::size_t i = 0; i + 1 < knots_.size(); ++i)
    for (int k = 1; k <= samples; ++k) {
      const double u = knots_[i] + (knots_[i + 1] - knots_[i]) * k / samples;
      const double square = (position(u) - point).squaredNorm();
      if (square < least) {
        least = square;
        best = u;
      }
    }
  return closest(point, best);
}

Spline Spline::turned(const Quat& q, const Vec3& shift) const {
  Spline other = *this;
  for (Vec3& v : other.values_) v = q * v + shift;
  for (Vec3& m : other.moments_) m = q * m;
  return other;
}

}  // namespace hardpan
