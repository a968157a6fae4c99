#include "hardpan/couple/wall_finder.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hardpan/geometry/aabb.h"
#include "hardpan/grains/rows.h"
#include "hardpan/math/widest.h"

namespace hardpan::couple {
namespace {

grains::Vec columns(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
Vec3 vector(const grains::Vec& v) { return {v.x, v.y, v.z}; }

// Of centres in the frame of a shape.
template <class T>
struct Gap {
  T distance;  // to the surface
  Vector3<T> normal;
};

struct BoxOf {
  Vec3 half;

  template <class T>
  [[gnu::always_inline]] Gap<T> operator()(const Vector3<T>& p) const {
    const auto beyond = [](const T& x, double most) __attribute__((always_inline)) {
      return select(x > T(most), x - T(most), select(T(-most) > x, x + T(most), T(0.0)));
    };
    const Vector3<T> out{beyond(p.x, half.x()), beyond(p.y, half.y()), beyond(p.z, half.z())};
    const T distance = norm(out);
    return {distance, (T(1.0) / select(distance > T(0.0), distance, T(1.0))) * out};
  }
  static bool inside(double distance) { return !(distance > 0); }
};

struct HalfSpace {  // below z = 0
  template <class T>
  [[gnu::always_inline]] Gap<T> operator()(const Vector3<T>& p) const {
    return {p.z, {T(0.0), T(0.0), T(1.0)}};
  }
  static bool inside(double) { return false; }
};

[[gnu::noinline]] void collide(const grains::Ball& ball, std::uint32_t grain, std::uint32_t place,
                               const geometry::Shape& shape, const Pose& pose,
                               std::vector<grains::WallTouch>& touches) {
  thread_local std::vector<geometry::ContactPoint> points;
  points.clear();
  geometry::collide(shape, pose, geometry::Sphere{ball.radius}, {vector(ball.position), Quat::Identity()}, 0,
                    points);
  std::ranges::sort(points, {}, &geometry::ContactPoint::feature);
  for (std::uint32_t k = 0; k < points.size(); ++k) {
    if (!(points[k].gap < 0)) continue;
    grains::WallTouch& touch = touches.emplace_back();
    touch.normal = columns(points[k].normal);
    touch.overlap = -points[k].gap;
    touch.grain = grain;
    touch.place = place + std::min(k, 255u);
  }
}

// Many at once.
template <class Closed>
void find_closed(std::span<const grains::Ball> balls, std::span<const std::uint32_t> near,
                 std::uint32_t place, const Closed& closed, const geometry::Shape& shape, const Pose& pose,
                 std::vector<grains::WallTouch>& touches) {
  const Mat3 turn = pose.q.toRotationMatrix();
  const bool turned = turn != Mat3::Identity();
  on_widest([&]<std::size_t width>() {
    using P = PackOf<width>;
    using V = grains::PackVec<width>;
    const auto row = [&](int n) __attribute__((always_inline)) {
      return V{P(turn(n, 0)), P(turn(n, 1)), P(turn(n, 2))};
    };
    const auto column = [&](int n) __attribute__((always_inline)) {
      return V{P(turn(0, n)), P(turn(1, n)), P(turn(2, n))};
    };
    const auto to_local = [&](const V& v) __attribute__((always_inline)) {
      return turned ? V{dot(column(0), v), dot(column(1), v), dot(column(2), v)} : v;
    };
    const auto to_world = [&](const V& v) __attribute__((always_inline)) {
      return turned ? V{dot(row(0), v), dot(row(1), v), dot(row(2), v)} : v;
    };
    const V origin{P(pose.x.x()), P(pose.x.y()), P(pose.x.z())};
    for (std::size_t first = 0; first < near.size(); first += width) {
      const std::size_t count = std::min(width, near.size() - first);
      // Where there are less, the first stands in.
      const auto ball = [&](std::size_t k) __attribute__((always_inline))->const grains::Ball& {
        return balls[near[first + (k < count ? k : 0)]];
      };
      const V way =
          grains::vector_of<width>(grains::columns_of_row<width>(grains::position_row, ball)) - origin;
      const P radius = grains::columns_of_row<width>(grains::spin_row, ball)[3];
      const Gap<P> gap = closed(to_local(way));
      const auto touch = radius > gap.distance;
      if (!any(touch)) continue;
      const PackRows<width> rows = grains::rows_of<width>(to_world(gap.normal), radius - gap.distance);
      for (std::size_t k = 0; k < count; ++k) {
        if (!touch[k]) continue;
        const std::uint32_t i = near[first + k];
        if (closed.inside(gap.distance[k])) {
          collide(balls[i], i, place, shape, pose, touches);
          continue;
        }
        grains::WallTouch& found = touches.emplace_back();
        store_pack(rows[k], grains::row(found, grains::normal_row));
        found.grain = i;
        found.place = place;
      }
    }
  });
}

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

// Grains go no further than their margins until they look again.
void WallFinder::look(const grains::System& grains, const geometry::Shape& shape, const Pose& pose) {
  looked_ = grains.looks();
  pose_ = pose;
  allowed_ = 0.25 * grains.skin();
  const double reach = allowed_ + grains.widest_margin();
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
    if (gap(vector(ball.position)) < ball.radius + allowed_ + grains.margin(i)) near_.push_back(i);
  });
  std::ranges::sort(near_);
  start_.assign(grains.chunks() + 1, 0);
  for (const std::uint32_t i : near_) ++start_[grains.chunk_of(i) + 1];
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
}

void WallFinder::prepare(const grains::System& grains, const geometry::Shape& shape, const Pose& pose) {
  if (!is_good(grains, pose)) look(grains, shape, pose);
}

void WallFinder::find(const grains::System& grains, std::size_t chunk, std::uint32_t wall,
                      const geometry::Shape& shape, const Pose& pose,
                      std::vector<grains::WallTouch>& touches) const {
  const auto near = std::span(near_).subspan(start_[chunk], start_[chunk + 1] - start_[chunk]);
  if (near.empty()) return;
  const std::span<const grains::Ball> balls = grains.state().balls;
  const std::uint32_t place = 256 * wall;
  if (const auto* box = std::get_if<geometry::Box>(&shape))
    find_closed(balls, near, place, BoxOf{0.5 * box->size}, shape, pose, touches);
  else if (std::holds_alternative<geometry::Plane>(shape))
    find_closed(balls, near, place, HalfSpace{}, shape, pose, touches);
  else
    for (const std::uint32_t i : near) collide(balls[i], i, place, shape, pose, touches);
}

}  // namespace hardpan::couple
