// The list of joint kinds. A new kind is one header and one line here.
#pragma once

#include <tuple>
#include <vector>

#include "hardpan/multibody/joint_ball.h"
#include "hardpan/multibody/joint_bushing.h"
#include "hardpan/multibody/joint_cylindrical.h"
#include "hardpan/multibody/joint_distance.h"
#include "hardpan/multibody/joint_fixed.h"
#include "hardpan/multibody/joint_hinge.h"
#include "hardpan/multibody/joint_line.h"
#include "hardpan/multibody/joint_planar.h"
#include "hardpan/multibody/joint_point_on_curve.h"
#include "hardpan/multibody/joint_rolling.h"
#include "hardpan/multibody/joint_screw.h"
#include "hardpan/multibody/joint_skate.h"
#include "hardpan/multibody/joint_slider.h"
#include "hardpan/multibody/joint_universal.h"

namespace hardpan::multibody {

template <JointKind... Kinds>
using PoolsOf = std::tuple<std::vector<Kinds>...>;

using JointPools = PoolsOf<BallJoint,          //
                           HingeJoint,         //
                           DistanceJoint,      //
                           LineJoint,          //
                           FixedJoint,         //
                           SliderJoint,        //
                           CylindricalJoint,   //
                           ScrewJoint,         //
                           PlanarJoint,        //
                           UniversalJoint,     //
                           PointOnCurveJoint,  //
                           SkateJoint,         //
                           RollingJoint,       //
                           BushingJoint>;

}  // namespace hardpan::multibody
