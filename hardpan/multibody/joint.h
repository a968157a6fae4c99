// What a kind of joint is: plain parameters and a few functions. Joints of one kind live in one pool
// (joints.h).
//
//   rows()       how many equations it adds
//   evaluate()   those equations at given poses; called for every joint every step, inlined per pool
//   coordinates  the ways that it leaves free, by name; measure() gives their values and slopes
//   remember()   optional memory that is part of the saved state (e.g. the number of turns of a hinge)
#pragma once

#include <array>
#include <concepts>
#include <span>
#include <string>

#include "hardpan/math/pose.h"
#include "hardpan/multibody/body_id.h"
#include "hardpan/multibody/coordinate.h"
#include "hardpan/multibody/row.h"

namespace hardpan::multibody {

struct JointEnds {
  std::string name;
  BodyId a, b;  // invalid: the world
};

inline constexpr std::array<CoordinateName, 0> no_coordinates{};

template <class K>
concept JointKind = requires(const K& joint, const Pose& pose, std::span<const double> memory,
                             std::span<double> next, std::span<Row> rows, std::span<Relation> relations) {
  { K::kind } -> std::convertible_to<std::string_view>;
  { K::memory_size } -> std::convertible_to<std::size_t>;
  { K::coordinates.size() } -> std::convertible_to<std::size_t>;
  { joint.ends } -> std::convertible_to<const JointEnds&>;
  { joint.rows() } -> std::same_as<std::size_t>;
  // The points that it holds, in body coordinates; the reaction is reported at s_B.
  { joint.s_A } -> std::convertible_to<Vec3>;
  { joint.s_B } -> std::convertible_to<Vec3>;
  joint.evaluate(pose, pose, memory, rows);
  joint.measure(pose, pose, memory, relations);
  joint.remember(pose, pose, next);
};

}  // namespace hardpan::multibody
