// What changes during a run: plain data that can be hashed, saved and restored.
#pragma once

#include <span>
#include <vector>

#include "hardpan/core/archive.h"
#include "hardpan/math/pose.h"
#include "hardpan/math/types.h"
#include "hardpan/multibody/body_id.h"
#include "hardpan/multibody/ledger.h"

namespace hardpan::multibody {

struct State {
  std::vector<Pose> pose;              // per body
  std::vector<Vec3> velocity;          // of the centre of mass, m/s
  std::vector<Vec3> angular_momentum;  // about the centre of mass, world frame, kg m^2/s
  std::vector<double> shaft_angle;     // rad
  std::vector<double> shaft_speed;     // rad/s
  std::vector<double> impulse;         // of every row in the last step, N s or N m s
  std::vector<double> rate;            // of every row over the last drift, m/s or rad/s
  std::vector<double> memory;          // of joints and couplings
  Ledger ledger;

  // The world does not move.
  const Pose& pose_of(BodyId id) const {
    static const Pose world{};
    return id.valid() ? pose[id.index()] : world;
  }

  void save(Archive& archive) const;
  // Sizes must be set; throws IoError when the archive holds another world.
  void restore(const Archive& archive);
};

// Copies between vectors of 3-vectors and the flat arrays of an archive.
std::vector<double> flat(std::span<const Vec3> vectors);
std::vector<double> flat_positions(std::span<const Pose> poses);
std::vector<double> flat_orientations(std::span<const Pose> poses);  // w, x, y, z

}  // namespace hardpan::multibody
