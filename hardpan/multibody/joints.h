// The list of joint kinds. A new kind is one header and one line here.
#pragma once

#include <tuple>
#include <vector>

#include "hardpan/multibody/joint_ball.h"
#include "hardpan/multibody/joint_distance.h"
#include "hardpan/multibody/joint_hinge.h"
#include "hardpan/multibody/joint_line.h"

namespace hardpan::multibody {

template <JointKind... Kinds>
using PoolsOf = std::tuple<std::vector<Kinds>...>;

using JointPools = PoolsOf<BallJoint,      //
                           HingeJoint,     //
                           DistanceJoint,  //
                           LineJoint>;

}  // namespace hardpan::multibody
