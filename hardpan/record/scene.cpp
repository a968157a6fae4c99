#include "hardpan/record/scene.h"

#include <optional>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "hardpan/core/error.h"
#include "hardpan/record/json_text.h"

namespace hardpan::record {
namespace {

using Json = nlohmann::ordered_json;

struct ShapeWriter {
  Json operator()(const geometry::Sphere& s) const { return {{"kind", "sphere"}, {"radius", s.radius}}; }
  Json operator()(const geometry::Box& b) const {
    return {{"kind", "box"}, {"size", {b.size.x(), b.size.y(), b.size.z()}}};
  }
  Json operator()(const geometry::Cylinder& c) const {
    return {{"kind", "cylinder"}, {"radius", c.radius}, {"length", c.length}};
  }
  Json operator()(const SceneMesh& mesh) const {
    Json points = Json::array();
    for (const Vec3& p : mesh.points) points.push_back({p.x(), p.y(), p.z()});
    return {{"kind", "mesh"}, {"points", std::move(points)}, {"triangles", mesh.triangles}};
  }
};

SceneMesh read_mesh(const Json& shape) {
  SceneMesh mesh;
  for (const Json& point : shape.at("points")) {
    const auto p = point.get<std::array<double, 3>>();
    mesh.points.emplace_back(p[0], p[1], p[2]);
  }
  mesh.triangles = shape.at("triangles").get<Triangles>();
  const auto count = static_cast<std::int64_t>(mesh.points.size());
  for (const auto& triangle : mesh.triangles)
    for (std::int64_t corner : triangle)
      if (corner < 0 || corner >= count)
        throw IoError(fmt::format("a triangle names point {} of {}", corner, count));
  return mesh;
}

std::optional<SceneShape> read_shape(const Json& shape) {
  if (shape.is_null()) return std::nullopt;
  const auto number = [&](const char* key) { return shape.at(key).get<double>(); };
  const auto kind = shape.at("kind").get<std::string>();
  if (kind == "sphere") return geometry::Sphere{number("radius")};
  if (kind == "box") {
    const auto size = shape.at("size").get<std::array<double, 3>>();
    return geometry::Box{{size[0], size[1], size[2]}};
  }
  if (kind == "cylinder") return geometry::Cylinder{number("radius"), number("length")};
  if (kind == "mesh") return read_mesh(shape);
  return std::nullopt;
}

std::string word(const Json& object, const char* key) { return object.at(key).get<std::string>(); }

bool is_identity(const Pose& pose) {
  return pose.x.isZero(0) && pose.q.coeffs() == Quat::Identity().coeffs();
}

Json shape_json(const ScenePart& part) {
  Json json = std::visit(ShapeWriter{}, part.shape);
  if (part.ground) json["ground"] = true;
  return json;
}
Json to_json(const ScenePart& part) {
  Json json = shape_json(part);
  const Quat& q = part.pose.q;
  json["at"] = {part.pose.x.x(), part.pose.x.y(), part.pose.x.z()};
  json["orientation"] = {q.w(), q.x(), q.y(), q.z()};
  return json;
}
void read_part(const Json& object, SceneBody& body) {
  const std::optional<SceneShape> shape = read_shape(object);
  if (!shape) return;
  const auto x = object.value("at", std::array<double, 3>{});
  const auto q = object.value("orientation", std::array<double, 4>{1, 0, 0, 0});
  body.parts.push_back(
      {*shape, {{x[0], x[1], x[2]}, Quat(q[0], q[1], q[2], q[3])}, object.value("ground", false)});
}

Json to_json(const SceneBody& body) {
  Json json = {{"name", body.name}, {"mass", body.mass}, {"fixed", body.fixed}};
  if (body.glass) json["glass"] = true;
  if (body.parts.empty()) {
    json["shape"] = Json();
  } else if (body.parts.size() == 1 && is_identity(body.parts[0].pose)) {
    json["shape"] = shape_json(body.parts[0]);
  } else {
    json["shapes"] = Json::array();
    for (const ScenePart& part : body.parts) json["shapes"].push_back(to_json(part));
  }
  return json;
}
void read(const Json& object, SceneBody& body) {
  body = {word(object, "name"),
          {},
          object.value("mass", 0.0),
          object.value("fixed", false),
          object.value("glass", false)};
  read_part(object.value("shape", Json()), body);
  for (const Json& part : object.value("shapes", Json::array())) read_part(part, body);
}

Json to_json(const SceneJoint& joint) { return {{"name", joint.name}, {"kind", joint.kind}}; }
void read(const Json& object, SceneJoint& joint) { joint = {word(object, "name"), word(object, "kind")}; }

Json to_json(const SceneSpheres& spheres) {
  Json json = {{"name", spheres.name},
               {"position", spheres.position},
               {"radius", std::visit([](const auto& r) { return Json(r); }, spheres.radius)}};
  if (!spheres.orientation.empty()) {
    json["orientation"] = spheres.orientation;
    json["axes"] = {spheres.axes.x(), spheres.axes.y(), spheres.axes.z()};
  }
  return json;
}
void read(const Json& object, SceneSpheres& spheres) {
  const auto axes = object.value("axes", std::array<double, 3>{1, 1, 1});
  spheres = {word(object, "name"),
             word(object, "position"),
             0.0,
             object.value("orientation", ""),
             {axes[0], axes[1], axes[2]}};
  if (object.at("radius").is_string())
    spheres.radius = word(object, "radius");
  else
    spheres.radius = object.at("radius").get<double>();
}

Json to_json(const SceneSurface& surface) {
  return {{"name", surface.name},
          {"position", surface.position},
          {"triangles", std::visit([](const auto& t) { return Json(t); }, surface.triangles)}};
}
void read(const Json& object, SceneSurface& surface) {
  surface = {word(object, "name"), word(object, "position"), {}};
  if (object.at("triangles").is_string())
    surface.triangles = word(object, "triangles");
  else
    surface.triangles = object.at("triangles").get<Triangles>();
}

Json to_json(const SceneHeightField& field) {
  return {
      {"name", field.name}, {"height", field.height}, {"origin", field.origin}, {"spacing", field.spacing}};
}
void read(const Json& object, SceneHeightField& field) {
  field = {word(object, "name"), word(object, "height"), object.at("origin").get<std::array<double, 2>>(),
           object.at("spacing").get<std::array<double, 2>>()};
}

Json to_json(const SceneRods& rods) {
  return {{"name", rods.name}, {"ends", rods.ends}, {"width", rods.width}};
}
void read(const Json& object, SceneRods& rods) {
  rods = {word(object, "name"), word(object, "ends"), word(object, "width")};
}

Json to_json(const SceneArrows& arrows) {
  return {{"name", arrows.name}, {"position", arrows.position}, {"vector", arrows.vector}};
}
void read(const Json& object, SceneArrows& arrows) {
  arrows = {word(object, "name"), word(object, "position"), word(object, "vector")};
}

// Calls visit(key, list) for every list of a scene; bodies are always there, other lists when they hold
// anything.
template <class SceneType, class Visitor>
void each_list(SceneType& scene, Visitor&& visit) {
  visit("bodies", scene.bodies);
  visit("joints", scene.joints);
  visit("spheres", scene.spheres);
  visit("surfaces", scene.surfaces);
  visit("height_fields", scene.height_fields);
  visit("rods", scene.rods);
  visit("arrows", scene.arrows);
}

}  // namespace

std::string scene_json(const Scene& scene) {
  Json json = {{"format", 1}};
  if (!scene.field.empty()) json["field"] = scene.field;
  each_list(scene, [&](const char* key, const auto& list) {
    if (list.empty() && std::string_view(key) != "bodies") return;
    json[key] = Json::array();
    for (const auto& thing : list) json[key].push_back(to_json(thing));
  });
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Scene parse_scene(const std::string& text, const std::string& where) {
  const Json json = parse_json(text, where);
  try {
    json.at("bodies");  // what is no scene has none
    Scene scene;
    scene.field = json.value("field", "");
    each_list(scene, [&](const char* key, auto& list) {
      if (!json.contains(key)) return;
      for (const Json& object : json[key]) read(object, list.emplace_back());
    });
    return scene;
  } catch (const Json::exception& error) {
    throw IoError(fmt::format("{}: not a description of a scene: {}", where, error.what()));
  } catch (const IoError& error) {
    throw IoError(fmt::format("{}: not a description of a scene: {}", where, error.what()));
  }
}

}  // namespace hardpan::record
