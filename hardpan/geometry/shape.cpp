#include "hardpan/geometry/shape.h"

#include <numbers>

#include "hardpan/core/error.h"
#include "hardpan/geometry/polyhedron.h"
#include "hardpan/geometry/triangle_mesh.h"

namespace hardpan::geometry {
namespace {

using std::numbers::pi;

Solid centred(double volume, const Vec3& moments) { return {volume, Vec3::Zero(), moments.asDiagonal()}; }

// Integrals over what a closed surface encloses, by the divergence theorem: each triangle (a, b, c) adds the
// tetrahedron that it spans with the reference point, whose signed volume is d/6 with d = a . (b x c):
//     V = sum d/6,    integral of x = sum d/24 s,    of x x^T = sum d/120 (a a^T + b b^T + c c^T + s s^T),
// s = a + b + c. Eberly, "Polyhedral mass properties (revisited)", 2002, gives them by components.
class Enclosed {
 public:
  // Near the surface, so that nothing large cancels.
  explicit Enclosed(const Vec3& reference) : reference_(reference) {}

  void add(const Vec3& pa, const Vec3& pb, const Vec3& pc) {
    const Vec3 a = pa - reference_, b = pb - reference_, c = pc - reference_, s = a + b + c;
    const double d = a.dot(b.cross(c));
    volume_ += d / 6;
    first_ += d / 24 * s;
    second_ += d / 120 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + s * s.transpose());
  }

  Solid solid() const {
    const Vec3 centre = first_ / volume_;
    const Mat3 spread = second_ / volume_ - centre * centre.transpose();
    return {volume_, reference_ + centre, spread.trace() * Mat3::Identity() - spread};
  }

 private:
  Vec3 reference_;
  double volume_ = 0;
  Vec3 first_ = Vec3::Zero();
  Mat3 second_ = Mat3::Zero();
};

Vec3 mean(const std::vector<Vec3>& points) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& p : points) sum += p;
  return sum / static_cast<double>(points.size());
}

struct Properties {
  Solid operator()(const Sphere& s) const {
    return centred(4.0 / 3.0 * pi * s.radius * s.radius * s.radius,
                   Vec3::Constant(0.4 * s.radius * s.radius));
  }
  Solid operator()(const Box& b) const {
    const Vec3 sq = b.size.cwiseAbs2();
    return centred(b.size.prod(), Vec3(sq.y() + sq.z(), sq.z() + sq.x(), sq.x() + sq.y()) / 12.0);
  }
  Solid operator()(const Cylinder& c) const {
    const double across = c.radius * c.radius / 4.0 + c.length * c.length / 12.0;
    return centred(pi * c.radius * c.radius * c.length, {across, across, 0.5 * c.radius * c.radius});
  }
  // A cylinder and two half balls, whose centres of mass lie 3/8 r beyond its ends. About their flat face
  // they have the moment of the ball; moved to the middle, that grows by l^2/4 + 3/8 l r.
  Solid operator()(const Capsule& c) const {
    const double r = c.radius, l = c.length;
    const double tube = pi * r * r * l, caps = 4.0 / 3.0 * pi * r * r * r, volume = tube + caps;
    const double across =
        tube * (r * r / 4 + l * l / 12) + caps * (0.4 * r * r + l * l / 4 + 3.0 / 8.0 * l * r);
    const double along = tube * r * r / 2 + caps * 0.4 * r * r;
    return centred(volume, Vec3(across, across, along) / volume);
  }
  Solid operator()(const Cone& c) const {
    const double rr = c.radius * c.radius, across = 3.0 / 20.0 * rr + 3.0 / 80.0 * c.height * c.height;
    return centred(pi * rr * c.height / 3, {across, across, 0.3 * rr});
  }
  Solid operator()(const Ellipsoid& e) const {
    const Vec3 sq = e.radii.cwiseAbs2();
    return centred(4.0 / 3.0 * pi * e.radii.prod(),
                   Vec3(sq.y() + sq.z(), sq.z() + sq.x(), sq.x() + sq.y()) / 5.0);
  }
  Solid operator()(const Hull& hull) const {
    const Polyhedron& body = *hull.body;
    Enclosed sum(mean(body.vertices));
    for (std::size_t f = 0; f < body.faces(); ++f) {
      const auto face = body.face(f);
      for (std::size_t k = 2; k < face.size(); ++k)
        sum.add(body.vertices[face[0]], body.vertices[face[k - 1]], body.vertices[face[k]]);
    }
    return sum.solid();
  }
  Solid operator()(const Mesh& mesh) const {
    const TriangleMesh& surface = *mesh.surface;
    HARDPAN_CHECK(surface.closed, "an open mesh has no mass properties");
    Enclosed sum(mean(surface.vertices));
    for (const auto& [a, b, c] : surface.triangles)
      sum.add(surface.vertices[a], surface.vertices[b], surface.vertices[c]);
    return sum.solid();
  }
  Solid operator()(const HeightField&) const { return ground(); }
  Solid operator()(const Plane&) const { return ground(); }

 private:
  static Solid ground() { HARDPAN_CHECK(false, "a ground has no mass properties"); }
};

}  // namespace

bool is_solid(const Shape& shape) {
  if (const Mesh* mesh = std::get_if<Mesh>(&shape)) return mesh->surface->closed;
  return !std::holds_alternative<HeightField>(shape) && !std::holds_alternative<Plane>(shape);
}

Solid solid(const Shape& shape) { return std::visit(Properties{}, shape); }

}  // namespace hardpan::geometry
