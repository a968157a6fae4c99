#include "hardpan/record/vtk.h"

#include <map>

#include <gtest/gtest.h>

#include "hardpan/core/error.h"
#include "hardpan/core/file.h"
#include "hardpan/record/tessellate.h"
#include "hardpan/record/test_files.h"

namespace hardpan::record {
namespace {

namespace fs = std::filesystem;
using testing::contains;

class VtkTest : public testing::RecordTest {
 protected:
  void expect_well_formed(const fs::path& file) {
    if (std::system("xmllint --version >/dev/null 2>&1") != 0) return;
    EXPECT_EQ(std::system(("xmllint --noout --nonet " + file.string()).c_str()), 0) << file;
  }
};

const std::string scene = R"({"bodies": [
  {"name": "ball", "shape": {"kind": "sphere", "radius": 0.1}},
  {"name": "ghost", "shape": null},
  {"name": "crate", "shape": {"kind": "box", "size": [1, 2, 3]}},
  {"name": "wheel", "shape": {"kind": "cylinder", "radius": 0.5, "length": 0.2}}]})";

// The numbers of one <DataArray>.
std::vector<double> values(const std::string& vtp, const std::string& name) {
  const std::size_t start = vtp.find('>', vtp.find("Name=\"" + name + "\"")) + 1;
  std::istringstream text(vtp.substr(start, vtp.find('<', start) - start));
  return {std::istream_iterator<double>(text), {}};
}

using Vec3 = std::array<double, 3>;

// Volume by the divergence theorem: positive when all polygons look outwards.
double volume(const PolygonMesh& mesh) {
  double sum = 0;
  for (const auto& polygon : mesh.polygons)
    for (std::size_t i = 2; i < polygon.size(); ++i) {
      const Vec3 &a = mesh.points[polygon[0]], &b = mesh.points[polygon[i - 1]], &c = mesh.points[polygon[i]];
      sum += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
              a[2] * (b[0] * c[1] - b[1] * c[0])) /
             6;
    }
  return sum;
}

// Closed and evenly turned: every edge is passed once in each direction.
bool is_closed(const PolygonMesh& mesh) {
  std::map<std::pair<std::size_t, std::size_t>, int> passes;
  for (const auto& polygon : mesh.polygons)
    for (std::size_t i = 0; i < polygon.size(); ++i)
      ++passes[{polygon[i], polygon[(i + 1) % polygon.size()]}];
  for (const auto& [edge, n] : passes)
    if (n != 1 || !passes.contains({edge.second, edge.first})) return false;
  return true;
}

TEST(Tessellate, ShapesAreClosedAndOfTheRightVolume) {
  const auto bodies = parse_scene(scene, "x").bodies;
  const PolygonMesh sphere = tessellate(bodies[0]), box = tessellate(bodies[2]),
                    wheel = tessellate(bodies[3]);
  for (const PolygonMesh& mesh : {sphere, box, wheel}) EXPECT_TRUE(is_closed(mesh));
  EXPECT_NEAR(volume(sphere), 4.0 / 3 * M_PI * 1e-3, 0.03 * 4.2e-3);
  EXPECT_NEAR(volume(box), 6, 1e-12);
  EXPECT_NEAR(volume(wheel), M_PI * 0.25 * 0.2, 0.02 * 0.157);
  EXPECT_EQ(tessellate(bodies[1]).points.size(), 1u);
}

TEST(Scene, MalformedTextNamesTheFile) {
  for (const char* bad :
       {"", "{", "[]", "{}", R"({"bodies":[{}]})", R"({"bodies":[{"name":"a","shape":{"kind":"box"}}]})"})
    EXPECT_TRUE(testing::message_of<IoError>([&] { parse_scene(bad, "s.json"); }).starts_with("s.json"))
        << bad;
  const auto unknown = parse_scene(R"({"bodies":[{"name":"a","shape":{"kind":"torus"}}]})", "x").bodies;
  EXPECT_TRUE(unknown[0].parts.empty());
}

TEST(Vtp, BodiesStandWhereTheyAre) {
  Archive frame;  // a box turned a quarter about z: its x side points along y
  const double half = std::sqrt(0.5);
  frame.put("bodies/position", std::vector<double>{0, 0, 9, 10, 20, 30}, {2, 3}, "m");
  frame.put("bodies/orientation", std::vector<double>{1, 0, 0, 0, half, 0, 0, half}, {2, 4});
  frame.put("bodies/velocity", std::vector<double>{0, 0, 0, 7, 8, 9}, {2, 3}, "m/s");
  const std::vector<SceneBody> bodies = {{"point", {}}, {"box", {{geometry::Box{{2, 4, 6}}}}}};
  const std::string vtp = vtp_of(frame, bodies);
  EXPECT_TRUE(contains(vtp, "NumberOfPoints=\"9\" NumberOfVerts=\"1\"") &&
              contains(vtp, "NumberOfPolys=\"6\""));
  const auto points = values(vtp, "Points");
  ASSERT_EQ(points.size(), 27u);
  EXPECT_EQ(points[2], 9);
  EXPECT_NEAR(points[3], 10 + 2, 1e-12);  // corner (-1, -2, -3) goes to (2, -1, -3)
  EXPECT_NEAR(points[4], 20 - 1, 1e-12);
  EXPECT_NEAR(points[5], 30 - 3, 1e-12);
  EXPECT_EQ(values(vtp, "body"), (std::vector<double>{0, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(values(vtp, "velocity")[3], 7);
  EXPECT_EQ(values(vtp, "angular_velocity").size(), 21u);
}

TEST(Vtp, FramesThatDoNotFitAreErrors) {
  EXPECT_THROW(vtp_of(testing::state(0, 2), std::vector<SceneBody>(3)), IoError);
  Archive lonely;
  lonely.put("bodies/position", std::vector<double>(3), {1, 3});
  EXPECT_THROW(vtp_of(lonely, {}), IoError);
  EXPECT_TRUE(contains(vtp_of({}, {}), "NumberOfPoints=\"0\""));
}

TEST(Vtp, SpheresArePointsWithTheirArrays) {
  Archive frame;
  frame.put("sand/position", std::vector<double>{1, 2, 3, 4, 5, 6}, {2, 3}, "m");
  frame.put("sand/radius", std::vector<double>{0.5, 0.25}, {2}, "m");
  frame.put("sand/stress", std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, {2, 6}, "Pa");
  frame.put("sand/coordination", std::vector<std::int64_t>{7, 8}, {2});
  frame.put("sand/books", std::vector<double>{1, 2, 3}, {3});  // not of the spheres
  frame.put("chains/force", std::vector<double>{1, 2}, {2}, "N");
  const std::string vtp = vtp_of_spheres(frame, SceneSpheres{"sand", "sand/position", "sand/radius"});
  EXPECT_TRUE(contains(vtp, "NumberOfPoints=\"2\" NumberOfVerts=\"2\""));
  EXPECT_EQ(values(vtp, "Points"), (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(values(vtp, "connectivity"), (std::vector<double>{0, 1}));
  EXPECT_EQ(values(vtp, "radius"), (std::vector<double>{0.5, 0.25}));
  EXPECT_EQ(values(vtp, "stress")[11], 12);
  EXPECT_EQ(values(vtp, "coordination"), (std::vector<double>{7, 8}));
  EXPECT_TRUE(contains(vtp, "\"stress\" NumberOfComponents=\"6\"") && !contains(vtp, "books") &&
              !contains(vtp, "force"));
  EXPECT_EQ(values(vtp_of_spheres(frame, SceneSpheres{"sand", "sand/position", 0.1}), "radius"),
            (std::vector<double>{0.1, 0.1}));
  EXPECT_THROW(vtp_of_spheres(frame, SceneSpheres{"sand", "sand/places", 0.1}), IoError);
}

TEST_F(VtkTest, SpheresOfTheSceneAreParts) {
  RunWriter writer = RunWriter::create(run_, testing::identity(), false);
  writer.write_text(scene_name, R"({"bodies": [{"name": "ghost", "shape": null}],
    "spheres": [{"name": "sand", "position": "sand/position", "radius": 0.1}]})");
  Archive frame = testing::state(0, 1);
  frame.put("sand/position", std::vector<double>(6), {2, 3}, "m");
  writer.frame(0, 0, frame);
  writer.close();
  const fs::path out = base_ / "vtk";
  EXPECT_EQ(export_vtk(RunReader(run_), out), 1u);
  for (const auto& entry : fs::directory_iterator(out)) expect_well_formed(entry.path());
  EXPECT_TRUE(
      contains(read_file(out / "frames.pvd"), "timestep=\"0\" part=\"1\" file=\"frame-000000-1.vtp\""));
  EXPECT_TRUE(contains(read_file(out / "frame-000000-1.vtp"), "NumberOfPoints=\"2\""));
}

TEST_F(VtkTest, ExportsEveryFrameWithItsTime) {
  RunWriter writer = RunWriter::create(run_, testing::identity(), false);
  writer.write_text(scene_name, scene);
  for (int step = 0; step < 5; ++step) {
    writer.frame(0.25 * step, step, testing::state(step, 4));
    if (step == 2) writer.close();
  }
  writer.close();
  const fs::path out = base_ / "vtk";
  EXPECT_EQ(export_vtk(RunReader(run_), out), 5u);
  for (const auto& entry : fs::directory_iterator(out)) expect_well_formed(entry.path());
  const std::string pvd = read_file(out / "frames.pvd"), vtp = read_file(out / "frame-000004.vtp");
  EXPECT_TRUE(contains(pvd, "timestep=\"0.75\" part=\"0\" file=\"frame-000003.vtp\""));
  const std::size_t points = 24 * 11 + 2 + 1 + 8 + 48, polygons = 24 * 10 + 48 + 6 + 26;
  EXPECT_EQ(values(vtp, "Points").size(), 3 * points);
  EXPECT_EQ(values(vtp, "body").size(), 1 + polygons);
  EXPECT_TRUE(contains(vtp, "NumberOfPolys=\"" + std::to_string(polygons) + "\""));
}

TEST_F(VtkTest, WithoutASceneBodiesArePoints) {
  RunWriter writer = RunWriter::create(run_, testing::identity(), false);
  writer.frame(0, 0, testing::state(0, 3));
  writer.close();
  export_vtk(RunReader(run_), base_ / "vtk");
  EXPECT_TRUE(contains(read_file(base_ / "vtk/frame-000000.vtp"), "NumberOfVerts=\"3\""));
}

}  // namespace
}  // namespace hardpan::record
