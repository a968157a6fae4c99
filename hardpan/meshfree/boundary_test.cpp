#include "hardpan/meshfree/boundary.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "hardpan/meshfree/test_clouds.h"

namespace hardpan::meshfree {
namespace {

const Vec3 low(0, 0, 0), high(0.6, 0.4, 0.3);

Vec3 place(const Cloud& cloud, const BoundaryPoint& point) {
  return point.of([&](std::size_t i) -> const Vec3& { return cloud.position[i]; });
}

Boundary boundary_of(const Cloud& cloud, std::size_t parts, std::vector<Vec3>& normals,
                     const Mat3& turn = Mat3::Identity()) {
  Boundary boundary(cloud, parts);
  std::vector<Vec3> places;
  for (const Vec3& x : cloud.position) places.push_back(turn * x);
  boundary.normals([&](std::size_t i) -> const Vec3& { return places[i]; }, [&](std::size_t) { return turn; },
                   normals);
  return boundary;
}

// Each once for each side, on the surface, with all of its area, however finely it is divided; normals look
// outward and turn with the particles.
TEST(Boundary, PointsShareTheSurface) {
  const std::array<std::size_t, 3> counts = {7, 5, 4};
  const Cloud cloud = box_lattice(low, high, counts);
  const Mat3 turn = Eigen::AngleAxisd(1.0, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  for (const std::size_t parts : {1, 2, 3}) {
    std::vector<Vec3> normals, turned;
    const Boundary boundary = boundary_of(cloud, parts, normals);
    boundary_of(cloud, parts, turned, turn);
    const std::size_t a = parts * (counts[0] - 1) + 1, b = parts * (counts[1] - 1) + 1,
                      c = parts * (counts[2] - 1) + 1;
    EXPECT_EQ(boundary.points().size(), 2 * (a * b + b * c + c * a));
    EXPECT_EQ(boundary.spacing(), cloud.spacing / static_cast<double>(parts));
    double area = 0, flux = 0;
    for (std::size_t p = 0; p < normals.size(); ++p) {
      const BoundaryPoint& point = boundary.points()[p];
      double weight = 0;
      for (std::size_t k = 0; k < point.count; ++k) weight += point.weight[k];
      EXPECT_NEAR(weight, 1, 1e-15);
      const Vec3 x = place(cloud, point);
      area += point.area;
      flux += point.area * x.dot(normals[p]);
      const double reach = normals[p].cwiseProduct(high).cwiseMax(normals[p].cwiseProduct(low)).sum();
      EXPECT_NEAR(normals[p].dot(x), reach, 1e-12);  // nothing is farther out
      EXPECT_NEAR(normals[p].cwiseAbs().maxCoeff(), 1, 1e-12);
      EXPECT_LT((turn * normals[p] - turned[p]).norm(), 1e-12);
    }
    EXPECT_NEAR(area, 1.08, 1e-12);
    EXPECT_NEAR(flux, 3 * 0.6 * 0.4 * 0.3, 1e-12);  // Gauss: outward everywhere
  }
}

TEST(Boundary, CloudsWithoutSidesTouchWithTheirParticles) {
  Cloud cloud = box_lattice(low, high, {7, 5, 4});
  cloud.sides.clear();
  std::vector<Vec3> normals;
  const Boundary boundary = boundary_of(cloud, 3, normals);
  EXPECT_EQ(boundary.points().size(), 7u * 5 * 4 - 5u * 3 * 2);
  for (std::size_t p = 0; p < normals.size(); ++p) {
    EXPECT_EQ(boundary.points()[p].count, 1u);
    const Vec3 x = place(cloud, boundary.points()[p]);
    if (std::abs(x.z() - 0.3) < 1e-9 && std::abs(x.x() - 0.3) < 0.25 && std::abs(x.y() - 0.2) < 0.15) {
      EXPECT_LT((normals[p] - Vec3::UnitZ()).norm(), 1e-9);
    }
  }
}

// Slopes of a normal are differences of normals of a solid that is bent, twisted and stretched, with faces
// and without.
TEST(Boundary, SlopesOfNormals) {
  for (const bool faces : {true, false}) {
    Cloud cloud = box_lattice(low, high, {7, 5, 4});
    if (!faces) cloud.sides.clear();
    const Gradient gradient(cloud, 2);
    std::vector<Vec3> places;
    for (const Vec3& x : cloud.position)
      places.push_back(x +
                       Vec3(0.3 * x.y() * x.z(), 0.4 * x.x() * x.z(), 0.5 * x.x() * x.x() - x.y() * x.y()));
    const auto place_of = [&](std::size_t i) -> const Vec3& { return places[i]; };
    const auto deformation = [&](std::size_t i) { return gradient.of(i, place_of); };
    const Vec3 along = Vec3(0.4, -0.7, 0.2);
    constexpr double tiny = 1e-6;
    Boundary boundary(cloud, 2);
    std::vector<Vec3> normals, more, less;
    for (std::size_t p = 0; p < boundary.points().size(); p += 29) {
      std::vector<Slope> slopes;
      boundary.normals(place_of, deformation, normals);
      boundary.add_slopes_of_normal(p, along, place_of, gradient, slopes);
      for (std::uint32_t i = 0; i < cloud.size(); ++i)
        for (Eigen::Index k = 0; k < 3; ++k) {
          const double was = places[i][k];
          places[i][k] = was + tiny;
          boundary.normals(place_of, deformation, more);
          places[i][k] = was - tiny;
          boundary.normals(place_of, deformation, less);
          places[i][k] = was;
          const auto found = std::ranges::find(slopes, i, &Slope::particle);
          const double slope = found == slopes.end() ? 0.0 : found->of[k];
          EXPECT_NEAR(slope, along.dot(more[p] - less[p]) / (2 * tiny), 1e-7);
        }
    }
  }
}

}  // namespace
}  // namespace hardpan::meshfree
