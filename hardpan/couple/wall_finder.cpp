#include "hardpan/couple/wall_finder.h"

#include <algorithm>
#include <cmath>

#include "hardpan/geometry/aabb.h"

namespace hardpan::couple {
namespace {

grains::Vec columns(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
Vec3 vector(const grains::Vec& v) { return {v.x, v.y, v.z}; }

}  // namespace

WallFinder::WallFinder(const geometry::Shape& shape) {
  const geometry::Aabb box = geometry::bounds(shape, Pose{});
  extent_ = box.low.cwiseAbs().cwiseMax(box.high.cwiseAbs()).norm();
}

bool WallFinder::is_good(const grains::System& grains, const Pose& pose) const {
  if (looked_ != grains.looks()) return false;
  const double turned = 2 * (pose_.q.conjugate() * pose.q).vec().norm();
  return (pose.x - pose_.x).norm() + (turned > 0 ? turned * extent_ : 0) <= allowed_;
}

// Grains go no further than half of their margin until they look again.
void WallFinder::look(const grains::System& grains, const geometry::Shape& shape, const Pose& pose) {
  looked_ = grains.looks();
  pose_ = pose;
  allowed_ = 0.25 * grains.skin();
  const double reach = allowed_ + 0.5 * grains.state().margin;
  const geometry::Aabb box = geometry::bounds(shape, pose);
  const Mat3 to_local = pose.q.toRotationMatrix().transpose();
  const auto gap = [&](const Vec3& centre) {  // or less
    if (std::holds_alternative<geometry::Plane>(shape)) return to_local.row(2).dot(centre - pose.x);
    if (const auto* solid = std::get_if<geometry::Box>(&shape)) {
      const Vec3 p = to_local * (centre - pose.x), half = 0.5 * solid->size;
      return (p - p.cwiseMax(-half).cwiseMin(half)).norm();
    }
    return (centre - centre.cwiseMax(box.low).cwiseMin(box.high)).norm();
  };
  near_.clear();
  const grains::Vec by{reach, reach, reach};
  grains.near(columns(box.low) - by, columns(box.high) + by, [&](std::uint32_t i) {
    const grains::Ball& ball = grains.state()[i];
    if (gap(vector(ball.position)) < ball.radius + reach) near_.push_back(i);
  });
}

void WallFinder::find(const grains::System& grains, std::uint32_t wall, const geometry::Shape& shape,
                      const Pose& pose, std::vector<grains::WallTouch>& touches) {
  if (!is_good(grains, pose)) look(grains, shape, pose);
  const Mat3 turn = pose.q.toRotationMatrix(), to_local = turn.transpose();
  const auto* const box = std::get_if<geometry::Box>(&shape);
  const bool plane = std::holds_alternative<geometry::Plane>(shape);
  grains::WallTouch touch;
  touch.place = 256 * wall;
  for (const std::uint32_t i : near_) {
    const grains::Ball& ball = grains.state()[i];
    const double r = ball.radius;
    const Vec3 centre = vector(ball.position);
    touch.grain = i;
    if (box) {
      const Vec3 p = to_local * (centre - pose.x), half = 0.5 * box->size;
      const Vec3 out = p - p.cwiseMax(-half).cwiseMin(half);
      const double distance_2 = out.squaredNorm();
      if (distance_2 >= r * r) continue;
      if (distance_2 > 0) {
        const double distance = std::sqrt(distance_2);
        touch.normal = columns(turn * (out / distance));
        touch.overlap = r - distance;
        touches.push_back(touch);
        continue;
      }
    } else if (plane) {
      const double distance = turn.col(2).dot(centre - pose.x);
      touch.normal = columns(turn.col(2));
      touch.overlap = r - distance;
      if (distance < r) touches.push_back(touch);
      continue;
    }
    collide(shape, pose, centre, r, touch, touches);
  }
}

void WallFinder::collide(const geometry::Shape& shape, const Pose& pose, const Vec3& centre, double radius,
                         grains::WallTouch touch, std::vector<grains::WallTouch>& touches) {
  points_.clear();
  geometry::collide(shape, pose, geometry::Sphere{radius}, {centre, Quat::Identity()}, 0, points_);
  std::ranges::sort(points_, {}, &geometry::ContactPoint::feature);
  const std::uint32_t first = touch.place;
  for (std::uint32_t k = 0; k < points_.size(); ++k) {
    if (!(points_[k].gap < 0)) continue;
    touch.place = first + std::min(k, 255u);
    touch.normal = columns(points_[k].normal);
    touch.overlap = -points_[k].gap;
    touches.push_back(touch);
  }
}

}  // namespace hardpan::couple
