// Points of the surface of a solid that may touch something: particles, and points between them, carried by
// up to four particles,
//
//     x = sum_k w_k x_k,     v = sum_k w_k v_k,     sum_k w_k = 1
//
// so that a force at x is shared as w_k: its moment is kept. Normals follow the faces as they are now. Every
// smooth side of the surface has points of its own: on an edge of a box there are two of each, in a corner
// three, which look different ways.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "hardpan/meshfree/cloud.h"
#include "hardpan/meshfree/gradient.h"

namespace hardpan::meshfree {

struct BoundaryPoint {
  std::array<std::uint32_t, 4> particle{};
  std::array<std::uint32_t, 4> corner{};  // of the boundary
  std::array<double, 4> weight{};         // 0 from `count` on
  std::size_t count = 0;
  double area = 0;  // its share of the surface at first, m^2

  // Of anything that particles have.
  template <class Value>
  Vec3 of(const Value& value) const {
    Vec3 sum = weight[0] * value(particle[0]);
    for (std::size_t k = 1; k < count; ++k) sum += weight[k] * value(particle[k]);
    return sum;
  }
};

// How something changes with the place of a particle.
struct Slope {
  std::uint32_t particle;
  Vec3 of;
};
// Adds to the slope of a particle, which may be a new one.
void add_slope(std::uint32_t particle, const Vec3& of, std::vector<Slope>& slopes);

class Boundary {
 public:
  // Squares of the surface are divided `parts` times along each edge: 1 leaves the particles alone. Where
  // sides are not known, or for 0 parts, the particles of the surface once each, with the square of the
  // spacing.
  Boundary(const Cloud& cloud, std::size_t parts);

  const std::vector<BoundaryPoint>& points() const { return points_; }
  double spacing() const { return spacing_; }  // of points

  // Unit, outward, of all points, from where particles are and, where there are no faces, how they deform.
  void normals(const std::function<const Vec3&(std::size_t)>& position,
               const std::function<Mat3(std::size_t)>& deformation, std::vector<Vec3>& out);
  // Adds the slopes of along . normal of a point, `along` being constant, where normals() found them last.
  void add_slopes_of_normal(std::size_t point, const Vec3& along,
                            const std::function<const Vec3&(std::size_t)>& position, const Gradient& gradient,
                            std::vector<Slope>& slopes) const;

 private:
  void divide(const Cloud& cloud, const std::vector<std::array<std::uint32_t, 4>>& side, std::size_t parts);
  void take_particles(const Cloud& cloud);

  std::vector<BoundaryPoint> points_;
  double spacing_;
  std::vector<std::uint32_t> particle_;              // of corners
  std::vector<std::array<std::uint32_t, 4>> faces_;  // by corners
  std::vector<std::vector<std::uint32_t>> around_;   // faces of corners
  std::vector<Vec3> outward_;                        // of corners, now; without faces: at first
};

}  // namespace hardpan::meshfree
