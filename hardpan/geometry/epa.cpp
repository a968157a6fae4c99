#include "hardpan/geometry/epa.h"

#include <cmath>

#include "hardpan/math/rotation.h"

namespace hardpan::geometry {
namespace {

constexpr std::size_t most_points = 160, most_faces = 2 * most_points;

DifferencePoint extreme(const Pair& pair, const Vec3& d) {
  const Vec3 a = pair.support_a(-d), b = pair.support_b(d);
  return {b - a, a, b};
}

struct Face {
  std::array<int, 3> corner;  // counterclockwise from outside
  Vec3 outward;               // zero for a sliver, which then is never nearest and always visible
  double distance;            // of the plane from the origin, along outward
  std::array<int, 3> across;  // the face beyond the edge from corner k to the next
  std::size_t seen = 0;       // by which point, lately
  bool alive = true;
};

class Polytope {
 public:
  Polytope(const Pair& pair, const Simplex& start) : pair_(pair) {
    points_[0] = start.points[0];
    for (point_count_ = 1; point_count_ < index(start.count); ++point_count_)
      points_[point_count_] = start.points[point_count_];
    solid_ = complete();
    if (!solid_) return;
    if ((w(1) - w(0)).cross(w(2) - w(0)).dot(w(3) - w(0)) > 0) std::swap(points_[1], points_[2]);
    constexpr int corners[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
    constexpr int across[4][3] = {{1, 3, 2}, {2, 3, 0}, {0, 3, 1}, {1, 2, 0}};
    for (std::size_t k = 0; k < 4; ++k) {
      faces_[k] = make(corners[k][0], corners[k][1], corners[k][2]);
      faces_[k].across = {across[k][0], across[k][1], across[k][2]};
    }
    face_count_ = 4;
  }

  bool solid() const { return solid_; }

  const Face* nearest() const {
    const Face* best = nullptr;
    for (std::size_t k = 0; k < face_count_; ++k)
      if (faces_[k].alive && (!best || faces_[k].distance < best->distance)) best = &faces_[k];
    return best;
  }

  // Puts the point in place of the faces around `from` that it sees. They must form a disc; false if rounding
  // says otherwise, or if there is no more space.
  bool expand(const Face& from, const DifferencePoint& p) {
    if (point_count_ == most_points) return false;
    flood(static_cast<int>(&from - faces_.data()), p.w);
    if (!order_horizon()) return false;
    for (std::size_t k = 0; k < visible_count_; ++k) faces_[index(visible_[k])].alive = false;
    points_[point_count_] = p;
    const int top = static_cast<int>(point_count_++);
    std::array<int, most_faces> fan;
    std::size_t slot = 0;
    for (std::size_t k = 0; k < edge_count_; ++k) {
      while (slot < face_count_ && faces_[slot].alive) ++slot;
      if (slot == most_faces) return false;
      face_count_ = std::max(face_count_, slot + 1);
      const Edge& e = horizon_[k];
      faces_[slot] = make(e.from, e.to, top);
      faces_[slot].across[0] = e.beyond;
      faces_[index(e.beyond)].across[index(e.side)] = static_cast<int>(slot);
      fan[k] = static_cast<int>(slot);
    }
    for (std::size_t k = 0; k < edge_count_; ++k) {
      const std::size_t next = (k + 1) % edge_count_;
      faces_[index(fan[k])].across[1] = fan[next];
      faces_[index(fan[next])].across[2] = fan[k];
    }
    return true;
  }

  const Vec3& flat_normal() const { return flat_normal_; }

  // The points of A and B below the origin, seen along `outward`. A face of B - A consists of many triangles,
  // and which of them came out nearest is up to rounding: so all that look this way are asked.
  void foot(const Vec3& outward, Witness& witness) const {
    double least = HUGE_VAL;
    for (std::size_t k = 0; k < face_count_; ++k) {
      const Face& f = faces_[k];
      if (!f.alive || f.distance == HUGE_VAL || f.outward.dot(outward) < 0.999) continue;
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
  struct Edge {
    int from, to, beyond, side;  // side: which edge it is of the face beyond
  };

  static std::size_t index(int k) { return static_cast<std::size_t>(k); }
  const Vec3& w(int k) const { return points_[index(k)].w; }

  // All faces seen from p that hang together with `from`, and the edges around them.
  void flood(int from, const Vec3& p) {
    const double noise = 1e-15 * (pair_.size + pair_.t.norm());
    visible_[0] = from;
    visible_count_ = 1;
    edge_count_ = 0;
    faces_[index(from)].seen = point_count_;
    for (std::size_t k = 0; k < visible_count_; ++k)
      for (std::size_t side = 0; side < 3; ++side) {
        const Face& f = faces_[index(visible_[k])];
        const int beyond = f.across[side];
        Face& g = faces_[index(beyond)];
        if (g.seen == point_count_) continue;
        if (g.distance == HUGE_VAL || g.outward.dot(p) - g.distance > noise) {
          g.seen = point_count_;
          visible_[visible_count_++] = beyond;
        } else {
          const int to = f.corner[(side + 1) % 3];
          const int of_g = g.corner[0] == to ? 0 : g.corner[1] == to ? 1 : 2;
          horizon_[edge_count_++] = {f.corner[side], to, beyond, of_g};
        }
      }
  }

  // Sorts the edges to one loop; false if they are none.
  bool order_horizon() {
    for (std::size_t k = 0; k + 1 < edge_count_; ++k) {
      std::size_t next = k + 1;
      while (next < edge_count_ && horizon_[next].from != horizon_[k].to) ++next;
      if (next == edge_count_) return false;
      std::swap(horizon_[k + 1], horizon_[next]);
    }
    for (std::size_t k = 0; k < edge_count_; ++k)
      for (std::size_t j = 0; j < k; ++j)
        if (horizon_[j].from == horizon_[k].from) return false;
    return edge_count_ >= 3 && horizon_[edge_count_ - 1].to == horizon_[0].from;
  }

  Face make(int i, int j, int k) const {
    const Vec3 ab = w(j) - w(i), ac = w(k) - w(i), normal = ab.cross(ac);
    const double area = normal.norm();
    if (area <= 1e-15 * ab.norm() * ac.norm() || area == 0) return {{i, j, k}, Vec3::Zero(), HUGE_VAL, {}};
    const Vec3 outward = normal / area;
    return {{i, j, k}, outward, (outward.dot(w(i)) + outward.dot(w(j)) + outward.dot(w(k))) / 3, {}};
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
  std::size_t visible_count_ = 0, edge_count_ = 0;
  std::array<int, most_faces> visible_;
  std::array<Edge, 3 * most_faces> horizon_;
};

// From one start. True if the depth is known to the tolerance.
bool expand_from(const Pair& pair, const Simplex& start, double tolerance, Witness& best) {
  Polytope polytope(pair, start);
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
    return true;
  }
  bool known = false;
  for (;;) {
    const Face* face = polytope.nearest();
    if (!face || face->distance == HUGE_VAL) break;
    const DifferencePoint p = look(face->outward);
    known = face->outward.dot(p.w) - face->distance <= tolerance;
    if (known || !polytope.expand(*face, p)) break;
  }
  polytope.foot(-best.normal, best);
  return known;
}

}  // namespace

Witness way_out(const Pair& pair, const Simplex& start, double tolerance) {
  Witness best{Vec3::UnitZ(), Vec3::Zero(), Vec3::Zero(), -HUGE_VAL};
  if (expand_from(pair, start, tolerance, best)) return best;
  // Coaxial bodies of revolution have a ring of nearest points, which no polytope closes; and rounding may
  // end the search early. Other starts then confirm or improve.
  for (const double side : {1.0, -1.0}) {
    Simplex other;
    for (const Vec3& d : {Vec3(1, 1, 1), Vec3(1, -1, -1), Vec3(-1, 1, -1), Vec3(-1, -1, 1)})
      other.points[static_cast<std::size_t>(other.count++)] = extreme(pair, side * d);
    if (expand_from(pair, other, tolerance, best)) return best;
  }
  return best;
}

}  // namespace hardpan::geometry
