#include "hardpan/record/scene.h"

#include <array>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "hardpan/core/error.h"

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
};

std::optional<geometry::Shape> read_shape(const Json& shape) {
  if (shape.is_null()) return std::nullopt;
  const auto number = [&](const char* key) { return shape.at(key).get<double>(); };
  const auto kind = shape.at("kind").get<std::string>();
  if (kind == "sphere") return geometry::Sphere{number("radius")};
  if (kind == "box") {
    const auto size = shape.at("size").get<std::array<double, 3>>();
    return geometry::Box{{size[0], size[1], size[2]}};
  }
  if (kind == "cylinder") return geometry::Cylinder{number("radius"), number("length")};
  return std::nullopt;
}

SceneBody read_body(const Json& object) {
  return {object.at("name").get<std::string>(), read_shape(object.value("shape", Json())),
          object.value("mass", 0.0), object.value("fixed", false)};
}

}  // namespace

std::string scene_json(std::span<const SceneBody> bodies) {
  Json list = Json::array();
  for (const SceneBody& body : bodies)
    list.push_back({{"name", body.name},
                    {"mass", body.mass},
                    {"fixed", body.fixed},
                    {"shape", body.shape ? std::visit(ShapeWriter{}, *body.shape) : Json()}});
  return Json{{"format", 1}, {"bodies", list}}.dump(2) + "\n";
}

std::vector<SceneBody> parse_scene(const std::string& text, const std::string& where) {
  try {
    std::vector<SceneBody> bodies;
    const Json scene = Json::parse(text);
    for (const Json& object : scene.at("bodies")) bodies.push_back(read_body(object));
    return bodies;
  } catch (const Json::exception& error) {
    throw IoError(fmt::format("{}: not a description of a scene: {}", where, error.what()));
  }
}

}  // namespace hardpan::record
