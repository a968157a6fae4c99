// Meshes and points from Wavefront OBJ and STL files. Whatever the bytes, the answer is a sound mesh or an
// InputError that names the file and the line (text) or byte (binary STL).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "hardpan/geometry/triangle_mesh.h"

namespace hardpan::geometry {

// What a file says, before anybody asks whether it is a surface. Vertices at exactly the same place are one.
struct MeshText {
  std::vector<Vec3> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::vector<std::size_t> places;  // of the triangles: lines, or bytes
  bool binary = false;
};

// OBJ: `v` and `f` count, polygons are fanned from their first corner, so they must be convex; groups,
// normals, textures and materials are skipped.
MeshText parse_obj(std::string_view text, const std::string& name);
// STL, text or binary, told apart by its length. Normals are not read: the order of the corners tells.
MeshText parse_stl(std::string_view bytes, const std::string& name);

// By the ending of its name, .obj or .stl; lengths are multiplied by `scale`.
MeshText read_mesh_text(const std::filesystem::path& path, double scale = 1);
TriangleMesh read_mesh(const std::filesystem::path& path, double scale = 1);

TriangleMesh mesh_of(const MeshText& text, const std::string& name);

}  // namespace hardpan::geometry
