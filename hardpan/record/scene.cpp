#include "hardpan/record/scene.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "hardpan/core/error.h"

namespace hardpan::record {
namespace {

using Json = nlohmann::json;

SceneBody body_of(const Json& object) {
  SceneBody body{object.at("name").get<std::string>(), {}};
  const auto shape = object.find("shape");
  if (shape == object.end() || shape->is_null()) return body;
  const auto kind = shape->at("kind").get<std::string>();
  if (kind == "sphere")
    body.shape = SphereShape{shape->at("radius").get<double>()};
  else if (kind == "box")
    body.shape = BoxShape{shape->at("size").get<std::array<double, 3>>()};
  else if (kind == "cylinder")
    body.shape = CylinderShape{shape->at("radius").get<double>(), shape->at("length").get<double>()};
  return body;
}

}  // namespace

std::vector<SceneBody> parse_scene(const std::string& text, const std::string& where) {
  try {
    std::vector<SceneBody> bodies;
    const Json scene = Json::parse(text);
    for (const Json& object : scene.at("bodies")) bodies.push_back(body_of(object));
    return bodies;
  } catch (const Json::exception& error) {
    throw IoError(fmt::format("{}: not a description of a scene: {}", where, error.what()));
  }
}

}  // namespace hardpan::record
