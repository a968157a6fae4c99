#include "hardpan/geometry/polyhedron.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <memory>

#include <fmt/core.h>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

#include "hardpan/core/error.h"
#include "hardpan/geometry/aabb.h"

namespace hardpan::geometry {
namespace {

constexpr std::uint32_t unused = std::numeric_limits<std::uint32_t>::max();

// Qhull (Barber, Dobkin, Huhdanpaa, "The quickhull algorithm for convex hulls", ACM TOMS 22, 1996), as it is
// by default: facets that rounding does not tell from convex are merged.
class Qhull {
 public:
  explicit Qhull(std::vector<double> coordinates) : coordinates_(std::move(coordinates)) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> nowhere(std::fopen("/dev/null", "w"), std::fclose);
    if (!nowhere) throw IoError("/dev/null: cannot be opened");
    qh_zero(&qh_, nowhere.get());
    char options[] = "qhull";
    failure_ = qh_new_qhull(&qh_, 3, static_cast<int>(coordinates_.size() / 3), coordinates_.data(), False,
                            options, nullptr, nowhere.get());
  }
  ~Qhull() {
    qh_.NOerrexit = True;  // nothing left to jump back to
    qh_freeqhull(&qh_, !qh_ALL);
    int pieces = 0, bytes = 0;
    qh_memfreeshort(&qh_, &pieces, &bytes);
  }
  Qhull(const Qhull&) = delete;
  Qhull& operator=(const Qhull&) = delete;

  int failure() const { return failure_; }

  // Calls visit(corners) with the point numbers around each face, and its outward normal.
  template <class Visitor>
  void each_face(Visitor&& visit) {
    std::vector<std::size_t> corners;
    for (facetT* facet = qh_.facet_list; facet && facet->next; facet = facet->next) {
      setT* around = qh_facet3vertex(&qh_, facet);
      corners.clear();
      for (int i = 0, n = qh_setsize(&qh_, around); i < n; ++i)
        corners.push_back(
            static_cast<std::size_t>(qh_pointid(&qh_, static_cast<vertexT*>(SETelem_(around, i))->point)));
      qh_settempfree(&qh_, &around);
      visit(corners, Vec3(facet->normal[0], facet->normal[1], facet->normal[2]));
    }
  }

 private:
  std::vector<double> coordinates_;
  qhT qh_{};
  int failure_ = 0;
};

// Twice the area times the unit normal of a polygon that need not be quite plane (Newell).
Vec3 area_vector(std::span<const Vec3> points, const std::vector<std::size_t>& corners) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = 2; k < corners.size(); ++k)
    sum += (points[corners[k - 1]] - points[corners[0]]).cross(points[corners[k]] - points[corners[0]]);
  return sum;
}

// Within [-1, 1]: neither a distant origin nor the unit of length costs digits.
std::vector<double> scaled(std::span<const Vec3> points) {
  Aabb box;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i].allFinite()) throw InputError(fmt::format("point {} of a hull is not finite", i + 1));
    box = box.merged(points[i]);
  }
  const Vec3 middle = box.low / 2 + box.high / 2;
  const double reach = (box.high / 2 - box.low / 2).maxCoeff();
  if (!(reach > 0)) throw InputError("all points of a hull are the same: it needs some that span a volume");
  std::vector<double> coordinates;
  for (const Vec3& p : points)
    for (Eigen::Index k = 0; k < 3; ++k) coordinates.push_back((p[k] - middle[k]) / reach);
  return coordinates;
}

}  // namespace

Polyhedron convex_hull(std::span<const Vec3> points) {
  if (points.size() < 4)
    throw InputError(fmt::format("a hull needs at least 4 points, got {}", points.size()));
  if (points.size() > std::numeric_limits<int>::max() / 3) throw InputError("too many points for a hull");
  Qhull qhull(scaled(points));
  if (qhull.failure() == qh_ERRsingular)
    throw InputError("the points of a hull lie in one plane: it needs some that span a volume");
  if (qhull.failure() != 0)
    throw InputError(
        fmt::format("no hull of these points could be found (error {} of Qhull)", qhull.failure()));

  std::vector<std::uint32_t> number(points.size(), unused);
  qhull.each_face([&](const std::vector<std::size_t>& corners, const Vec3&) {
    for (std::size_t corner : corners) number[corner] = 0;
  });
  Polyhedron hull;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (number[i] == unused) continue;
    number[i] = static_cast<std::uint32_t>(hull.vertices.size());
    hull.vertices.push_back(points[i]);
  }
  hull.face_start = {0};
  qhull.each_face([&](std::vector<std::size_t>& corners, const Vec3& outward) {
    Vec3 area = area_vector(points, corners);
    if (area.dot(outward) < 0) {
      std::reverse(corners.begin(), corners.end());
      area = -area;
    }
    for (std::size_t corner : corners) hull.corners.push_back(number[corner]);
    hull.face_start.push_back(static_cast<std::uint32_t>(hull.corners.size()));
    hull.normals.push_back(area.stableNormalized());
  });
  return hull;
}

}  // namespace hardpan::geometry
