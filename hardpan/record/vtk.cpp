#include "hardpan/record/vtk.h"

#include <utility>

#include <fmt/core.h>

#include "hardpan/core/error.h"
#include "hardpan/core/file.h"
#include "hardpan/core/text.h"
#include "hardpan/record/tessellate.h"

namespace hardpan::record {
namespace {

using Vec3 = std::array<double, 3>;

Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// v + 2 w (u x v) + 2 u x (u x v) for the unit quaternion q = (w, u).
Vec3 rotate(const std::array<double, 4>& q, const Vec3& v) {
  const Vec3 u = {q[1], q[2], q[3]}, uv = cross(u, v), uuv = cross(u, uv);
  Vec3 result;
  for (std::size_t i = 0; i < 3; ++i) result[i] = v[i] + 2 * (q[0] * uv[i] + uuv[i]);
  return result;
}

template <std::size_t N>
std::vector<std::array<double, N>> rows(const Archive& frame, const char* name, std::size_t count) {
  std::vector<double> flat(N * count);
  frame.get(name, flat);
  std::vector<std::array<double, N>> result(count);
  for (std::size_t i = 0; i < flat.size(); ++i) result[i / N][i % N] = flat[i];
  return result;
}

struct Bodies {
  std::vector<Vec3> position, velocity, angular_velocity;
  std::vector<std::array<double, 4>> orientation;
};

Bodies bodies_of(const Archive& frame) {
  const Archive::Entry* position = frame.find("bodies/position");
  if (!position) return {};
  if (position->shape.size() != 2 || position->shape[1] != 3)
    throw IoError("'bodies/position' is not of shape [n, 3]");
  const std::size_t n = position->shape[0];
  const auto optional_rows = [&](const char* name) {
    return frame.find(name) ? rows<3>(frame, name, n) : std::vector<Vec3>(n, Vec3{0, 0, 0});
  };
  return {rows<3>(frame, "bodies/position", n), optional_rows("bodies/velocity"),
          optional_rows("bodies/angular_velocity"), rows<4>(frame, "bodies/orientation", n)};
}

// Values of one <DataArray>, as text.
class Values {
 public:
  void add(double value) { text_ += shortest(value) + " "; }
  void add(std::size_t value) { text_ += std::to_string(value) + " "; }
  void add(const Vec3& value) {
    for (double x : value) add(x);
    text_ += '\n';
  }
  std::string array(const char* type, const char* name, int components) const {
    return fmt::format(
        "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"ascii\">\n{}\n"
        "</DataArray>\n",
        type, name, components, text_);
  }

 private:
  std::string text_;
};

// Cells of one kind: <Verts> or <Polys>. VTK numbers cell data over all kinds, vertices first.
struct Cells {
  Values connectivity, offsets;
  std::size_t count = 0, used = 0;

  void add(const std::vector<std::size_t>& points, std::size_t first) {
    for (std::size_t point : points) connectivity.add(first + point);
    used += points.size();
    offsets.add(used);
    ++count;
  }
  std::string element(const char* name) const {
    return fmt::format("<{0}>\n{1}{2}</{0}>\n", name, connectivity.array("Int64", "connectivity", 1),
                       offsets.array("Int64", "offsets", 1));
  }
};

struct CellData {
  Values body, velocity, angular_velocity;

  void add(const Bodies& bodies, std::size_t i) {
    body.add(i);
    velocity.add(bodies.velocity[i]);
    angular_velocity.add(bodies.angular_velocity[i]);
  }
  std::string element() const {
    return "<CellData>\n" + body.array("Int64", "body", 1) + velocity.array("Float64", "velocity", 3) +
           angular_velocity.array("Float64", "angular_velocity", 3) + "</CellData>\n";
  }
};

struct PolyData {
  Values points;
  std::size_t point_count = 0;
  Cells vertices, polygons;
  CellData data;

  void add(const PolygonMesh& mesh, const Bodies& bodies, std::size_t i) {
    for (const auto& polygon : mesh.polygons) polygons.add(polygon, point_count);
    if (mesh.polygons.empty()) vertices.add({0}, point_count);
    for (const Vec3& point : mesh.points) {
      Vec3 p = rotate(bodies.orientation[i], point);
      for (std::size_t k = 0; k < 3; ++k) p[k] += bodies.position[i][k];
      points.add(p);
    }
    point_count += mesh.points.size();
  }

  std::string document() const {
    return fmt::format(
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
        "<PolyData>\n"
        "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
        "NumberOfPolys=\"{}\">\n{}<Points>\n{}</Points>\n{}{}</Piece>\n</PolyData>\n</VTKFile>\n",
        point_count, vertices.count, polygons.count, data.element(), points.array("Float64", "Points", 3),
        vertices.element("Verts"), polygons.element("Polys"));
  }
};

std::vector<SceneBody> scene_of(const RunReader& run) {
  const auto text = run.text(scene_name);
  return text ? parse_scene(*text, (run.folder() / scene_name).string()).bodies : std::vector<SceneBody>();
}

std::string pvd_of(std::span<const std::pair<double, std::string>> frames) {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
      "byte_order=\"LittleEndian\">\n<Collection>\n";
  for (const auto& [time, file] : frames)
    text += fmt::format("<DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", shortest(time), file);
  return text + "</Collection>\n</VTKFile>\n";
}

}  // namespace

std::string vtp_of(const Archive& frame, std::span<const SceneBody> scene) {
  const Bodies bodies = bodies_of(frame);
  const std::size_t count = bodies.position.size();
  if (!scene.empty() && scene.size() != count)
    throw IoError(fmt::format("a frame of {} bodies, but {} describes {}", count, scene_name, scene.size()));
  PolyData poly;
  std::vector<PolygonMesh> meshes;
  for (std::size_t i = 0; i < count; ++i) {
    meshes.push_back(tessellate(scene.empty() ? SceneBody{} : scene[i]));
    poly.add(meshes.back(), bodies, i);
  }
  for (std::size_t i = 0; i < count; ++i)
    if (meshes[i].polygons.empty()) poly.data.add(bodies, i);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < meshes[i].polygons.size(); ++k) poly.data.add(bodies, i);
  return poly.document();
}

std::size_t export_vtk(const RunReader& run, const std::filesystem::path& folder) {
  const std::vector<SceneBody> scene = scene_of(run);
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) throw IoError(fmt::format("{}: cannot be made: {}", folder.string(), failure.message()));
  std::vector<std::pair<double, std::string>> written;
  for (const SegmentInfo& info : run.segments()) {
    const auto segment = run.read(info);
    if (!segment) continue;
    for (std::size_t i = 0; i < segment->frames(); ++i) {
      const std::string name = fmt::format("frame-{:06}.vtp", written.size());
      write_file_atomically(folder / name, vtp_of(segment->frame(i), scene));
      written.emplace_back(segment->time[i], name);
    }
  }
  write_file_atomically(folder / "frames.pvd", pvd_of(written));
  return written.size();
}

}  // namespace hardpan::record
