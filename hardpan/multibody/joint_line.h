// A line between a point of A and a point of B. It holds nothing by itself (no rows); its coordinate is the
// distance of the points. With a spring along it it is a spring, with a stop a rope or a strut, with a motor
// a cylinder. Across the line a force T acts with T/|d|, which is explicit: h < 2 / sqrt(T/(m |d|)).
#pragma once

#include "hardpan/multibody/joint.h"
#include "hardpan/multibody/kernels.h"

namespace hardpan::multibody {

struct LineJoint {
  static constexpr std::string_view kind = "line";
  static constexpr std::size_t memory_size = 0;
  static constexpr std::array<CoordinateName, 1> coordinates = {{{"length", Measure::length}}};

  JointEnds ends;
  Vec3 s_A, s_B;                     // the end points in body coordinates, m
  std::string_view shown_as = kind;  // "spring" is drawn as a coil

  std::size_t rows() const { return 0; }
  void evaluate(const Pose&, const Pose&, std::span<const double>, std::span<Row>) const {}
  void remember(const Pose&, const Pose&, std::span<double>) const {}
  void measure(const Pose& A, const Pose& B, std::span<const double>, std::span<Relation> out) const {
    distance(out[0], A, B, s_A, s_B, 0.0);
  }
};

}  // namespace hardpan::multibody
