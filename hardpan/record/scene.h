// scene.json: what the bodies of a run look like, in the order of the frames' `bodies/...` arrays.
//   {"bodies": [{"name": "bob", "shape": {"kind": "sphere", "radius": 0.1}}, ...]}
// Shapes, lengths in m: sphere {radius}, box {size: [x, y, z]}, cylinder {radius, length} along z, or null.
// They are centred at the centre of mass.
#pragma once

#include <array>
#include <string>
#include <variant>
#include <vector>

namespace hardpan::record {

struct SphereShape {
  double radius;
};
struct BoxShape {
  std::array<double, 3> size;
};
struct CylinderShape {
  double radius, length;
};

struct SceneBody {
  std::string name;
  std::variant<std::monostate, SphereShape, BoxShape, CylinderShape> shape;
};

// Shapes of kinds unknown here are shown as points. IoError, naming `where`, for a malformed text.
std::vector<SceneBody> parse_scene(const std::string& text, const std::string& where);

}  // namespace hardpan::record
