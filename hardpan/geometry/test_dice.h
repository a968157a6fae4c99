// Shapes, poses and polyhedra for tests.
#pragma once

#include <memory>

#include "hardpan/core/random.h"
#include "hardpan/geometry/collide.h"
#include "hardpan/geometry/polyhedron.h"

namespace hardpan::geometry::test {

class Dice {
 public:
  explicit Dice(std::uint64_t seed, std::uint64_t stream = 0) : random_(seed, stream) {}
  double in(double low, double high) { return random_.uniform(next_++, low, high); }
  Vec3 vec(double r) { return {in(-r, r), in(-r, r), in(-r, r)}; }
  Vec3 direction() {
    for (;;) {
      const Vec3 v = vec(1);
      if (v.norm() < 1 && v.norm() > 0.1) return v.normalized();
    }
  }
  Quat turn() {
    const double angle = in(0, 3.14159);
    return Quat(Eigen::AngleAxisd(angle, direction()));
  }

 private:
  CounterRandom random_;
  std::uint64_t next_ = 0;
};

inline void close_faces(Polyhedron& p, std::initializer_list<std::initializer_list<std::uint32_t>> faces) {
  p.face_start = {0};
  for (const auto& f : faces) {
    p.corners.insert(p.corners.end(), f.begin(), f.end());
    p.face_start.push_back(static_cast<std::uint32_t>(p.corners.size()));
    const auto* c = f.begin();
    p.normals.push_back(
        (p.vertices[c[1]] - p.vertices[c[0]]).cross(p.vertices[c[2]] - p.vertices[c[0]]).normalized());
  }
}

inline Hull box_hull(const Vec3& size) {
  auto p = std::make_shared<Polyhedron>();
  for (int k = 0; k < 8; ++k)
    p->vertices.emplace_back(0.5 * size.cwiseProduct(Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)));
  close_faces(*p, {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}});
  return {p};
}

inline Hull tetrahedron(const Vec3& size) {
  auto p = std::make_shared<Polyhedron>();
  for (const Vec3& v : {Vec3(1, 1, 1), Vec3(1, -1, -1), Vec3(-1, 1, -1), Vec3(-1, -1, 1)})
    p->vertices.emplace_back(0.5 * size.cwiseProduct(v));
  close_faces(*p, {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}});
  return {p};
}

inline Hull octahedron(const Vec3& size) {
  auto p = std::make_shared<Polyhedron>();
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {0.5, -0.5}) {
      Vec3 v = Vec3::Zero();
      v[axis] = side * size[axis];
      p->vertices.push_back(v);
    }
  close_faces(*p, {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}});
  return {p};
}

enum Kind { sphere, box, cylinder, capsule, cone, ellipsoid, hull, kinds };

inline const char* name(int kind) {
  constexpr const char* names[] = {"sphere", "box", "cylinder", "capsule", "cone", "ellipsoid", "hull"};
  return names[kind];
}

// Lengths of 0.3 to 1.5 m times the scale.
inline Shape random_shape(int kind, Dice& dice, double scale = 1) {
  const auto l = [&] { return scale * dice.in(0.3, 1.5); };
  switch (kind) {
    case sphere:
      return Sphere{l()};
    case box:
      return Box{{l(), l(), l()}};
    case cylinder:
      return Cylinder{l(), l()};
    case capsule:
      return Capsule{0.5 * l(), l()};
    case cone:
      return Cone{l(), l()};
    case ellipsoid:
      return Ellipsoid{{l(), l(), l()}};
    default:
      break;
  }
  const double pick = dice.in(0, 3);
  const Vec3 size(l(), l(), l());
  return pick < 1 ? box_hull(size) : pick < 2 ? tetrahedron(size) : octahedron(size);
}

}  // namespace hardpan::geometry::test
