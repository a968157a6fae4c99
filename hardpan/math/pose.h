// Where something is: its origin (of a body: the centre of mass) and the rotation from its frame to the
// world.
#pragma once

#include "hardpan/math/rotation.h"

namespace hardpan {

struct Pose {
  Vec3 x = Vec3::Zero();
  Quat q = Quat::Identity();

  Vec3 turned(const Vec3& in_body) const { return rotate(q, in_body); }
  Vec3 point(const Vec3& in_body) const { return x + rotate(q, in_body); }
  // The body coordinates of a world point or direction.
  Vec3 local_point(const Vec3& in_world) const { return rotate(q.conjugate(), in_world - x); }
  Vec3 local_vector(const Vec3& in_world) const { return rotate(q.conjugate(), in_world); }
  // Of something placed at `inner` in this frame.
  Pose operator*(const Pose& inner) const { return {point(inner.x), q * inner.q}; }
};

}  // namespace hardpan
