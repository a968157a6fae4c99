// From one normal to all points of a contact.
//
// The features of both cores that face the normal n are projected along it; at each corner of the
// intersection of the two projections stands a point, with
//
//   gap = height of B's feature - height of A's feature   along n.
//
// Nothing here asks whether the features are parallel: a corner whose gap exceeds the margin is left out, so
// points come and go at the margin, where they carry no force, and the manifold is a continuous function of
// the poses. Since n is the direction of least overlap, no gap is less than that of the witness; if no corner
// reaches it (curved features), the witness is added.
#pragma once

#include "hardpan/geometry/pair.h"

namespace hardpan::geometry {

using Vec2 = Eigen::Vector2d;

class FacingFeatures {
 public:
  struct Frame {
    Vec3 u, v, n;
    Vec2 flat(const Vec3& p) const { return {u.dot(p), v.dot(p)}; }
    Vec3 lift(const Vec2& p, double height) const { return u * p.x() + v * p.y() + n * height; }
  };

  // A feature seen along the normal: counterclockwise, its height a linear function.
  struct Outline {
    int count = 0;
    std::array<Vec2, Feature::most> at;
    std::array<double, Feature::most> height;
    std::array<std::uint32_t, Feature::most> vertex, edge;
    std::uint32_t face;
    bool round;
    std::array<double, 2> bend;
    Vec2 slope = Vec2::Zero();

    double height_at(const Vec2& p) const { return height[0] + slope.dot(p - at[0]); }
    // Across edge k, which runs to the next corner: unit, zero for an edge without length.
    Vec2 outward(int k) const {
      const auto from = static_cast<std::size_t>(k), to = static_cast<std::size_t>((k + 1) % count);
      const Vec2 along = at[to] - at[from];
      const double length = along.norm();
      return length > 0 ? Vec2(along.y() / length, -along.x() / length) : Vec2(Vec2::Zero());
    }
    double outside(int k, const Vec2& p) const { return outward(k).dot(p - at[static_cast<std::size_t>(k)]); }
  };

  // Of boxes and hulls also their edges, where these face the normal more than any face.
  enum class Kind { best, edges };
  FacingFeatures(const Pair& pair, const Vec3& normal, Kind kind = Kind::best);

  // The corners of the intersection, gaps between cores. None if the projections miss each other.
  void intersect(LocalPoints& out) const;
  void add(const Witness& witness, LocalPoints& out) const;
  // Of two edges that miss each other: between the points that miss least. Its gap is left open.
  void add_nearest_ends(LocalPoints& out) const;
  // How far the middle of the deepest points lies inside of a face that looks along the normal; 0 if none
  // does.
  double clearance(const LocalPoints& points) const;

 private:
  const Pair& pair_;
  Frame frame_;
  Outline a_, b_;
};

// Points of the two shapes (cores and radii) with a gap of at most `margin`. Returns their clearance.
double manifold(const Pair& pair, const Witness& witness, double margin, LocalPoints& out);

// Points of two polyhedra along a normal between those of their faces: first of the edges that meet, or of
// the corners; then those of the faces that lie farther than `bluntness` from these.
void blunt_manifold(const Pair& pair, const Vec3& normal, double bluntness, double margin, LocalPoints& out);

// Leaves the deepest point, the farthest from it, and then those that add most area, eight in all.
void reduce(LocalPoints& points, int most = 8);

}  // namespace hardpan::geometry
