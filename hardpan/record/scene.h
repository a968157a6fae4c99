// scene.json: what a run looks like. Everything that moves is an array of the frames; the scene says how to
// draw it, and names the arrays.
//
//   {"format": 1, "field": "sand/speed" (colours it at first),
//    "bodies": [{"name": "bob", "mass": 2.0, "fixed": false, "shape": {"kind": "sphere", "radius": 0.1}},
//    ...], "joints": [{"name": "pin", "kind": "hinge"}, ...], "spheres": [{"name": "sand", "position":
//    "sand/position", "radius": 0.002 or "sand/radius"}], "surfaces": [{"name": "tire", "position":
//    "tire/position", "triangles": [[0, 1, 2], ...] or "tire/triangles"}], "height_fields": [{"name":
//    "ground", "height": "ground/height", "origin": [x, y], "spacing": [dx, dy]}], "rods": [{"name": "force
//    chains", "ends": "chains/ends", "width": "chains/force"}], "arrows": [{"name":
//    "contact force", "position": "contacts/position", "vector": "contacts/force"}]}
//
// Bodies and joints are in the order of the frames' `bodies/...` and `joints/...` arrays. Shapes, lengths in
// m: sphere {radius}, box {size: [x, y, z]}, cylinder {radius, length} along z, mesh {points: [[x, y, z],
// ...], triangles: [[i, j, k], ...]}, or null. A body of several shapes, or one that is not centred at its
// origin, has `shapes` instead of `shape`: a list of them, each with its place on the body, at: [x, y, z],
// and orientation: [w, x, y, z]. Shapes with ground: true are so large that a camera looks for the others.
// Spheres with orientation: "sand/orientation" (array [n, 4]: w, x, y, z) and axes: [x, y, z] are ellipsoids,
// all of one shape: their semi-axes are the radius times these.
// The height at (origin.x + i dx, origin.y + j dy) is element [j, i]. Rows of an array that hold NaN, and
// triangles with a negative corner, are not there: so the number of contacts may change from frame to frame.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "hardpan/geometry/shape.h"

namespace hardpan::record {

using Triangles = std::vector<std::array<std::int64_t, 3>>;  // counter-clockwise seen from outside

struct SceneMesh {
  std::vector<Vec3> points;  // m
  Triangles triangles;
};

using SceneShape = std::variant<geometry::Sphere, geometry::Box, geometry::Cylinder, SceneMesh>;

struct ScenePart {
  SceneShape shape;
  Pose pose = {};       // in the body frame
  bool ground = false;  // so large that a camera looks for the other things
};

struct SceneBody {
  std::string name;
  std::vector<ScenePart> parts;
  double mass = 0;  // kg
  bool fixed = false;
  bool glass = false;  // can be seen through
};

struct SceneJoint {
  std::string name, kind;
};

struct SceneSpheres {
  std::string name;
  std::string position;                      // array [n, 3], m
  std::variant<double, std::string> radius;  // m, or array [n]
  std::string orientation = {};              // array [n, 4], quaternions; empty: spheres
  Vec3 axes = Vec3::Ones();                  // semi-axes of ellipsoids over their radius
};

struct SceneSurface {
  std::string name;
  std::string position;                            // array [n, 3], m
  std::variant<Triangles, std::string> triangles;  // or array [m, 3]
};

struct SceneHeightField {
  std::string name;
  std::string height;                         // array [rows, columns], m
  std::array<double, 2> origin{}, spacing{};  // m
};

struct SceneArrows {
  std::string name;
  std::string position;  // array [n, 3], m: the tail
  std::string vector;    // array [n, 3]
};

struct SceneRods {
  std::string name;
  std::string ends;   // array [n, 6], m: from, to
  std::string width;  // array [n]: as thick as this, the largest being a small share of the scene
};

struct Scene {
  std::string field = {};  // array that colours it at first; empty: its own colours
  std::vector<SceneBody> bodies;
  std::vector<SceneJoint> joints;
  std::vector<SceneSpheres> spheres;
  std::vector<SceneSurface> surfaces;
  std::vector<SceneHeightField> height_fields;
  std::vector<SceneRods> rods;
  std::vector<SceneArrows> arrows;
};

std::string scene_json(const Scene& scene);

// Shapes of kinds unknown here are left out. IoError, naming `where`, for a malformed text.
Scene parse_scene(const std::string& text, const std::string& where);

}  // namespace hardpan::record
