// A smooth space curve through given points: cubic between neighbours, with continuous second derivative.
//
// The parameter u runs from 0 by the length of the chords. Open curves are natural splines (no curvature at
// their ends) and go on straight beyond them, which keeps the second derivative continuous; closed curves are
// periodic in u. Source: de Boor, A Practical Guide to Splines, ch. IV.
#pragma once

#include <vector>

#include "hardpan/math/types.h"

namespace hardpan {

class Spline {
 public:
  Spline() = default;
  // At least two points (three where closed), neighbours apart; a closed curve does not repeat its first
  // point.
  Spline(std::vector<Vec3> points, bool closed);

  bool closed() const { return closed_; }
  double parameter_end() const { return knots_.back(); }  // of one lap where closed
  double length() const { return arc_.back(); }           // of one lap where closed

  Vec3 position(double u) const;
  Vec3 derivative(double u) const;
  Vec3 second_derivative(double u) const;
  // From the first point to u; negative before it; laps of a closed curve add up.
  double arc_length(double u) const;

  // The parameter of the closest point: anywhere, or downhill from `near`.
  double closest(const Vec3& point) const;
  double closest(const Vec3& point, double near) const;

  // The same curve elsewhere.
  Spline turned(const Quat& q, const Vec3& shift) const;

 private:
  struct Place {
    std::size_t piece;
    double t;     // from the beginning of the piece
    double laps;  // whole laps of a closed curve
    bool beyond;  // an end of an open curve: go on straight
  };
  Place place(double u) const;
  double piece_length(std::size_t piece, double t) const;

  bool closed_ = false;
  std::vector<double> knots_;  // one more than pieces
  std::vector<Vec3> values_;   // at the knots
  std::vector<Vec3> moments_;  // second derivatives at the knots
  std::vector<double> arc_;    // length up to the knots
};

}  // namespace hardpan
