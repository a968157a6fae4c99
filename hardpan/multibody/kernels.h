// Equation-sized parts from which joints are composed: value g and Jacobian of one geometric relation
// between two bodies. With the world point p = x + R s of a body point s and lever r = R s, dp/dt = v + omega
// x r; a body vector u turns as du/dt = omega x u. Each kernel is checked against finite differences.
#pragma once

#include <cmath>
#include <numbers>

#include "hardpan/math/pose.h"
#include "hardpan/multibody/row.h"

namespace hardpan::multibody {

// The rate of B against A along n, at the point p that they share: n . (v_B + omega_B x (p - x_B) - v_A -
// omega_A x (p - x_A)). Both feel the force at p, so momentum and angular momentum are kept to rounding.
inline void push_at(Relation& row, const Pose& A, const Pose& B, const Vec3& p, const Vec3& n) {
  row.jacobian_a << -n, -(p - A.x).cross(n);
  row.jacobian_b << n, (p - B.x).cross(n);
}

// g = n . (p_B - p_A) for a direction n fixed in A. Turning A turns n too, so both bodies feel the force at
// p_B: action and reaction share one line, and angular momentum is kept to rounding whatever the violation.
inline void point_on_point(Relation& row, const Pose& A, const Pose& B, const Vec3& s_A, const Vec3& s_B,
                           const Vec3& n_A) {
  const Vec3 n = A.turned(n_A), p_B = B.point(s_B);
  row.value = n.dot(p_B - A.point(s_A));
  push_at(row, A, B, p_B, n);
}

// g = u . w for u fixed in A and w fixed in B: they stay perpendicular.
inline void perpendicular(Relation& row, const Pose& A, const Pose& B, const Vec3& u_A, const Vec3& w_B) {
  const Vec3 u = A.turned(u_A), w = B.turned(w_B), c = u.cross(w);
  row.value = u.dot(w);
  row.jacobian_a << Vec3::Zero(), c;
  row.jacobian_b << Vec3::Zero(), -c;
}

// g = |p_B - p_A| - length. Points that coincide have no direction: the world's z is as good as any.
inline void distance(Relation& row, const Pose& A, const Pose& B, const Vec3& s_A, const Vec3& s_B,
                     double length) {
  const Vec3 r_A = A.turned(s_A), r_B = B.turned(s_B);
  const Vec3 d = B.x + r_B - A.x - r_A;
  const double norm = d.norm();
  const Vec3 n = norm > 0 ? Vec3(d / norm) : Vec3::UnitZ();
  row.value = norm - length;
  row.jacobian_a << -n, -r_A.cross(n);
  row.jacobian_b << n, r_B.cross(n);
}

// The turn of B against A about the common axis a: angle from u (fixed in A) to w (fixed in B), both
// perpendicular to the axis, in (-pi, pi].
inline double turn_about(const Pose& A, const Pose& B, const Vec3& axis_A, const Vec3& u_A, const Vec3& w_B) {
  const Vec3 a = A.turned(axis_A), u = A.turned(u_A), w = B.turned(w_B);
  return std::atan2(a.dot(u.cross(w)), u.dot(w));
}

// The same turn as `turn`, with the number of full turns that brings it closest to `before`.
inline double unwrapped(double turn, double before) {
  return turn + 2 * std::numbers::pi * std::round((before - turn) / (2 * std::numbers::pi));
}

// value = angle, rate = a . (omega_B - omega_A)
inline void turn(Relation& row, const Pose& A, const Vec3& axis_A, double angle) {
  const Vec3 a = A.turned(axis_A);
  row.value = angle;
  row.jacobian_a << Vec3::Zero(), -a;
  row.jacobian_b << Vec3::Zero(), a;
}

// The same value with the slope that `turn_about` has wherever the axes are: with the rate W = omega_B -
// omega_A and the angle between a and w not zero, rate = W . (a - (a.w) w)/|a x w|^2 for |w| = 1.
inline void exact_turn(Relation& row, const Pose& A, const Pose& B, const Vec3& axis_A, const Vec3& w_B,
                       double angle) {
  const Vec3 a = A.turned(axis_A), w = B.turned(w_B);
  const double square = a.cross(w).squaredNorm();
  const Vec3 slope = square > 0 ? Vec3((a - a.dot(w) * w) / square) : a;
  row.value = angle;
  row.jacobian_a << Vec3::Zero(), -slope;
  row.jacobian_b << Vec3::Zero(), slope;
}

// The rotation from a frame of A to a frame of B, in coordinates of A's frame. Quaternions of bodies are
// continuous in time, and so is this one, beyond half a turn, too: its sign is that of the start.
inline Quat rotation_between(const Pose& A, const Pose& B, const Quat& frame_A, const Quat& frame_B) {
  return (A.q * frame_A).conjugate() * (B.q * frame_B);
}

// g = component i of 2 sin(theta/2) n, where the rotation turns by theta about n: the rotation vector up to
// theta^3/24. It is zero for full turns only, and largest for half a turn. With dq/dt = (0, W) q/2 for the
// quaternion q = (w, e) and W in A's frame: dg/dt = W . (w e_i + e x e_i).
inline void rotation_about(Relation& row, const Pose& A, const Quat& frame_A, const Quat& rotation, int i) {
  const Vec3 n = Vec3::Unit(i);
  const Vec3 slope = A.q * (frame_A * Vec3(rotation.w() * n + rotation.vec().cross(n)));
  row.value = 2 * rotation.vec()[i];
  row.jacobian_a << Vec3::Zero(), -slope;
  row.jacobian_b << Vec3::Zero(), slope;
}

}  // namespace hardpan::multibody
