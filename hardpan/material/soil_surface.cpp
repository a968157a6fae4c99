#include "hardpan/material/soil_surface.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace hardpan::material {
namespace {

constexpr double right_angle = std::numbers::pi / 2;

double root_of(double m, double R) { return std::sqrt(1 + m * m * R * R); }

// A point of a cap at the angle v from the axis s = 0, the direction in which it flows, and how both change
// with v and kappa.
struct Spot {
  double I, s, I_v, s_v, I_kappa, s_kappa;
  double n_I, n_s, n_I_v, n_s_v;
};

Spot on_circle(const SoilSurface& f, double v) {
  const double radius = f.circle_radius(), sine = std::sin(v), cosine = std::cos(v), less = f.m - f.flow;
  return {.I = f.circle_centre() + radius * cosine,
          .s = radius * sine,
          .I_v = -radius * sine,
          .s_v = radius * cosine,
          .I_kappa = 0,
          .s_kappa = 0,
          .n_I = cosine - less * sine,
          .n_s = sine,
          .n_I_v = -sine - less * cosine,
          .n_s_v = cosine};
}

Spot on_ellipse(const SoilSurface& f, double kappa, double v) {
  const double b = f.half_axis(kappa), b_kappa = -f.m / (root_of(f.m, f.R) + f.m * f.R);
  const double sine = std::sin(v), cosine = std::cos(v);
  const double share = (cosine < 0 && f.m > 0 ? f.flow / f.m : 1) / f.R;  // beyond the top it dilates
  return {.I = f.ellipse_centre(kappa) - f.R * b * cosine,
          .s = b * sine,
          .I_v = f.R * b * sine,
          .s_v = b * cosine,
          .I_kappa = 1 + f.R * b_kappa * (1 - cosine),
          .s_kappa = b_kappa * sine,
          .n_I = -share * cosine,
          .n_s = sine,
          .n_I_v = share * sine,
          .n_s_v = cosine};
}

// On which side of the way back to a spot a stress lies: positive towards tension.
double side(const Spot& spot, const InvariantPoint& trial, double bulk, double shear) {
  return (trial.I - spot.I) * shear * spot.n_s - (trial.s - spot.s) * 9 * bulk * spot.n_I;
}

double side_v(const Spot& spot, const InvariantPoint& trial, double bulk, double shear) {
  return -spot.I_v * shear * spot.n_s + (trial.I - spot.I) * shear * spot.n_s_v +
         spot.s_v * 9 * bulk * spot.n_I - (trial.s - spot.s) * 9 * bulk * spot.n_I_v;
}

// The stretch of a unit circle that can be seen from a point at (x, y) beyond it, up to an end; angles from
// the axis y = 0.
struct Arc {
  double low, high;

  Arc(double x, double y, double end) {
    const double middle = std::atan2(y, x), half = std::acos(std::min(1.0, 1 / std::hypot(x, y)));
    low = std::clamp(middle - half, 0.0, end);
    high = std::clamp(middle + half, 0.0, end);
  }
};

// The angle whose way back leads through the trial stress, which sees the whole arc: Newton's method within
// brackets. side() times `sign` falls from above 0 to below it.
template <class SpotAt>
double angle_of(const SpotAt& spot_at, const Arc& arc, double sign, const InvariantPoint& trial, double bulk,
                double shear) {
  double low = arc.low, high = arc.high, v = 0.5 * (low + high);
  for (int k = 0; k < 200; ++k) {
    const Spot spot = spot_at(v);
    const double value = sign * side(spot, trial, bulk, shear);
    if (value == 0) break;
    (value > 0 ? low : high) = v;
    const double step = value / (sign * side_v(spot, trial, bulk, shear)), next = v - step;
    const double before = v;
    v = next > low && next < high ? next : 0.5 * (low + high);
    if (std::abs(v - before) <= 2e-16 * v || high - low <= 2e-16 * high) break;
  }
  return v;
}

SoilReturn returned(SoilRegion region, const Spot& spot, double v) {
  return {region, {spot.I, spot.s}, v, spot.n_I, spot.n_s};
}

}  // namespace

double SoilSurface::circle_centre() const {
  const double S = std::sqrt(1 + m * m);
  return (T * S - k) / (S - m);
}

InvariantPoint SoilSurface::tension_tangent() const {
  const double I = circle_centre() + circle_radius() * m / std::sqrt(1 + m * m);
  return {I, k - m * I};
}

double SoilSurface::half_axis(double kappa) const { return (k - m * kappa) / (root_of(m, R) + m * R); }

double SoilSurface::ellipse_centre(double kappa) const { return kappa + R * half_axis(kappa); }

// I_c = a + m R^2 b/q, linear in kappa.
InvariantPoint SoilSurface::compression_tangent(double kappa) const {
  const double q = root_of(m, R), I = kappa * (1 - m * R / q) + R * k / q;
  return {I, k - m * I};
}

double SoilSurface::largest_kappa() const {
  const double q = root_of(m, R), end = tension_cap ? tension_tangent().I : apex();
  return std::min(0.0, (end - R * k / q) / (1 - m * R / q));
}

double SoilSurface::beyond(const InvariantPoint& at, double kappa) const {
  if (compression_cap && at.I < compression_tangent(kappa).I)
    return std::hypot((at.I - ellipse_centre(kappa)) / R, at.s) - half_axis(kappa);
  if (tension_cap && at.I > tension_tangent().I)
    return std::hypot(at.I - circle_centre(), at.s) - circle_radius();
  return at.s + m * at.I - k;
}

std::vector<InvariantPoint> outline(const SoilSurface& f, double kappa, double lowest, double highest) {
  constexpr int parts = 60;  // of a cap
  std::vector<InvariantPoint> points;
  const auto add_cap = [&](const auto& spot_at, double from, double to) {
    for (int k = 0; k <= parts; ++k) {
      const Spot spot = spot_at(from + (to - from) * k / parts);
      points.push_back({spot.I, spot.s});
    }
  };
  const auto on_cone = [&](double I) { return InvariantPoint{I, f.k - f.m * I}; };
  if (f.tension_cap)
    add_cap([&](double v) { return on_circle(f, v); }, 0, right_angle - std::atan(f.m));
  else
    points.push_back(f.apex() <= highest ? InvariantPoint{f.apex(), 0} : on_cone(highest));
  if (f.compression_cap)
    add_cap([&](double v) { return on_ellipse(f, kappa, v); }, right_angle + std::atan(f.m * f.R), 0);
  else
    points.push_back(on_cone(lowest));
  return points;
}

SoilReturn come_back(const SoilSurface& f, double kappa, const InvariantPoint& trial, double bulk,
                     double shear) {
  // Beyond the cone, ways back to the tangent points part the regions; within it only caps are left.
  const bool beyond_cone = trial.s + f.m * trial.I > f.k;
  if (f.compression_cap) {
    const double tangent = right_angle + std::atan(f.m * f.R);
    const auto spot_at = [&](double v) { return on_ellipse(f, kappa, v); };
    const Spot end = spot_at(tangent);
    if (beyond_cone ? side(end, trial, bulk, shear) < 0 : trial.I < end.I) {
      const double a = f.ellipse_centre(kappa), b = f.half_axis(kappa);
      const Arc arc((a - trial.I) / (f.R * b), trial.s / b, tangent);
      const double v = trial.s > 0 ? angle_of(spot_at, arc, 1, trial, bulk, shear) : 0;
      return returned(SoilRegion::compression_cap, spot_at(v), v);
    }
  }
  if (f.tension_cap) {
    const double tangent = right_angle - std::atan(f.m);
    const auto spot_at = [&](double v) { return on_circle(f, v); };
    const Spot end = spot_at(tangent);
    if (beyond_cone ? side(end, trial, bulk, shear) > 0 : trial.I > end.I) {
      const double radius = f.circle_radius();
      const Arc arc((trial.I - f.circle_centre()) / radius, trial.s / radius, tangent);
      const double v = trial.s > 0 ? angle_of(spot_at, arc, -1, trial, bulk, shear) : 0;
      return returned(SoilRegion::tension_cap, spot_at(v), v);
    }
  }
  const double length = (trial.s + f.m * trial.I - f.k) / (shear + 9 * bulk * f.m * f.flow);
  const double s = trial.s - shear * length;
  if (s < 0) return {SoilRegion::apex, {f.apex(), 0}, 0, 0, 0};
  return {SoilRegion::cone, {trial.I - 9 * bulk * f.flow * length, s}, 0, f.flow, 1};
}

Slope slope_of(const SoilSurface& f, double kappa, const InvariantPoint& trial, const SoilReturn& back,
               double bulk, double shear, double hardening) {
  if (back.region == SoilRegion::elastic) return {};
  if (back.region == SoilRegion::apex) return {0, 0, 0, 0};
  Spot spot;
  if (back.region == SoilRegion::cone)
    spot = {back.at.I, back.at.s, 1, -f.m, 0, 0, f.flow, 1, 0, 0};
  else
    spot =
        back.region == SoilRegion::tension_cap ? on_circle(f, back.angle) : on_ellipse(f, kappa, back.angle);
  // Unknowns: the angle v (I1 on the cone), the length l, and kappa.
  //     trial.I = I(v, kappa) + 9K l n_I(v),   trial.s = s(v, kappa) + G l n_s(v)
  //     kappa' = h (trial.I' - I')/(3K)
  const double length = std::abs(spot.n_s) * shear > std::abs(spot.n_I) * 9 * bulk
                            ? (trial.s - spot.s) / (shear * spot.n_s)
                            : (trial.I - spot.I) / (9 * bulk * spot.n_I);
  const double h = back.region == SoilRegion::compression_cap ? hardening / (3 * bulk) : 0;
  // kappa' = (h trial.I' - h I_w w')/(1 + h I_kappa), put into the first two.
  const double over = h > 0 ? 1 / (1 / h + spot.I_kappa) : 0;  // h may be infinite
  const double a11 = spot.I_v * (1 - spot.I_kappa * over) + 9 * bulk * length * spot.n_I_v;
  const double a21 = spot.s_v - spot.s_kappa * over * spot.I_v + shear * length * spot.n_s_v;
  const double a12 = 9 * bulk * spot.n_I, a22 = shear * spot.n_s;
  const double determinant = a11 * a22 - a12 * a21;
  const auto v_of = [&](double right_I, double right_s) {
    return (a22 * right_I - a12 * right_s) / determinant;
  };
  const double v_I = v_of(1 - spot.I_kappa * over, -spot.s_kappa * over), v_s = v_of(0, 1);
  const double kappa_I = over * (1 - spot.I_v * v_I), kappa_s = -over * spot.I_v * v_s;
  return {spot.I_v * v_I + spot.I_kappa * kappa_I, spot.I_v * v_s + spot.I_kappa * kappa_s,
          spot.s_v * v_I + spot.s_kappa * kappa_I, spot.s_v * v_s + spot.s_kappa * kappa_s};
}

}  // namespace hardpan::material
