#include "hardpan/scenario/body_builder.h"

#include <algorithm>
#include <filesystem>
#include <numbers>

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "hardpan/core/file.h"
#include "hardpan/geometry/height_grid.h"
#include "hardpan/scenario/observe.h"
#include "hardpan/scenario/run.h"
#include "hardpan/scenario/test_scenarios.h"

namespace hardpan::scenario {
namespace {

using std::numbers::pi;
using testing::message_of;

const std::string start = "hardpan: 1\ntime: {end: 1, step: 0.001}\n";

std::unique_ptr<Simulation> simulation_of(const std::string& bodies, const std::string& rest = {}) {
  return build(load_text(start + "bodies:\n" + bodies + rest, "f").resolved);
}

multibody::Body body_of(const std::string& keys) {
  return simulation_of("  a: {" + keys + "}\n")->bodies.model().bodies[0];
}

std::string complaint(const std::string& keys) {
  return message_of([&] { body_of(keys); });
}

void expect_same_mass(const multibody::Body& a, const multibody::Body& b, double room) {
  EXPECT_NEAR(a.mass, b.mass, room * b.mass);
  EXPECT_LT((a.inertia - b.inertia).norm(), room * b.inertia.norm()) << a.inertia << "\n\n" << b.inertia;
  EXPECT_LT((a.pose.x - b.pose.x).norm(), room);
}

class Folder {
 public:
  Folder() { std::filesystem::create_directories(path / "parts"); }
  ~Folder() { std::filesystem::remove_all(path); }
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("hardpan_body_builder_test_{}", ::getpid());
};

constexpr const char* tetrahedron =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

TEST(BodyBuilder, HalvesMakeTheWhole) {
  const multibody::Body whole =
      body_of("density: 500, shape: {kind: box, size: [2, 1, 3]}, position: [1, 2, 3]");
  EXPECT_TRUE(whole.origin.isZero(0));
  for (const char* mass : {"density: 500", "mass: 3000"}) {
    const multibody::Body halves =
        body_of(std::string(mass) +
                ", position: [1, 2, 3], shapes: [{kind: box, size: [1, 1, 3], at: [0.5, 0, 0]}, "
                "{kind: box, size: [1, 3, 1], at: [-0.5, 0, 0], orientation: {roll_deg: 90}}]");
    expect_same_mass(halves, whole, 1e-15);
  }
}

// One shape at the origin goes through no sum that could round.
TEST(BodyBuilder, OneShapeAtTheOriginKeepsItsBits) {
  const geometry::Solid solid = geometry::solid(geometry::Cylinder{0.1, 0.7});
  const std::string rest =
      "shape: {kind: cylinder, radius: 0.1, length: 0.7}, position: [0.1, -0.2, 0.3], "
      "velocity: [1, 2, 3], angular_velocity: [0.1, 0.2, 0.3], orientation: {yaw_deg: 17}";
  const multibody::Body given = body_of("mass: 1.3, " + rest), dense = body_of("density: 7850, " + rest);
  EXPECT_EQ(given.mass, 1.3);
  EXPECT_EQ(given.inertia, Mat3(1.3 * solid.inertia));
  EXPECT_EQ(dense.mass, 7850 * solid.volume);
  EXPECT_EQ(dense.inertia, Mat3(dense.mass * solid.inertia));
  EXPECT_EQ(given.pose.x, Vec3(0.1, -0.2, 0.3));
  EXPECT_EQ(given.velocity, Vec3(1, 2, 3));
  EXPECT_TRUE(given.origin.isZero(0) && given.shapes[0].pose.x.isZero(0));
}

// Balls of 1 and 3 kg at the ends of a massless rod of 2 m: their centre lies 1.5 m from the lighter one.
TEST(BodyBuilder, PartsHaveTheirOwnDensity) {
  const double r = 0.1, volume = 4.0 / 3 * pi * r * r * r;
  const multibody::Body body =
      body_of(fmt::format("density: {}, position: [0, 0, 5], orientation: {{yaw_deg: 90}}, shapes: [{{kind: "
                          "sphere, radius: 0.1}}, "
                          "{{kind: sphere, radius: 0.1, at: [2, 0, 0], density: {}}}]",
                          1 / volume, 3 / volume));
  EXPECT_NEAR(body.mass, 4, 1e-14);
  EXPECT_LT((body.origin - Vec3(-1.5, 0, 0)).norm(), 1e-15);
  EXPECT_LT((body.pose.x - Vec3(0, 1.5, 5)).norm(), 1e-14);
  EXPECT_LT((body.shapes[1].pose.x - Vec3(0.5, 0, 0)).norm(), 1e-15);
  const double own = 4 * 0.4 * r * r, apart = 1 * 1.5 * 1.5 + 3 * 0.5 * 0.5;
  EXPECT_LT((body.inertia.diagonal() - Vec3(own, own + apart, own + apart)).norm(), 1e-14);
}

TEST(BodyBuilder, GivenInertiaSitsAtTheOriginOrWhereSaid) {
  EXPECT_TRUE(body_of("mass: 2, inertia: [1, 1, 1], shape: {kind: sphere, radius: 1, at: [3, 0, 0]}")
                  .origin.isZero(0));
  const multibody::Body body = body_of(
      "mass: 2, inertia: [1, 2, 2.5], centre_of_mass: [0, 0, 0.3], angular_velocity: [2, 0, 0], "
      "velocity: [1, 0, 0]");
  EXPECT_EQ(body.origin, Vec3(0, 0, -0.3));
  EXPECT_EQ(body.pose.x, Vec3(0, 0, 0.3));
  EXPECT_LT((body.velocity - Vec3(1, -0.6, 0)).norm(), 1e-15);
}

// The same box, once around its origin, once as a hull far from it: in a free flight with a joint, a load and
// a spin nobody can tell them apart.
TEST(BodyBuilder, WhereTheFrameLiesDoesNotMatter) {
  const std::string joint =
      "joints:\n  j: {kind: spring, between: [world, a], points: [[0, 0, 3], [1.5, 2, 3]], stiffness: 50, "
      "damping: 0.1}\n";
  const auto centred = simulation_of(
      "  a: {mass: 3, shape: {kind: box, size: [1, 2, 0.5]}, position: [1, 2, 3], velocity: [1, 0, 2], "
      "angular_velocity: [1, 2, 3]}\n",
      joint + "loads:\n  l: {kind: force, body: a, force: [1, 2, 3], at: [0.1, 0.2, 0.2]}\n");
  std::string points;
  for (int i = 0; i < 8; ++i)
    points +=
        fmt::format("[{}, {}, {}], ", (i & 1 ? 10.5 : 9.5), (i & 2 ? 1.0 : -1.0), (i & 4 ? 5.25 : 4.75));
  // Its centre is at [10, 0, 5] of the body: v = v_c - omega x c.
  const auto shifted =
      simulation_of("  a: {mass: 3, shape: {kind: hull, points: [" + points +
                        "]}, position: [-9, 2, -2], velocity: [-9, -25, 22], angular_velocity: [1, 2, 3]}\n",
                    joint + "loads:\n  l: {kind: force, body: a, force: [1, 2, 3], at: [10.1, 0.2, 5.2]}\n");
  EXPECT_LT((frame_of_user(shifted->bodies, 0).x - Vec3(-9, 2, -2)).norm(), 1e-13);
  EXPECT_LT((velocity_of_user(shifted->bodies, 0) - Vec3(-9, -25, 22)).norm(), 1e-12);
  for (int step = 0; step < 500; ++step) {
    ASSERT_TRUE(centred->stepper.step().ok);
    ASSERT_TRUE(shifted->stepper.step().ok);
  }
  const Pose a = frame_of_user(centred->bodies, 0), b = frame_of_user(shifted->bodies, 0);
  EXPECT_LT((b.point({10, 0, 5}) - a.x).norm(), 1e-10);
  EXPECT_GT(a.q.angularDistance(Quat::Identity()), 0.5);
  EXPECT_LT(a.q.angularDistance(b.q), 1e-10);
  const Vec3 arm = b.turned({10, 0, 5}), spin = shifted->bodies.angular_velocity(multibody::BodyId(0));
  EXPECT_LT(
      (velocity_of_user(shifted->bodies, 0) + spin.cross(arm) - velocity_of_user(centred->bodies, 0)).norm(),
      1e-9);
}

TEST(BodyBuilder, FixedBodiesNeedNoMass) {
  const auto simulation = simulation_of(
      "  ground: {fixed: true, shape: {kind: plane}}\n"
      "  hills: {fixed: true, shape: {kind: height-field, spacing: [1, 2], heights: [[0, 1], [2, 3], [4, "
      "5]], at: [1, 1, 0]}}\n"
      "  mark: {fixed: true}\n"
      "  post: {fixed: true, density: 1000, shape: {kind: capsule, radius: 0.1, length: 1, at: [0, 0, "
      "0.5]}}\n"
      "  ball: {mass: 1, shape: {kind: ellipsoid, radii: [1, 2, 3]}}\n");
  const auto& bodies = simulation->bodies.model().bodies;
  EXPECT_EQ(bodies[0].mass, 0);
  EXPECT_EQ(std::get<geometry::HeightField>(bodies[1].shapes[0].shape).grid->point(1, 2), Vec3(1, 4, 5));
  EXPECT_TRUE(bodies[3].origin.isZero(0));
  EXPECT_GT(bodies[3].mass, 0);
  EXPECT_TRUE(simulation->stepper.step().ok);
}

TEST(BodyBuilder, RefusesWhatCannotBe) {
  const std::string ball = "{kind: sphere, radius: 1}";
  EXPECT_NE(complaint("mass: 1, shape: {kind: plane}")
                .find("bodies.a.shape.kind: a plane is a ground: only a fixed body"),
            std::string::npos);
  EXPECT_NE(complaint("shapes: [" + ball + "]")
                .find("exactly one must be given of: mass; density; a density for each"),
            std::string::npos);
  EXPECT_NE(complaint("mass: 1, shapes: [{kind: sphere, radius: 1, density: 2}]")
                .find("bodies.a.shapes.0.density: the mass of the body is given"),
            std::string::npos);
  EXPECT_NE(complaint("mass: 1, density: 1, fixed: true, shape: " + ball)
                .find("bodies.a.density: the mass is given"),
            std::string::npos);
  EXPECT_NE(complaint("mass: 1, shape: " + ball + ", shapes: [" + ball + "]")
                .find("at most one may be given of: shape; shapes"),
            std::string::npos);
  EXPECT_NE(complaint("mass: 1, centre_of_mass: [0, 0, 1], shape: " + ball)
                .find("'centre_of_mass' needs 'inertia'"),
            std::string::npos);
  EXPECT_NE(complaint("density: 0, shapes: [" + ball + "]").find("bodies.a.density: must be greater than 0"),
            std::string::npos);
  EXPECT_EQ(
      complaint("mass: 1, shape: {kind: hull, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]}"),
      "f:4:23: bodies.a.shape: the points of a hull lie in one plane: it needs some that span a volume");
  EXPECT_NE(
      complaint("fixed: true, shape: {kind: height-field, spacing: [1, 1], heights: [[1, 2], [1, 2, 3]]}")
          .find("bodies.a.shape: row 2 of a height field has 3 heights"),
      std::string::npos);
  EXPECT_NE(complaint("fixed: true, shape: {kind: height-field, heights: [[1, 2], [1, 2]]}")
                .find("'heights' needs 'spacing'"),
            std::string::npos);
  EXPECT_NE(complaint("mass: 1, shape: {kind: mesh, file: no-such-file.obj}")
                .find("f:4:42: bodies.a.shape.file: no-such-file.obj"),
            std::string::npos);
}

TEST(BodyBuilder, FilesLieBesideTheScenario) {
  const Folder folder;
  const auto write = [&](const char* name, std::string_view text) {
    write_file_atomically(folder.path / name, text);
  };
  write("parts/tetra.obj", tetrahedron);
  write("parts/cut.obj", std::string_view(tetrahedron).substr(0, 36));
  write("parts/hills.asc", "ncols 2\nnrows 2\ncellsize 3\n1 2\n3 4\n");
  write("parts/included.yaml",
        "bodies:\n  b: {density: 6000, shape: {kind: hull, file: tetra.obj, scale: 0.1}}\n");
  write("s.yaml", start +
                      "include: parts/included.yaml\nbodies:\n  a: {mass: 2, shape: {kind: mesh, file: "
                      "parts/tetra.obj}}\n"
                      "  g: {fixed: true, shape: {kind: height-field, file: parts/hills.asc}}\n");
  const Scenario scenario = load(folder.path / "s.yaml");
  const auto simulation = build(scenario.resolved);
  const auto& bodies = simulation->bodies.model().bodies;
  const auto find = [&](const char* name) {
    return *std::find_if(bodies.begin(), bodies.end(), [&](const auto& body) { return body.name == name; });
  };
  EXPECT_LT((find("a").origin + Vec3::Constant(0.25)).norm(), 1e-15);
  EXPECT_NEAR(find("b").mass, 1, 1e-14);
  EXPECT_EQ(std::get<geometry::HeightField>(find("g").shapes[0].shape).grid->dx, 3);
  // What a file holds is part of the scenario: a resumed run must find the same.
  write("parts/tetra.obj", std::string(tetrahedron) + "# edited\n");
  EXPECT_NE(load(folder.path / "s.yaml").hash, scenario.hash);
  EXPECT_EQ(load(folder.path / "s.yaml").text, scenario.text);

  const auto fault = [&](const std::string& assignment) {
    return message_of([&] { build(load(folder.path / "s.yaml", {assignment}).resolved); });
  };
  EXPECT_NE(fault("bodies.a.shape.file=parts/cut.obj").find("bodies.a.shape.file: "), std::string::npos);
  EXPECT_NE(fault("bodies.g.shape.spacing=[1,1]").find("brings its spacing along, 3 m"), std::string::npos);
  write("parts/flat.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  EXPECT_NE(fault("bodies.a.shape.file=parts/flat.obj").find("bodies.a.shape: the mesh is open"),
            std::string::npos);
}

}  // namespace
}  // namespace hardpan::scenario
