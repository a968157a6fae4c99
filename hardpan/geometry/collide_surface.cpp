#include "hardpan/geometry/collide_surface.h"

#include <cmath>

#include "hardpan/geometry/collide_convex.h"
#include "hardpan/geometry/manifold.h"
#include "hardpan/geometry/surface_face.h"

namespace hardpan::geometry {
namespace {

// Lengths relative to the size of shape and triangle, angles in rad.
constexpr double rounding = 1e-9;
constexpr double same_direction = 1e-6;
// A shape tilted more than this against a face does not lie on it.
const double most_tilt = 0.5;

struct FacePoint {
  std::size_t face;
  Vec3 x;         // of the core
  double height;  // of x above the face
  std::uint32_t shape_part;
  bool in_crease;
  bool dropped = false;
};

struct EdgePoint {
  SurfacePointPair point;
  std::uint32_t triangle, neighbour;
  bool own_normal;  // not turned to the normal of a face
};

struct Scratch {
  std::vector<std::uint32_t> triangles;
  std::vector<SurfaceFace> faces;
  std::vector<FacePoint> face_points;
  std::vector<EdgePoint> edge_points;
  std::vector<ContactPoint> contacts;
};

// The normals of an edge: an arc across it.
struct Arc {
  Vec3 along, middle, side;
  double half;  // angle from the middle to either end

  Arc(const Vec3& direction, const Vec3& n1, const Vec3& n2) : along(direction.normalized()) {
    const Vec3 sum = n1 + n2;
    // Folded by half a turn, the outward direction of the first face is the middle.
    middle = sum.norm() > 1e-9 ? Vec3(sum.normalized()) : Vec3(along.cross(n1));
    side = along.cross(middle);
    half = std::abs(angle(n1));
  }
  double angle(const Vec3& n) const { return std::atan2(n.dot(side), n.dot(middle)); }
  Vec3 at(double angle) const { return std::cos(angle) * middle + std::sin(angle) * side; }
  double excess(const Vec3& n) const { return std::abs(angle(n)) - half; }
};

class Encounter {
 public:
  Encounter(const Surface& surface, const Convex& shape, const Pose& pose, double margin, Scratch& scratch)
      : surface_(surface),
        shape_(shape),
        pose_(pose),
        turn_(pose.q.toRotationMatrix()),
        margin_(margin),
        size_(extent(shape) + shape.radius),
        s_(scratch) {}

  void find(const Aabb& box) {
    s_.triangles.clear();
    surface_.query(box, [&](std::uint32_t t) { s_.triangles.push_back(t); });
    std::sort(s_.triangles.begin(), s_.triangles.end());
    s_.faces.clear();
    for (const std::uint32_t t : s_.triangles) {
      SurfaceFace& face = s_.faces.emplace_back(surface_, t);
      face.lowest = lowest(face.n, face.p[0]);
      // From behind, an open sheet is met only by what already reaches through it.
      face.near = face.lowest <= margin_ && (surface_.has_inside() || lowest(-face.n, face.p[0]) < 0);
    }
    s_.face_points.clear();
    s_.edge_points.clear();
    for (std::size_t f = 0; f < s_.faces.size(); ++f)
      if (s_.faces[f].near) add_face_points(f);
    for (const SurfaceFace& face : s_.faces)
      for (std::uint32_t k = 0; k < 3; ++k)
        if (face.near && (face.crease[k] == Crease::border ||
                          (face.crease[k] == Crease::convex && face.t < face.across[k])))
          add_edge_points(face, k);
  }

  void settle(std::vector<SurfacePointPair>& out) {
    for (FacePoint& p : s_.face_points) p.dropped = p.height < 0 && !p.in_crease && is_outside(p);
    keep_shortest_way_out();
    const std::size_t first = out.size();
    for (const FacePoint& p : s_.face_points) {
      const SurfaceFace& face = s_.faces[p.face];
      if (!p.dropped)
        add(out, first,
            {face.n, p.x - p.height * face.n, p.height - shape_.radius, part(PartKind::face, face.t),
             p.shape_part});
    }
    for (const EdgePoint& e : s_.edge_points) add(out, first, e.point);
    if (out.size() == first) add_from_far_below(out);
    reduce(out, first);
  }

 private:
  Vec3 support_point(const Vec3& d) const { return pose_.x + turn_ * support(shape_, turn_.transpose() * d); }
  double lowest(const Vec3& n, const Vec3& origin) const {
    return n.dot(support_point(-n) - origin) - shape_.radius;
  }

  // The points that the shape shows to a plane, as in collide_convex.cpp.
  void add_face_points(std::size_t f) {
    constexpr int rim = 4;
    const SurfaceFace& face = s_.faces[f];
    const Vec3 down = -(turn_.transpose() * face.n);
    Feature shown;
    feature(shape_, down, rim, shown);
    double least = HUGE_VAL;
    for (int k = 0; k < shown.count; ++k) {
      const auto i = static_cast<std::size_t>(k);
      least = std::min(least, add_face_point(f, shown.points[i], part(PartKind::vertex, shown.vertex[i])));
    }
    if (shape_.curved() && least > face.lowest + 1e-10 * extent(shape_))
      add_face_point(f, support(shape_, down), part(PartKind::surface, 0));
  }

  double add_face_point(std::size_t f, const Vec3& local, std::uint32_t shape_part) {
    const SurfaceFace& face = s_.faces[f];
    const Vec3 x = turn_ * local + pose_.x;
    const double height = face.height(x), gap = height - shape_.radius;
    bool in_crease = false;
    if (gap <= margin_ && stands_over(face, x, height, in_crease))
      s_.face_points.push_back({f, x, height, shape_part, in_crease});
    return gap;
  }

  bool stands_over(const SurfaceFace& face, const Vec3& x, double height, bool& in_crease) const {
    for (std::uint32_t k = 0; k < 3; ++k) {
      // Neighbours that count as flat may lean apart by that angle: over the gap between them, both count.
      const double slack = rounding * (size_ + face.edge(k).norm()) + 2 * flat_angle * std::abs(height);
      if (face.beyond(k, x) <= slack) continue;
      if (face.crease[k] != Crease::concave || height > 0) return false;
      const SurfaceFace other(surface_, face.across[k]);
      const std::uint32_t back = other.across[0] == face.t ? 0 : other.across[1] == face.t ? 1 : 2;
      if (other.height(x) > 0 || other.beyond(back, x) <= slack) return false;
      in_crease = true;
    }
    return true;
  }

  // Is the point, behind its face, in front of a nearer one?
  bool is_outside(const FacePoint& p) const {
    const double depth = -p.height * (1 - same_direction) - rounding * size_;
    for (const SurfaceFace& other : s_.faces) {
      const double height = other.height(p.x);
      if (!(height > 0 && height < depth)) continue;
      double across = 0;  // how far the point is beside the triangle
      int beside = 0;
      bool at_convex_edge = true;
      for (std::size_t k = 0; k < 3; ++k) {
        const double beyond = other.beyond(k, p.x);
        if (beyond <= 0) continue;
        across = beyond, ++beside;
        at_convex_edge = other.crease[k] == Crease::convex || other.crease[k] == Crease::border;
      }
      if (beside <= 1 && at_convex_edge && std::hypot(height, across) < depth) return true;
    }
    return false;
  }

  // Mutually behind each other: the feet of the points lie on the two sides of a convex solid.
  bool on_convex_solid(const FacePoint& a, const FacePoint& b) const {
    const SurfaceFace &fa = s_.faces[a.face], &fb = s_.faces[b.face];
    const double slack = rounding * (size_ - a.height - b.height);
    return fa.height(b.x - b.height * fb.n) <= slack && fb.height(a.x - a.height * fa.n) <= slack;
  }

  void keep_shortest_way_out() {
    auto& points = s_.face_points;
    for (std::size_t i = 0; i < points.size(); ++i) {
      FacePoint& a = points[i];
      if (a.height >= 0 || a.in_crease || a.dropped) continue;
      const SurfaceFace& face = s_.faces[a.face];
      for (std::size_t j = 0; j < points.size() && !a.dropped; ++j) {
        const FacePoint& b = points[j];
        if (j == i || b.height >= 0 || b.in_crease || b.dropped || b.shape_part != a.shape_part) continue;
        const double ahead = s_.faces[b.face].lowest - face.lowest;
        a.dropped = ahead > rounding * size_ && on_convex_solid(a, b);
      }
      // An edge of the face that holds the shape at less depth.
      for (const EdgePoint& e : s_.edge_points)
        if (e.own_normal && (e.triangle == face.t || e.neighbour == face.t) && e.point.gap < 0 &&
            a.height - shape_.radius < e.point.gap - rounding * size_)
          a.dropped = true;
    }
  }

  void add_edge_points(const SurfaceFace& face, std::uint32_t k) {
    const bool border = face.crease[k] == Crease::border;
    // Beyond a border the surface ends as if cut off square.
    Vec3 other_normal = face.edge(k).cross(face.n).normalized();
    if (!border) {
      const Surface::Corners c = surface_.corners(face.across[k]);
      const Vec3 a = surface_.vertex(c[0]);
      other_normal = (surface_.vertex(c[1]) - a).cross(surface_.vertex(c[2]) - a).normalized();
      if (lowest(other_normal, face.p[k]) > margin_) return;
    }
    const Arc arc(face.edge(k), face.n, other_normal);
    const Convex segment{.core = Core::segment, .half = {0, 0, 0.5 * face.edge(k).norm()}};
    const Pose place{face.p[k] + 0.5 * face.edge(k), Quat::FromTwoVectors(Vec3::UnitZ(), arc.along)};
    s_.contacts.clear();
    collide_convex(segment, place, shape_, pose_, margin_, false, s_.contacts);
    for (const ContactPoint& c : s_.contacts) {
      const double excess = arc.excess(c.normal);
      const auto shape_part = static_cast<std::uint32_t>(c.feature);
      if (add_edge_point(face, k, arc, {c.normal, c.on_a, c.gap, 0, shape_part}, true)) continue;
      // Deeper than half of a thin shape, the shortest way out is through its far side.
      if (c.gap < 0 && arc.excess(-c.normal) <= same_direction)
        return add_turned(face, k, arc, segment, place, -c.normal);
      if (excess > 0 && excess < most_tilt)
        return add_turned(face, k, arc, segment, place, arc.at(std::copysign(arc.half, arc.angle(c.normal))));
    }
  }

  void add_turned(const SurfaceFace& face, std::uint32_t k, const Arc& arc, const Convex& segment,
                  const Pose& place, const Vec3& normal) {
    LocalPoints points;
    intersect_features(Pair(segment, place, shape_, pose_), place.local_vector(normal), points);
    for (int i = 0; i < points.count; ++i) {
      const LocalPoint& p = points[i];
      if (p.gap - shape_.radius <= margin_)
        add_edge_point(face, k, arc, {normal, place.point(p.on_a), p.gap - shape_.radius, 0, p.part_b},
                       false);
    }
  }

  // Does the normal belong to the edge, or to the vertex at its end?
  bool add_edge_point(const SurfaceFace& face, std::uint32_t k, const Arc& arc, SurfacePointPair point,
                      bool own_normal) {
    const double length = face.edge(k).norm(), at = arc.along.dot(point.on_surface - face.p[k]);
    const double slack = rounding * (size_ + length);
    if (at <= slack || at >= length - slack) {
      const std::uint32_t corner = at <= slack ? k : (k + 1) % 3;
      if (!is_tip(face, corner, point.normal)) return false;
      point.surface_part = part(PartKind::vertex, face.v[corner]);
    } else {
      if (arc.excess(point.normal) > same_direction) return false;
      point.surface_part = part(PartKind::edge, 3 * std::size_t{face.t} + k);
    }
    s_.edge_points.push_back({point, face.t, face.across[k], own_normal});
    return true;
  }

  bool is_tip(const SurfaceFace& face, std::uint32_t corner, const Vec3& n) const {
    bool tip = true, in_front = false;
    surface_.around(face.t, corner, [&](std::uint32_t t, std::uint32_t k) {
      const Surface::Corners c = surface_.corners(t);
      const Vec3 v = surface_.vertex(c[k]), to = surface_.vertex(c[(k + 1) % 3]) - v,
                 from = surface_.vertex(c[(k + 2) % 3]) - v;
      tip = tip && n.dot(to) <= same_direction * to.norm() && n.dot(from) <= same_direction * from.norm();
      in_front = in_front || n.dot(to.cross(from)) >= 0;
    });
    return tip && in_front;
  }

  // The same place found twice, over a common edge or from several edges of a vertex, counts once.
  void add(std::vector<SurfacePointPair>& out, std::size_t first, const SurfacePointPair& point) const {
    const double close = 10 * rounding * (size_ + std::abs(point.gap));
    for (std::size_t k = first; k < out.size(); ++k)
      if ((out[k].on_surface - point.on_surface).norm() <= close &&
          (out[k].normal - point.normal).norm() <= same_direction)
        return;
    out.push_back(point);
  }

  // A body that fell through a height field: out by the plane of the triangle above its centre.
  void add_from_far_below(std::vector<SurfacePointPair>& out) const {
    const HeightGrid* grid = surface_.grid();
    if (!grid) return;
    const double u = pose_.x.x() / grid->dx, v = pose_.x.y() / grid->dy;
    if (!(u >= 0 && v >= 0 && u <= static_cast<double>(grid->nx - 1) &&
          v <= static_cast<double>(grid->ny - 1)))
      return;
    const auto i = std::min(static_cast<std::size_t>(u), grid->nx - 2),
               j = std::min(static_cast<std::size_t>(v), grid->ny - 2);
    const bool above_diagonal = v - static_cast<double>(j) > u - static_cast<double>(i);
    const SurfaceFace face(
        surface_, static_cast<std::uint32_t>(2 * (j * (grid->nx - 1) + i) + (above_diagonal ? 1 : 0)));
    if (face.height(pose_.x) >= 0) return;
    const Vec3 x = support_point(-face.n);
    const double height = face.height(x);
    out.push_back({face.n, x - height * face.n, height - shape_.radius, part(PartKind::face, face.t),
                   part(PartKind::surface, 0)});
  }

  const Surface& surface_;
  const Convex& shape_;
  const Pose& pose_;
  const Mat3 turn_;
  const double margin_, size_;
  Scratch& s_;
};

}  // namespace

void collide_surface(const Surface& surface, const Convex& shape, const Pose& pose, const Aabb& box,
                     double margin, std::vector<SurfacePointPair>& out) {
  thread_local Scratch scratch;
  Encounter encounter(surface, shape, pose, margin, scratch);
  encounter.find(box.expanded(margin));
  encounter.settle(out);
}

void reduce(std::vector<SurfacePointPair>& points, std::size_t first) {
  constexpr std::size_t most = 8;
  constexpr double alike = 0.95;  // cosine
  for (std::size_t begin = first; begin < points.size();) {
    std::size_t deepest = begin;
    for (std::size_t k = begin; k < points.size(); ++k)
      if (points[k].gap < points[deepest].gap) deepest = k;
    std::swap(points[begin], points[deepest]);
    const Vec3 normal = points[begin].normal;
    std::size_t end = begin + 1;
    for (std::size_t k = end; k < points.size(); ++k)
      if (points[k].normal.dot(normal) >= alike) std::swap(points[end++], points[k]);
    for (std::size_t slot = begin + 1; slot < std::min(end, begin + most); ++slot) {
      std::size_t best = slot;
      double farthest = -1;
      for (std::size_t k = slot; k < end; ++k) {
        double nearest = HUGE_VAL;
        for (std::size_t j = begin; j < slot; ++j)
          nearest = std::min(nearest, (points[k].on_surface - points[j].on_surface).squaredNorm());
        if (nearest > farthest) farthest = nearest, best = k;
      }
      std::swap(points[slot], points[best]);
    }
    if (end > begin + most) {
      points.erase(points.begin() + static_cast<std::ptrdiff_t>(begin + most),
                   points.begin() + static_cast<std::ptrdiff_t>(end));
      end = begin + most;
    }
    begin = end;
  }
}

}  // namespace hardpan::geometry
