// scene.json: what the bodies of a run look like, in the order of the frames' `bodies/...` arrays.
//   {"format": 1, "bodies": [{"name": "bob", "mass": 2.0, "fixed": false, "shape": {"kind": "sphere",
//   "radius": 0.1}}, ...]}
// Shapes, lengths in m: sphere {radius}, box {size: [x, y, z]}, cylinder {radius, length} along z, or null.
// They are centred at the centre of mass.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hardpan/geometry/shape.h"

namespace hardpan::record {

struct SceneBody {
  std::string name;
  std::optional<geometry::Shape> shape;
  double mass = 0;  // kg
  bool fixed = false;
};

std::string scene_json(std::span<const SceneBody> bodies);

// Shapes of kinds unknown here are left out. IoError, naming `where`, for a malformed text.
std::vector<SceneBody> parse_scene(const std::string& text, const std::string& where);

}  // namespace hardpan::record
