// Where a body is: its centre of mass and the rotation from body frame to world.
#pragma once

#include "hardpan/core/id.h"
#include "hardpan/math/types.h"

namespace hardpan::multibody {

struct BodyTag;
using BodyId = Id<BodyTag>;  // an invalid id stands for the world

struct Pose {
  Vec3 x = Vec3::Zero();
  Quat q = Quat::Identity();

  Vec3 turned(const Vec3& in_body) const { return q * in_body; }
  Vec3 point(const Vec3& in_body) const { return x + q * in_body; }
  // The body coordinates of a world point or direction.
  Vec3 local_point(const Vec3& in_world) const { return q.conjugate() * (in_world - x); }
  Vec3 local_vector(const Vec3& in_world) const { return q.conjugate() * in_world; }
};

}  // namespace hardpan::multibody
