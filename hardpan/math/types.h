// Fixed-size algebra used everywhere. Six-vectors stack translation over rotation: (v, omega), (force,
// torque).
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace hardpan {

using Vec3 = Eigen::Vector3d;
using Vec6 = Eigen::Matrix<double, 6, 1>;
using VecX = Eigen::VectorXd;
using Mat3 = Eigen::Matrix3d;
using Mat6 = Eigen::Matrix<double, 6, 6>;
using Quat = Eigen::Quaterniond;  // unit, body frame to world

}  // namespace hardpan
