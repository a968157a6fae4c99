#include "hardpan/geometry/epa.h"

#include <cmath>

#include "hardpan/math/rotation.h"

namespace hardpan::geometry {
namespace {

constexpr int most_points = 160, most_faces = 4 * most_points;

DifferencePoint extreme(const Pair& pair, const Vec3& d) {
  const Vec3 a = pair.support_a(-d), b = pair.support_b(d);
  return {b - a, a, b};
}

struct Face {
  std::array<int, 3> corner;
  Vec3 outward;
  double distance;  // of the plane from the origin, along outward
};

class Polytope {
 public:
  Polytope(const Pair& pair, const Simplex& start) : pair_(pair) {
    for (int k = 0; k < start.count; ++k) points_[point_count_++] = start.points[static_cast<std::size_t>(k)];
    solid_ = complete();
    if (!solid_) return;
    Vec3 middle = Vec3::Zero();
    for (std::size_t k = 0; k < 4; ++k) middle += 0.25 * points_[k].w;
    constexpr int faces[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
    for (const auto& f : faces) {
      Face face = make(f[0], f[1], f[2]);
      if (face.outward.dot(middle) > face.distance) face = make(f[0], f[2], f[1]);
      faces_[face_count_++] = face;
    }
  }

  bool solid() const { return solid_; }

  const Face* nearest() const {
    const Face* best = nullptr;
    for (std::size_t k = 0; k < face_count_; ++k)
      if (!best || faces_[k].distance < best->distance) best = &faces_[k];
    return best;
  }

  // Puts the point in place of all faces that see it. False if rounding or space forbids.
  bool expand(const DifferencePoint& p) {
    if (point_count_ == most_points) return false;
    const double noise = 1e-15 * (pair_.size + pair_.t.norm());
    std::size_t edges = 0, kept = 0;
    for (std::size_t k = 0; k < face_count_; ++k) {
      const Face f = faces_[k];
      if (f.outward.dot(p.w) - f.distance <= noise) {
        faces_[kept++] = f;
        continue;
      }
      for (std::size_t side = 0; side < 3; ++side) {
        const std::array<int, 2> edge{f.corner[side], f.corner[(side + 1) % 3]};
        std::size_t twin = 0;
        while (twin < edges && !(horizon_[twin][0] == edge[1] && horizon_[twin][1] == edge[0])) ++twin;
        if (twin < edges)
          horizon_[twin] = horizon_[--edges];
        else if (edges < horizon_.size())
          horizon_[edges++] = edge;
      }
    }
    face_count_ = kept;
    if (edges < 3 || face_count_ + edges > faces_.size()) return false;
    points_[point_count_] = p;
    const int last = static_cast<int>(point_count_++);
    for (std::size_t k = 0; k < edges; ++k)
      faces_[face_count_++] = make(horizon_[k][0], horizon_[k][1], last);
    return true;
  }

  const Vec3& flat_normal() const { return flat_normal_; }

  // The points of A and B below the origin, seen along `outward`. A face of B - A consists of many triangles,
  // and which of them came out nearest is up to rounding: so all that look this way are asked.
  void foot(const Vec3& outward, Witness& witness) const {
    double least = HUGE_VAL;
    for (std::size_t k = 0; k < face_count_; ++k) {
      const Face& f = faces_[k];
      if (f.distance == HUGE_VAL || f.outward.dot(outward) < 0.999) continue;
      Simplex s;
      s.count = 3;
      for (std::size_t i = 0; i < 3; ++i) {
        s.points[i] = points_[static_cast<std::size_t>(f.corner[i])];
        s.points[i].w -= outward * outward.dot(s.points[i].w);
      }
      nearest_of_simplex(s);
      const Vec3 a = s.blend(&DifferencePoint::a), b = s.blend(&DifferencePoint::b);
      const double off = (b - a + outward * witness.gap).norm();
      if (off < least) least = off, witness.on_a = a, witness.on_b = b;
    }
  }

 private:
  const Vec3& w(int k) const { return points_[static_cast<std::size_t>(k)].w; }

  Face make(int i, int j, int k) const {
    const Vec3 ab = w(j) - w(i), ac = w(k) - w(i), normal = ab.cross(ac);
    const double area = normal.norm();
    if (area <= 1e-15 * ab.norm() * ac.norm() || area == 0) return {{i, j, k}, Vec3::Zero(), HUGE_VAL};
    const Vec3 outward = normal / area;
    return {{i, j, k}, outward, (outward.dot(w(i)) + outward.dot(w(j)) + outward.dot(w(k))) / 3};
  }

  // A point clearly off the point, line or plane of those so far, looking both ways along the direction.
  bool grow(const Vec3& d, double least) {
    const double here = points_[0].w.dot(d);
    for (const double side : {1.0, -1.0}) {
      const DifferencePoint p = extreme(pair_, side * d);
      if (std::abs(p.w.dot(d) - here) > least) return points_[point_count_++] = p, true;
    }
    return false;
  }

  // To four points that span a volume. B - A is flat if that fails.
  bool complete() {
    const double least = 1e-12 * pair_.size;
    Vec3 u, v;
    if (point_count_ == 4) {
      const Vec3 n = (w(1) - w(0)).cross(w(2) - w(0));
      if (std::abs(n.dot(w(3) - w(0))) > least * n.norm()) return true;
      point_count_ = 3;
    }
    if (point_count_ == 3) {
      const Vec3 ab = w(1) - w(0), ac = w(2) - w(0);
      if (ab.cross(ac).norm() <= 1e-12 * ab.norm() * ac.norm()) {
        if (ab.norm() < ac.norm()) points_[1] = points_[2];
        point_count_ = 2;
      }
    }
    if (point_count_ == 2 && (w(1) - w(0)).norm() <= least) point_count_ = 1;
    if (point_count_ == 1 && !grow(Vec3::UnitX(), least) && !grow(Vec3::UnitY(), least) &&
        !grow(Vec3::UnitZ(), least))
      return false;
    if (point_count_ == 2) {
      tangents((w(1) - w(0)).normalized(), u, v);
      if (!grow(u, least) && !grow(v, least)) return false;
    }
    flat_normal_ = (w(1) - w(0)).cross(w(2) - w(0)).normalized();
    return grow(flat_normal_, least);
  }

  const Pair& pair_;
  Vec3 flat_normal_ = Vec3::UnitZ();
  bool solid_ = false;
  std::size_t point_count_ = 0, face_count_ = 0;
  std::array<DifferencePoint, most_points> points_;
  std::array<Face, most_faces> faces_;
  std::array<std::array<int, 2>, 3 * most_points> horizon_;
};

}  // namespace

Witness way_out(const Pair& pair, const Simplex& start, double tolerance) {
  Polytope polytope(pair, start);
  Witness best{Vec3::UnitZ(), Vec3::Zero(), Vec3::Zero(), -HUGE_VAL};
  const auto look = [&](const Vec3& outward) {
    const DifferencePoint p = extreme(pair, outward);
    const double reach = outward.dot(p.w);
    if (-reach > best.gap) best = {-outward, p.a, p.b, -reach};
    return p;
  };
  if (!polytope.solid()) {  // two flat cores in one plane: across it there is no depth
    for (const double side : {1.0, -1.0}) look(side * polytope.flat_normal());
    best.on_a = start.blend(&DifferencePoint::a);
    best.on_b = start.blend(&DifferencePoint::b);
    return best;
  }
  bool whole = true;
  for (int step = 0; step < most_points && whole; ++step) {
    const Face* face = polytope.nearest();
    if (!face || face->distance == HUGE_VAL) break;
    const Vec3 outward = face->outward;
    const double distance = face->distance;
    const DifferencePoint p = look(outward);
    if (outward.dot(p.w) - distance <= tolerance) break;
    whole = polytope.expand(p);
  }
  if (whole) polytope.foot(-best.normal, best);
  return best;
}

}  // namespace hardpan::geometry
