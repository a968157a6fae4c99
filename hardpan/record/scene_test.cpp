#include "hardpan/record/scene.h"

#include <gtest/gtest.h>

#include "hardpan/core/error.h"
#include "hardpan/record/tessellate.h"

namespace hardpan::record {
namespace {

Scene one_of_everything() {
  Scene scene;
  scene.bodies = {
      {"ball", geometry::Sphere{0.1}, 2.0, false},
      {"crate", geometry::Box{{1, 2, 3}}, 3.0, true},
      {"wheel", geometry::Cylinder{0.5, 0.2}, 4.0, false},
      {"wedge", SceneMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 2, 1}, {0, 1, 3}}}, 5.0, false},
      {"ghost \"<&\xff", {}, 0, false}};
  scene.joints = {{"pin", "hinge"}};
  scene.spheres = {{"sand", "sand/position", 0.002},
                   {"gravel", "gravel/position", std::string("gravel/radius")}};
  scene.surfaces = {{"tire", "tire/position", Triangles{{0, 1, 2}, {2, 1, 3}}},
                    {"soil", "soil/position", std::string("soil/triangles")}};
  scene.height_fields = {{"ground", "ground/height", {-1, -2}, {0.1, 0.2}}};
  scene.arrows = {{"contact force", "contacts/position", "contacts/force"}};
  return scene;
}

TEST(Scene, ReadsBackAsItWasWritten) {
  const std::string text = scene_json(one_of_everything());
  const Scene scene = parse_scene(text, "x");
  EXPECT_EQ(scene_json(scene), text);
  EXPECT_EQ(std::get<geometry::Sphere>(*scene.bodies[0].shape).radius, 0.1);
  EXPECT_TRUE(scene.bodies[1].fixed);
  EXPECT_EQ(std::get<SceneMesh>(*scene.bodies[3].shape).triangles[1][2], 3);
  EXPECT_FALSE(scene.bodies[4].shape);
  EXPECT_EQ(std::get<double>(scene.spheres[0].radius), 0.002);
  EXPECT_EQ(std::get<std::string>(scene.spheres[1].radius), "gravel/radius");
  EXPECT_EQ(std::get<Triangles>(scene.surfaces[0].triangles).size(), 2u);
  EXPECT_EQ(scene.height_fields[0].spacing[1], 0.2);
  EXPECT_EQ(scene.arrows[0].vector, "contacts/force");
}

TEST(Scene, KeepsOldFilesReadable) {
  const Scene scene = parse_scene(R"({"format": 1, "bodies": [{"name": "a"}], "auras": [1, 2]})", "x");
  EXPECT_EQ(scene.bodies.size(), 1u);
  EXPECT_TRUE(scene.spheres.empty());
}

TEST(Scene, WhatIsWrongNamesTheFile) {
  for (const char* bad :
       {R"({"bodies":[],"spheres":[{"name":"a"}]})",
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

}  // namespace
}  // namespace hardpan::record
