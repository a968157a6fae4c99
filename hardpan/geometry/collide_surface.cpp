#include "hardpan/geometry/collide_surface.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "hardpan/geometry/collide_convex.h"
#include "hardpan/geometry/manifold.h"
#include "hardpan/geometry/surface_face.h"

namespace hardpan::geometry {
namespace {

// Lengths relative to the size of shape and triangle, angles in rad.
constexpr double rounding = 1e-9;
constexpr double same_direction = 1e-6;
// A shape tilted more than this against a face does not lie on it.
constexpr double most_tilt = 0.5;
// An edge inside of a shape whose normals lead out only by a way this much longer than the shortest one is
// not what holds the shape.
constexpr double most_detour = 2;

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
  Encounter(const Surface& surface, const Convex& shape, const Pose& pose, double margin, double reach,
            Scratch& scratch)
      : surface_(surface),
        shape_(shape),
        pose_(pose),
        turn_(pose.q.toRotationMatrix()),
        margin_(margin),
        reach_(reach),
        size_(extent(shape) + shape.radius),
        s_(scratch) {
    for (int k = 0; k < 3; ++k) {
      own_box_.low[k] = support(shape, -Vec3::Unit(k))[k];
      own_box_.high[k] = support(shape, Vec3::Unit(k))[k];
    }
    own_box_ = own_box_.expanded(shape.radius + margin);
  }

  void find(const Aabb& box) {
    s_.triangles.clear();
    surface_.query(box, [&](std::uint32_t t) { s_.triangles.push_back(t); });
    std::sort(s_.triangles.begin(), s_.triangles.end());
    s_.faces.clear();
    for (const std::uint32_t t : s_.triangles) {
      SurfaceFace& face = s_.faces.emplace_back(surface_, t);
      face.lowest = lowest(face.n, face.p[0]);
      face.near = face.lowest <= margin_;
      // From behind, an open sheet is met only by what already reaches through it.
      face.reached = face.near && (surface_.has_inside() || lowest(-face.n, face.p[0]) < reach_);
    }
    s_.face_points.clear();
    s_.edge_points.clear();
    for (std::size_t f = 0; f < s_.faces.size(); ++f)
      if (s_.faces[f].reached) add_face_points(f);
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
    const bool overlap = std::any_of(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(),
                                     [](const SurfacePointPair& p) { return p.gap < 0; });
    if (!overlap && last_resort_) out.push_back(*last_resort_);
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
    if (gap > margin_) return gap;
    if (stands_over(face, x, height, in_crease))
      s_.face_points.push_back({f, x, height, shape_part, in_crease});
    else if (height < 0 && shape_.core != Core::ellipsoid)
      hand_over(face, x, shape_part);
    return gap;
  }

  // A point that reaches through a face to below the next one, past a convex edge: the next may see other
  // points of the shape, so this one would be forgotten. Not of an ellipsoid: it has a point for every
  // normal, so the next face or the edge between finds the one that counts, and this would be a second.
  void hand_over(const SurfaceFace& face, const Vec3& x, std::uint32_t shape_part) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (face.crease[k] != Crease::convex || face.beyond(k, x) <= 0) continue;
      const auto found = std::lower_bound(s_.triangles.begin(), s_.triangles.end(), face.across[k]);
      if (found == s_.triangles.end() || *found != face.across[k]) continue;
      const auto f = static_cast<std::size_t>(found - s_.triangles.begin());
      const double height = s_.faces[f].height(x);
      bool in_crease = false;
      if (height - shape_.radius <= margin_ && stands_over(s_.faces[f], x, height, in_crease))
        s_.face_points.push_back({f, x, height, shape_part, in_crease});
    }
  }

  bool stands_over(const SurfaceFace& face, const Vec3& x, double height, bool& in_crease) const {
    for (std::uint32_t k = 0; k < 3; ++k) {
      // Neighbours that count as flat may lean apart by that angle: over the gap between them, both count.
      const double slack = rounding * (size_ + face.edge(k).norm()) + 2 * flat_angle * std::abs(height);
      if (face.beyond(k, x) <= slack) continue;
      if (face.crease[k] != Crease::concave || height > 0) return false;
      const SurfaceFace other(surface_, face.across[k]);
      const std::uint32_t back = other.across[0] == face.t ? 0 : other.across[1] == face.t ? 1 : 2;
      if (other.beyond(back, x) <= slack) return false;
      in_crease = true;
    }
    return true;
  }

  // Is there a way from the point, behind its face, to the face that leaves the solid?
  bool is_outside(const FacePoint& p) const {
    const SurfaceFace& face = s_.faces[p.face];
    const Vec3 foot = p.x - p.height * face.n;
    const double slack = rounding * (size_ - p.height);
    bool outside = false;
    surface_.query(Aabb{p.x, p.x}.merged(foot), [&](std::uint32_t t) {
      if (outside || t == face.t) return;
      const Surface::Corners c = surface_.corners(t);
      const Vec3 a = surface_.vertex(c[0]), u = surface_.vertex(c[1]) - a, v = surface_.vertex(c[2]) - a;
      const Vec3 n = u.cross(v).normalized();
      const double above = n.dot(p.x - a), below = n.dot(foot - a);
      if (above <= slack || below >= -slack) return;
      const Vec3 r = p.x + (foot - p.x) * (above / (above - below)) - a;
      outside = u.cross(r).dot(n) >= 0 && r.cross(v).dot(n) >= 0 && (v - u).cross(r - u).dot(n) >= 0;
    });
    return outside;
  }

  // A point behind a face has left the solid by another way that is shorter: seen from each of the two
  // places, the other one is behind, as on a convex body.
  bool is_behind(const FacePoint& p, const Vec3& normal, const Vec3& place) const {
    const SurfaceFace& face = s_.faces[p.face];
    const double slack = rounding * (size_ - p.height);
    return face.height(place) <= slack && normal.dot(p.x - p.height * face.n - place) <= slack;
  }

  void keep_shortest_way_out() {
    for (FacePoint& a : s_.face_points) {
      if (a.height >= 0 || a.in_crease || a.dropped) continue;
      const SurfaceFace& face = s_.faces[a.face];
      const double slack = rounding * size_;
      const auto yields_to = [&](double gap, const Vec3& normal, const Vec3& place) {
        return gap > a.height - shape_.radius + slack && (place - a.x).norm() < -a.height &&
               is_behind(a, normal, place);
      };
      for (const FacePoint& b : s_.face_points) {
        if (a.dropped) break;
        if (&b == &a || b.height >= 0 || b.in_crease || b.dropped) continue;
        const SurfaceFace& other = s_.faces[b.face];
        const Vec3 place = b.x - b.height * other.n;
        a.dropped = b.shape_part == a.shape_part
                        ? other.lowest > face.lowest + slack && is_behind(a, other.n, place)
                        : yields_to(b.height - shape_.radius, other.n, place);
      }
      for (const EdgePoint& e : s_.edge_points)
        a.dropped = a.dropped || (e.own_normal && e.point.gap < 0 &&
                                  yields_to(e.point.gap, e.point.normal, e.point.on_surface));
    }
  }

  void add_edge_points(const SurfaceFace& face, std::uint32_t k) {
    const Vec3 from = turn_.transpose() * (face.p[k] - pose_.x),
               to = turn_.transpose() * (face.p[(k + 1) % 3] - pose_.x);
    if (!own_box_.overlaps(Aabb{from, from}.merged(to))) return;
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
    if (lowest(arc.middle, face.p[k]) > margin_) return;
    const Convex segment{.core = Core::segment, .half = {0, 0, 0.5 * face.edge(k).norm()}};
    const Pose place{face.p[k] + 0.5 * face.edge(k), Quat::FromTwoVectors(Vec3::UnitZ(), arc.along)};
    s_.contacts.clear();
    collide_convex(segment, place, shape_, pose_, margin_, false, s_.contacts);
    for (const ContactPoint& c : s_.contacts) {
      const auto shape_part = static_cast<std::uint32_t>(c.feature);
      if (add_edge_point(face, k, arc, {c.normal, c.on_a, c.gap, 0, shape_part}, true)) continue;
      if (c.gap + shape_.radius < 0) return add_cut_edge(face, k, arc, segment, place, c);
      const double excess = arc.excess(c.normal);
      if (excess <= 0 || excess >= most_tilt) continue;
      const Vec3 turned = arc.at(std::copysign(arc.half, arc.angle(c.normal)));
      add_along(face, k, arc, segment, place, turned, c.gap, false);
      return;
    }
  }

  // Inside of the core, the shortest way out may be sideways or backwards. The normal that counts is the one
  // of the arc with the least depth, max { min { n . x : x in shape } : n in arc }.
  void add_cut_edge(const SurfaceFace& face, std::uint32_t k, const Arc& arc, const Convex& segment,
                    const Pose& place, const ContactPoint& inside) {
    constexpr int samples = 8, steps = 40;
    constexpr double golden = 0.6180339887498949;
    const auto depth = [&](double angle) { return lowest(arc.at(angle), face.p[k]); };
    double best = -arc.half, highest = depth(best);
    for (int i = 1; i <= samples; ++i) {
      const double angle = arc.half * (2.0 * i / samples - 1), value = depth(angle);
      if (value > highest) highest = value, best = angle;
    }
    double low = std::max(best - 2 * arc.half / samples, -arc.half),
           high = std::min(best + 2 * arc.half / samples, arc.half);
    double a = high - golden * (high - low), b = low + golden * (high - low), at_a = depth(a),
           at_b = depth(b);
    for (int i = 0; i < steps; ++i) {
      if (at_a > at_b) {
        high = b, b = a, at_b = at_a;
        at_a = depth(a = high - golden * (high - low));
      } else {
        low = a, a = b, at_a = at_b;
        at_b = depth(b = low + golden * (high - low));
      }
    }
    const double angle = 0.5 * (low + high);
    const bool at_end = arc.half - std::abs(angle) < same_direction;
    const Vec3 normal = arc.at(at_end ? std::copysign(arc.half, angle) : angle);
    const double length = face.edge(k).norm(), lowest_at = arc.along.dot(support_point(-normal) - face.p[k]);
    const double at = std::clamp(lowest_at, 0.0, length);
    const SurfacePointPair point{normal, face.p[k] + at * arc.along, depth(angle),
                                 part(PartKind::edge, 3 * std::size_t{face.t} + k),
                                 part(PartKind::surface, 0)};
    if (!last_resort_ || point.gap > last_resort_->gap) {
      last_resort_ = point;
      last_resort_->on_surface = inside.on_a;
    }
    if (point.gap < most_detour * inside.gap ||
        add_along(face, k, arc, segment, place, normal, -HUGE_VAL, !at_end) || at_end)
      return;
    if (at == lowest_at) add_edge_point(face, k, arc, point, true);
  }

  // A line of the shape beside the edge is not the rim of anything.
  bool runs_along(const Vec3& edge, const Vec3& normal) const {
    Feature shown;
    feature(shape_, -(turn_.transpose() * normal), 4, shown);
    if (shown.count != 2) return false;
    return (turn_ * (shown.points[1] - shown.points[0])).normalized().cross(edge).norm() < 0.05;
  }

  // Where the edge passes under what the shape shows to it along a given normal.
  bool add_along(const SurfaceFace& face, std::uint32_t k, const Arc& arc, const Convex& segment,
                 const Pose& place, const Vec3& normal, double least_gap, bool own_normal) {
    if (runs_along(arc.along, normal)) return false;
    LocalPoints points;
    const Pair pair(segment, place, shape_, pose_);
    FacingFeatures(pair, place.local_vector(normal)).intersect(points);
    bool any = false;
    for (int i = 0; i < points.count; ++i) {
      const double gap = points[i].gap - shape_.radius;
      if (gap > margin_ || gap < least_gap) continue;
      any |= add_edge_point(face, k, arc, {normal, place.point(points[i].on_a), gap, 0, points[i].part_b},
                            own_normal);
    }
    return any;
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
    s_.edge_points.push_back({point, own_normal});
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
  const double margin_, reach_, size_;
  Scratch& s_;
  Aabb own_box_;  // with margin, in the frame of the shape
  // An edge inside of the shape proves that they overlap. If no part has a normal for it, this is the
  // shallowest.
  std::optional<SurfacePointPair> last_resort_;
};

}  // namespace

void collide_surface(const Surface& surface, const Convex& shape, const Pose& pose, const Aabb& box,
                     double margin, std::vector<SurfacePointPair>& out, double reach) {
  thread_local Scratch scratch;
  Encounter encounter(surface, shape, pose, margin, reach, scratch);
  encounter.find(box.expanded(margin + reach));
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
