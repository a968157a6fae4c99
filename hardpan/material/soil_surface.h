// Where soil yields, in the plane of I1 (trace of the stress, tension positive) and s = sqrt(J2): the cone of
// Drucker & Prager, smooth ends where they are asked for, and how a stress beyond it comes back.
//
//     cone           s = k - m I1                       m = eta/3,  k = xi c
//     tension cap    circle about (C, 0) through (T, 0), tangent to the cone
//     compression    ellipse about (a, 0), half axes R b along I1 and b along s, through (kappa, 0), tangent
//
//     eta = 6 sin(phi)/(sqrt3 (3 - sin phi)),     xi = 6 cos(phi)/(sqrt3 (3 - sin phi))
//     C = (T S - k)/(S - m),   S = sqrt(1 + m^2);     b = (k - m kappa)/(q + m R),   q = sqrt(1 + m^2 R^2)
//
// (Dolarevic & Ibrahimbegovic 2007; MESHFREE, appendix. The forms hold for phi = 0 as well.) Points and
// normals of the caps follow an angle v from the axis s = 0: on the circle (C + R_T cos v, R_T sin v) with
// the normal (cos v, sin v), up to the tangent point at tan v = 1/m; on the ellipse (a - R b cos v, b sin v)
// with (-cos(v)/R, sin v). A stress comes back along
//
//     (9K n_I, G n_s)
//
// which is the elastic way of a plastic strain along n. With a dilation angle of its own, the cone flows
// along (m', 1) and the caps follow without a jump: on the circle n_I = cos v - (m - m') sin v, on the part
// of the ellipse that dilates n_I is m'/m times its own. Directions turn monotonically along the surface, so
// ways back do not cross, and every stress beyond it has exactly one.
#pragma once

#include <limits>
#include <vector>

namespace hardpan::material {

struct InvariantPoint {
  double I = 0, s = 0;  // Pa
};

// A matrix of two by two, by rows.
struct Slope {
  double II = 1, Is = 0, sI = 0, ss = 1;
};

struct SoilSurface {
  double m = 0, k = 0;  // of the cone, -, Pa
  double flow = 0;      // m' <= m
  bool tension_cap = false, compression_cap = false;
  double T = 0;  // Pa
  double R = 1;  // R_C

  // Of the caps; what depends on kappa is a function of it.
  double circle_centre() const;
  double circle_radius() const { return T - circle_centre(); }
  double apex() const { return m > 0 ? k / m : std::numeric_limits<double>::infinity(); }
  InvariantPoint tension_tangent() const;
  double half_axis(double kappa) const;       // b
  double ellipse_centre(double kappa) const;  // a
  InvariantPoint compression_tangent(double kappa) const;
  // Where the tangent points of both caps meet, and no stress at all is still elastic.
  double largest_kappa() const;

  bool associated() const { return flow == m; }
  // How far a stress lies beyond the surface (below 0: within), Pa.
  double beyond(const InvariantPoint& at, double kappa) const;
};

// Points of the surface in order, from its end in tension to its end in compression; where there is no end,
// up to `highest` or down to `lowest`, Pa. For pictures.
std::vector<InvariantPoint> outline(const SoilSurface& surface, double kappa, double lowest, double highest);

enum class SoilRegion { elastic, cone, apex, tension_cap, compression_cap };

// A point of the surface to which a stress comes back, and the direction n there.
struct SoilReturn {
  SoilRegion region = SoilRegion::elastic;
  InvariantPoint at;
  double angle = 0;  // v, on the caps
  double n_I = 0, n_s = 0;
};

// For a fixed kappa. `trial` must lie beyond the surface.
SoilReturn come_back(const SoilSurface& surface, double kappa, const InvariantPoint& trial, double bulk,
                     double shear);

// d(at)/d(trial) and, where the cap hardens with the volume that is lost, kappa' = hardening x change of the
// plastic volume strain, (trial.I - at.I)/(3K).
Slope slope_of(const SoilSurface& surface, double kappa, const InvariantPoint& trial, const SoilReturn& back,
               double bulk, double shear, double hardening);

}  // namespace hardpan::material
