#include "hardpan/scenario/shape_kinds.h"

#include <fmt/core.h>

#include "hardpan/core/file.h"
#include "hardpan/core/hash.h"
#include "hardpan/core/text.h"
#include "hardpan/geometry/height_grid.h"
#include "hardpan/geometry/mesh_file.h"
#include "hardpan/geometry/polyhedron.h"
#include "hardpan/scenario/numbers.h"
#include "hardpan/scenario/placement.h"
#include "hardpan/scenario/solid_region.h"

namespace hardpan::scenario {
namespace {

Field radius() { return field("radius", number("m").above(0), "radius").must(); }
Field length(const char* doc) { return field("length", number("m").above(0), doc).must(); }
Field file(const char* doc) { return field("file", text().not_empty(), doc); }
Field scale() {
  return field("scale", number().above(0), "what the file gives is multiplied by it: 0.001 for millimetres")
      .by_default(Value(1));
}

std::vector<Object> solids() {
  return {
      {"sphere", "A ball around its origin.", {radius()}},
      {"box",
       "A box around its origin.",
       {field("size", vector(3, "m").above(0), "full edge lengths along x, y, z").must()}},
      {"cylinder", "A cylinder around its origin, along z.", {radius(), length("length along z")}},
      {"capsule",
       "A cylinder along z with half balls on its ends, around its origin.",
       {radius(), length("of the cylinder, without the caps")}},
      {"cone",
       "A cone along z, its origin in the centre of mass: the base at -height/4, the tip at 3/4 height.",
       {radius(), field("height", number("m").above(0), "from base to tip").must()}},
      {"ellipsoid",
       "An ellipsoid around its origin.",
       {field("radii", vector(3, "m").above(0), "half axes along x, y, z").must()}},
      {.name = "hull",
       .doc = "The convex hull of points.",
       .fields = {field("points", list_of(vector(3, "m"), 4), "that it spans"),
                  file(".obj or .stl: the hull of its vertices; relative to the scenario file"), scale()},
       .groups = {exactly_one({{"points"}, {"file", "scale"}}), needs("scale", {"file"})}},
      {"mesh",
       "A surface of triangles. Closed it is a solid; open it is a ground, which only a fixed body can be.",
       {file(".obj or .stl, corners counterclockwise seen from outside; relative to the scenario file")
            .must(),
        scale()}},
  };
}

std::vector<Object> grounds() {
  return {
      {.name = "height-field",
       .doc =
           "Heights over a grid in its x-y plane, from its origin on, solid below; two triangles per cell, "
           "split from the low corner to the high one. Only for fixed bodies.",
       .fields =
           {field("spacing", vector(2, "m").above(0), "[dx, dy] between heights; a .asc file brings its own"),
            field("heights", list_of(list_of(number("m"), 2), 2), "rows along x, the first one at y = 0"),
            file("of numbers, a line per row as in heights; or an ESRI ASCII grid, whose rows run from north "
                 "to south; relative to the scenario file")},
       .groups = {exactly_one({{"heights"}, {"file"}}), needs("heights", {"spacing"})}},
      {.name = "plane", .doc = "Everything below z = 0 of its frame. Only for fixed bodies.", .fields = {}},
  };
}

Type placed(bool parts) {
  const Field density = field("density", number("kg/m^3").above(0), "of this part, instead of the body's");
  std::vector<Object> all = solids();
  for (Object& kind : all)
    if (parts) kind.fields.push_back(density);
  for (Object& kind : grounds()) all.push_back(std::move(kind));
  for (Object& kind : all) kind.fields = std::move(kind.fields) + placement_fields();
  return kinds("shape", std::move(all));
}

geometry::Shape height_field(const std::vector<std::vector<double>>& rows, double dx, double dy) {
  return geometry::HeightField{
      std::make_shared<const geometry::HeightGrid>(geometry::make_height_grid(rows, dx, dy))};
}

geometry::Shape hull(const std::vector<Vec3>& points) {
  return geometry::Hull{std::make_shared<const geometry::Polyhedron>(geometry::convex_hull(points))};
}

geometry::Shape height_field_of_file(const Value& keys, const std::filesystem::path& path) {
  const geometry::HeightText text = geometry::read_heights(path);
  const Value* spacing = keys.find("spacing");
  if (text.cell_size > 0 && spacing)
    throw InputError(fmt::format("{}: brings its spacing along, {} m: that of the scenario would be ignored",
                                 path.string(), shortest(text.cell_size)));
  if (text.cell_size > 0) return height_field(text.rows, text.cell_size, text.cell_size);
  if (!spacing)
    throw InputError(fmt::format("{}: does not say its spacing: give spacing: [dx, dy]", path.string()));
  return height_field(text.rows, spacing->items()[0].number(), spacing->items()[1].number());
}

}  // namespace

Type shape_type() { return placed(false); }
Type part_type() { return placed(true); }

std::vector<Part> parts_of(const Value& body, const std::string& body_name) {
  std::vector<Part> parts;
  if (const Value* shape = body.find("shape"))
    parts.push_back({shape, fmt::format("bodies.{}.shape", body_name)});
  if (const Value* shapes = body.find("shapes"))
    for (std::size_t i = 0; i < shapes->items().size(); ++i)
      parts.push_back({&shapes->items()[i], fmt::format("bodies.{}.shapes.{}", body_name, i)});
  return parts;
}

std::filesystem::path file_beside(const Value& scenario, const Value& file) {
  const Place& place = file.place().line > 0 ? file.place() : scenario.place();
  const std::filesystem::path from =
      place.file ? std::filesystem::path(*place.file) : std::filesystem::path();
  return (from.parent_path() / file.text()).lexically_normal();
}

std::string checksums_of_files(const Value& scenario) {
  std::string sums;
  const auto add = [&](const std::vector<Part>& parts) {
    for (const Part& part : parts) {
      const Value* file = part.keys->find("file");
      if (!file) continue;
      try {
        sums += checksum(read_file(file_beside(scenario, *file))) + "\n";
      } catch (const IoError& error) {
        throw InputError(file->mark(), fmt::format("{}.file: {}", part.path, error.what()));
      }
    }
  };
  for (const Value::Entry& body : scenario.at("bodies").entries()) add(parts_of(body.value, body.key));
  if (const Value* solid = scenario.find("solid")) add(solid_parts(*solid));
  return sums;
}

geometry::PlacedShape ShapeBuilder::build(const Part& part) {
  try {
    return {shape(*part.keys), placement(*part.keys)};
  } catch (const InputError& error) {
    const Value* file = part.keys->find("file");
    throw InputError((file ? *file : *part.keys).mark(),
                     fmt::format("{}{}: {}", part.path, file ? ".file" : "", error.what()));
  } catch (const IoError& error) {
    throw InputError(part.keys->at("file").mark(), fmt::format("{}.file: {}", part.path, error.what()));
  }
}

geometry::Shape ShapeBuilder::shape(const Value& keys) {
  const std::string& kind = keys.at("kind").text();
  const auto number = [&](const char* key) { return keys.at(key).number(); };
  if (kind == "sphere") return geometry::Sphere{number("radius")};
  if (kind == "box") return geometry::Box{vec3(keys.at("size"))};
  if (kind == "cylinder") return geometry::Cylinder{number("radius"), number("length")};
  if (kind == "capsule") return geometry::Capsule{number("radius"), number("length")};
  if (kind == "cone") return geometry::Cone{number("radius"), number("height")};
  if (kind == "ellipsoid") return geometry::Ellipsoid{vec3(keys.at("radii"))};
  if (kind == "plane") return geometry::Plane{};
  if (keys.find("file")) return from_file(keys);
  if (kind == "hull") {
    std::vector<Vec3> points;
    for (const Value& point : keys.at("points").items()) points.push_back(vec3(point));
    return hull(points);
  }
  if (kind == "height-field") {
    std::vector<std::vector<double>> rows;
    for (const Value& row : keys.at("heights").items()) {
      rows.emplace_back();
      for (const Value& height : row.items()) rows.back().push_back(height.number());
    }
    const auto& spacing = keys.at("spacing").items();
    return height_field(rows, spacing[0].number(), spacing[1].number());
  }
  HARDPAN_CHECK(false, "no builder for shape kind " + kind);
}

geometry::Shape ShapeBuilder::from_file(const Value& keys) {
  const std::filesystem::path path = file_beside(scenario_, keys.at("file"));
  const std::string& kind = keys.at("kind").text();
  if (kind == "height-field") return height_field_of_file(keys, path);
  const double factor = keys.at("scale").number();
  const std::string name = fmt::format("{} {} {}", kind, shortest(factor), path.string());
  const auto found = known_.find(name);
  if (found != known_.end()) return found->second;
  const geometry::Shape made =
      kind == "hull" ? hull(geometry::read_mesh_text(path, factor).vertices)
                     : geometry::Shape(geometry::Mesh{std::make_shared<const geometry::TriangleMesh>(
                           geometry::read_mesh(path, factor))});
  return known_.emplace(name, made).first->second;
}

}  // namespace hardpan::scenario
