#include "hardpan/record/scene.h"

#include <gtest/gtest.h>

#include "hardpan/core/error.h"
#include "hardpan/geometry/height_grid.h"
#include "hardpan/geometry/polyhedron.h"
#include "hardpan/geometry/triangle_mesh.h"
#include "hardpan/record/tessellate.h"

namespace hardpan::record {
namespace {

Scene one_of_everything() {
  Scene scene;
  scene.bodies = {{"ball", {{geometry::Sphere{0.1}}}, 2.0, false},
                  {"crate", {{geometry::Box{{1, 2, 3}}}}, 3.0, true},
                  {"wheel", {{geometry::Cylinder{0.5, 0.2}}}, 4.0, false},
                  {"wedge",
                   {{SceneMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}}}}},
                   5.0,
                   false},
                  {"ghost \"<&\xff", {}, 0, false},
                  {"dumbbell",
                   {{geometry::Sphere{0.1}, {{1, 0, 0}, Quat::Identity()}},
                    {geometry::Cylinder{0.02, 2}, {{0, 0, 0}, Quat(0.6, 0, 0.8, 0)}, true}},
                   6.0,
                   false}};
  scene.joints = {{"pin", "hinge"}};
  scene.spheres = {{"sand", "sand/position", 0.002},
                   {"gravel", "gravel/position", std::string("gravel/radius")},
                   {"rice", "rice/position", 0.003, "rice/orientation", {1, 0.4, 0.5}}};
  scene.surfaces = {{"tire", "tire/position", Triangles{{0, 1, 2}, {2, 1, 3}}},
                    {"soil", "soil/position", std::string("soil/triangles")}};
  scene.height_fields = {{"ground", "ground/height", {-1, -2}, {0.1, 0.2}}};
  scene.rods = {{"force chains", "chains/ends", "chains/force"}};
  scene.arrows = {{"contact force", "contacts/position", "contacts/force"}};
  return scene;
}

TEST(Scene, ReadsBackAsItWasWritten) {
  const std::string text = scene_json(one_of_everything());
  const Scene scene = parse_scene(text, "x");
  EXPECT_EQ(scene_json(scene), text);
  EXPECT_EQ(std::get<geometry::Sphere>(scene.bodies[0].parts[0].shape).radius, 0.1);
  EXPECT_TRUE(scene.bodies[1].fixed);
  EXPECT_EQ(std::get<SceneMesh>(scene.bodies[3].parts[0].shape).triangles[1][2], 3);
  EXPECT_TRUE(scene.bodies[4].parts.empty());
  ASSERT_EQ(scene.bodies[5].parts.size(), 2u);
  EXPECT_EQ(scene.bodies[5].parts[0].pose.x, Vec3(1, 0, 0));
  EXPECT_EQ(scene.bodies[5].parts[1].pose.q.y(), 0.8);
  EXPECT_TRUE(scene.bodies[5].parts[1].ground && !scene.bodies[5].parts[0].ground);
  EXPECT_EQ(std::get<double>(scene.spheres[0].radius), 0.002);
  EXPECT_EQ(std::get<std::string>(scene.spheres[1].radius), "gravel/radius");
  EXPECT_TRUE(scene.spheres[1].orientation.empty());
  EXPECT_EQ(scene.spheres[1].axes, Vec3(1, 1, 1));
  EXPECT_EQ(scene.spheres[2].orientation, "rice/orientation");
  EXPECT_EQ(scene.spheres[2].axes, Vec3(1, 0.4, 0.5));
  EXPECT_EQ(std::get<Triangles>(scene.surfaces[0].triangles).size(), 2u);
  EXPECT_EQ(scene.height_fields[0].spacing[1], 0.2);
  EXPECT_EQ(scene.arrows[0].vector, "contacts/force");
  EXPECT_EQ(scene.rods[0].ends, "chains/ends");
  EXPECT_EQ(scene.rods[0].width, "chains/force");
}

TEST(Scene, SpheresAreWrittenWithoutAxes) {
  Scene scene;
  scene.spheres = {{"sand", "sand/position", 0.002, "", {1, 2, 3}}};
  const std::string text = scene_json(scene);
  EXPECT_EQ(text.find("orientation"), std::string::npos);
  EXPECT_EQ(text.find("axes"), std::string::npos);
}

TEST(Scene, KeepsOldFilesReadable) {
  const Scene scene = parse_scene(R"({"format": 1, "bodies": [{"name": "a"}], "auras": [1, 2]})", "x");
  EXPECT_EQ(scene.bodies.size(), 1u);
  EXPECT_TRUE(scene.spheres.empty());
}

TEST(Scene, WhatIsWrongNamesTheFile) {
  for (const char* bad :
       {R"({"bodies":[],"spheres":[{"name":"a"}]})",
        R"({"bodies":[],"spheres":[{"name":"a","position":"p","radius":1,"orientation":"q","axes":[1,1]}]})",
        R"({"bodies":[],"surfaces":[{"name":"a","position":"p","triangles":3}]})",
        R"({"bodies":[],"height_fields":[{"name":"a","height":"h","origin":[0],"spacing":[1,1]}]})",
        R"({"bodies":[{"name":"a","shape":{"kind":"mesh","points":[[0,0,0]],"triangles":[[0,0,1]]}}]})"})
    try {
      parse_scene(bad, "s.json");
      ADD_FAILURE() << bad;
    } catch (const IoError& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("s.json: not a description of a scene"))
          << error.what();
    }
}

TEST(Tessellate, MeshesAreTakenAsTheyAre) {
  const PolygonMesh mesh = tessellate(one_of_everything().bodies[3]);
  EXPECT_EQ(mesh.points.size(), 4u);
  EXPECT_EQ(mesh.polygons, (std::vector<std::vector<std::size_t>>{{0, 2, 1}, {0, 1, 3}}));
}

double volume(const PolygonMesh& mesh) {
  double sum = 0;
  const auto at = [&](std::size_t i) {
    return Vec3(mesh.points[i][0], mesh.points[i][1], mesh.points[i][2]);
  };
  for (const auto& polygon : mesh.polygons)
    for (std::size_t k = 2; k < polygon.size(); ++k)
      sum += at(polygon[0]).dot(at(polygon[k - 1]).cross(at(polygon[k]))) / 6;
  return sum;
}

// 24 points around leave out about one percent of the area of a circle, 12 along a meridian as much again.
TEST(Tessellate, EveryKindIsDrawn) {
  using namespace geometry;
  const std::vector<Vec3> corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const Hull hull{std::make_shared<Polyhedron>(convex_hull(corners))};
  const Mesh mesh{std::make_shared<TriangleMesh>(
      make_mesh(corners, {{{0, 2, 1}}, {{0, 1, 3}}, {{1, 2, 3}}, {{2, 0, 3}}}))};
  const Pose turned{{1, 2, 3}, Quat(0.6, 0, 0.8, 0)};
  for (const Shape& shape :
       {Shape(Sphere{0.3}), Shape(Box{{1, 2, 3}}), Shape(Cylinder{0.5, 2}), Shape(Capsule{0.2, 0.7}),
        Shape(Cone{0.4, 1}), Shape(Ellipsoid{{1, 2, 3}}), Shape(hull), Shape(mesh)}) {
    const PolygonMesh polygons = tessellate({"a", {{drawn(shape), turned}, {drawn(shape)}}, 0, false});
    const double drawn_volume = volume(polygons) / 2;
    EXPECT_LE(drawn_volume, solid(shape).volume * (1 + 1e-12)) << shape.index();
    EXPECT_GE(drawn_volume, solid(shape).volume * 0.96) << shape.index();
  }
}

TEST(Tessellate, GroundsHaveAnEnd) {
  using namespace geometry;
  std::vector<std::vector<double>> rows(450, std::vector<double>(3, 1.0));
  const SceneShape field = drawn(HeightField{std::make_shared<HeightGrid>(make_height_grid(rows, 0.5, 0.1))});
  const SceneMesh& hills = std::get<SceneMesh>(field);
  EXPECT_LE(hills.points.size(), 3 * 200u);
  EXPECT_LT((hills.points.back() - Vec3(1, 44.9, 1)).norm(), 1e-12);
  const SceneShape square = drawn(Plane{}, {{1, 2, 3}, 8});
  EXPECT_EQ(std::get<SceneMesh>(square).points[2], Vec3(5, 6, 0));
}

}  // namespace
}  // namespace hardpan::record
