#include "hardpan/geometry/polyhedron.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "hardpan/core/error.h"
#include "hardpan/geometry/test_shapes.h"

namespace hardpan::geometry {
namespace {

// Every edge once in each direction; V - E + F = 2; every point behind every face; corners counterclockwise.
void expect_sound(const Polyhedron& hull, const std::vector<Vec3>& points, double room) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  ASSERT_EQ(hull.face_start.size(), hull.faces() + 1);
  for (std::size_t f = 0; f < hull.faces(); ++f) {
    const auto face = hull.face(f);
    ASSERT_GE(face.size(), 3u);
    EXPECT_NEAR(hull.normals[f].norm(), 1, 1e-14);
    for (std::size_t k = 0; k < face.size(); ++k) {
      EXPECT_TRUE(edges.insert({face[k], face[(k + 1) % face.size()]}).second);
      const Vec3 &a = hull.vertices[face[k]], &b = hull.vertices[face[(k + 1) % face.size()]],
                 &c = hull.vertices[face[(k + 2) % face.size()]];
      EXPECT_GT((b - a).cross(c - b).dot(hull.normals[f]), 0);
    }
    for (const Vec3& p : points) EXPECT_LE(hull.normals[f].dot(p - hull.vertices[face[0]]), room);
  }
  for (const auto& [from, to] : edges) EXPECT_TRUE(edges.contains({to, from}));
  EXPECT_EQ(hull.vertices.size() + hull.faces(), edges.size() / 2 + 2);
}

TEST(ConvexHull, OfRandomPointsIsSound) {
  RandomVectors random(1);
  for (std::size_t count : {4, 5, 8, 20, 100, 1000})
    for (int trial = 0; trial < 10; ++trial) {
      std::vector<Vec3> points;
      for (std::size_t i = 0; i < count; ++i) points.push_back(random.in_cube());
      expect_sound(convex_hull(points), points, 1e-12);
    }
}

TEST(ConvexHull, OfABallKeepsAllPoints) {
  RandomVectors random(2);
  std::vector<Vec3> points;
  for (int i = 0; i < 500; ++i) points.push_back(random.direction());
  const Polyhedron hull = convex_hull(points);
  expect_sound(hull, points, 1e-12);
  EXPECT_EQ(hull.vertices.size(), points.size());
}

TEST(ConvexHull, PlaneFacesArePolygons) {
  RandomVectors random(3);
  for (int trial = 0; trial < 100; ++trial) {
    const Pose pose = random.pose();
    std::vector<Vec3> points;
    for (const Vec3& p : corners_of_box({1, 2, 3})) points.push_back(pose.point(p));
    for (int i = 0; i < 20; ++i) {
      Vec3 p = random.in_cube().cwiseProduct(Vec3(0.49, 0.99, 1.49));
      if (i % 2 == 0) p[i % 3] = Vec3(0.5, 1, 1.5)[i % 3];  // on a face
      points.push_back(pose.point(p));
    }
    const Polyhedron hull = convex_hull(points);
    expect_sound(hull, points, 1e-12);
    EXPECT_EQ(hull.faces(), 6u);
    EXPECT_EQ(hull.vertices.size(), 8u);
  }
}

TEST(ConvexHull, NeitherUnitNorPlaceMatters) {
  for (double scale : {1e-9, 1.0, 1e9}) {
    std::vector<Vec3> points = corners_of_box(scale * Vec3(1, 2, 3));
    for (Vec3& p : points) p += scale * Vec3(100, 200, 300);
    EXPECT_EQ(convex_hull(points).faces(), 6u) << scale;
  }
}

TEST(ConvexHull, RefusesWhatHasNoVolume) {
  const auto refused = [](const std::vector<Vec3>& points, const std::string& reason) {
    try {
      convex_hull(points);
      ADD_FAILURE() << reason;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(reason), std::string::npos) << error.what();
    }
  };
  refused({}, "at least 4 points, got 0");
  refused({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, "at least 4 points, got 3");
  refused(std::vector<Vec3>(5, Vec3(1, 2, 3)), "all points of a hull are the same");
  refused({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, NAN}}, "point 4 of a hull is not finite");
  RandomVectors random(4);
  for (int trial = 0; trial < 50; ++trial) {
    const Pose pose = random.pose();
    std::vector<Vec3> flat, straight;
    for (int i = 0; i < 9; ++i) {
      flat.push_back(pose.point({random.number(-1, 1), random.number(-1, 1), 0}));
      straight.push_back(pose.point({random.number(-1, 1), 0, 0}));
    }
    refused(flat, "lie in one plane");
    refused(straight, "lie in one plane");
  }
}

}  // namespace
}  // namespace hardpan::geometry
