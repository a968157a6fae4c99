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
  void add(std::int64_t value) { text_ += std::to_string(value) + " "; }
  void add(const Vec3& value) {
    for (double x : value) add(x);
    text_ += '\n';
  }
  std::string array(const char* type, std::string_view name, std::size_t components) const {
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

  std::string document(const std::string& data_element) const {
    return fmt::format(
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
        "<PolyData>\n"
        "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
        "NumberOfPolys=\"{}\">\n{}<Points>\n{}</Points>\n{}{}</Piece>\n</PolyData>\n</VTKFile>\n",
        point_count, vertices.count, polygons.count, data_element, points.array("Float64", "Points", 3),
        vertices.element("Verts"), polygons.element("Polys"));
  }
};

// As a <DataArray> with one row per point.
std::string point_array(const Archive::Entry& entry, std::string_view name) {
  Values text;
  std::visit(
      [&](const auto& values) {
        for (const auto value : values) text.add(value);
      },
      entry.values);
  const bool whole = std::holds_alternative<std::vector<std::int64_t>>(entry.values);
  return text.array(whole ? "Int64" : "Float64", name, entry.shape.size() > 1 ? entry.shape[1] : 1);
}

Scene scene_of(const RunReader& run) {
  const auto text = run.text(scene_name);
  return text ? parse_scene(*text, (run.folder() / scene_name).string()) : Scene();
}

struct Piece {
  double time;
  std::size_t part;
  std::string file;
};

std::string pvd_of(std::span<const Piece> pieces) {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
      "byte_order=\"LittleEndian\">\n<Collection>\n";
  for (const auto& [time, part, file] : pieces)
    text += fmt::format("<DataSet timestep=\"{}\" part=\"{}\" file=\"{}\"/>\n", shortest(time), part, file);
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
  return poly.document(poly.data.element());
}

std::string vtp_of_spheres(const Archive& frame, const SceneSpheres& spheres) {
  const Archive::Entry* position = frame.find(spheres.position);
  if (!position || position->shape.size() != 2 || position->shape[1] != 3)
    throw IoError(fmt::format("a frame without positions '{}' of shape [n, 3]", spheres.position));
  PolyData poly;
  poly.point_count = position->shape[0];
  for (const Vec3& point : rows<3>(frame, spheres.position.c_str(), poly.point_count)) poly.points.add(point);
  for (std::size_t i = 0; i < poly.point_count; ++i) poly.vertices.add({0}, i);
  std::string data;
  if (const double* radius = std::get_if<double>(&spheres.radius)) {
    Values same;
    for (std::size_t i = 0; i < poly.point_count; ++i) same.add(*radius);
    data += same.array("Float64", "radius", 1);
  }
  const std::string group = spheres.position.substr(0, spheres.position.rfind('/') + 1);
  for (const Archive::Entry& entry : frame.entries())
    if (entry.name.starts_with(group) && &entry != position && !entry.shape.empty() &&
        entry.shape.size() <= 2 && entry.shape[0] == poly.point_count)
      data += point_array(entry, std::string_view(entry.name).substr(group.size()));
  return poly.document("<PointData>\n" + data + "</PointData>\n");
}

std::size_t export_vtk(const RunReader& run, const std::filesystem::path& folder) {
  const Scene scene = scene_of(run);
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) throw IoError(fmt::format("{}: cannot be made: {}", folder.string(), failure.message()));
  std::vector<Piece> written;
  std::size_t frames = 0;
  for (const SegmentInfo& info : run.segments()) {
    const auto segment = run.read(info);
    if (!segment) continue;
    for (std::size_t i = 0; i < segment->frames(); ++i, ++frames) {
      const Archive frame = segment->frame(i);
      const auto write = [&](std::size_t part, const std::string& name, const std::string& text) {
        write_file_atomically(folder / name, text);
        written.push_back({segment->time[i], part, name});
      };
      write(0, fmt::format("frame-{:06}.vtp", frames), vtp_of(frame, scene.bodies));
      for (std::size_t k = 0; k < scene.spheres.size(); ++k)
        write(k + 1, fmt::format("frame-{:06}-{}.vtp", frames, k + 1),
              vtp_of_spheres(frame, scene.spheres[k]));
    }
  }
  write_file_atomically(folder / "frames.pvd", pvd_of(written));
  return frames;
}

}  // namespace hardpan::record
