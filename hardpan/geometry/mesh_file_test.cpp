#include "hardpan/geometry/mesh_file.h"

#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "hardpan/core/error.h"
#include "hardpan/core/file.h"
#include "hardpan/geometry/test_shapes.h"

namespace hardpan::geometry {
namespace {

constexpr const char* square_pyramid = R"(# a pyramid
mtllib stone.mtl
o pyramid
v 0 0 0
v 1 0 0 1.0
v 1 1 0
v 0 1 0
v 0.5 0.5 1
vn 0 0 1
f 4 3 2 1
f 1/1 2/1 5/1
f 2//1 3//1 5//1
s off
f 3/1/1 4/1/1 5/1/1
f -2 -5 -1
)";

std::string stl_text(const TriangleMesh& mesh) {
  std::string text = "solid thing one\n";
  for (const auto& triangle : mesh.triangles) {
    text += "  facet normal 0 0 nan\n    outer loop\n";
    for (std::uint32_t corner : triangle) {
      const Vec3& p = mesh.vertices[corner];
      text += fmt::format("      vertex {} {} {}\n", p.x(), p.y(), p.z());
    }
    text += "    endloop\n  endfacet\n";
  }
  return text + "endsolid thing one\n";
}

void put(std::string& bytes, const void* from, std::size_t size) {
  bytes.append(static_cast<const char*>(from), size);
}

std::string stl_binary(const TriangleMesh& mesh) {
  std::string bytes = "solid, although it is binary";
  bytes.resize(80, ' ');
  const auto count = static_cast<std::uint32_t>(mesh.triangles.size());
  put(bytes, &count, 4);
  for (const auto& triangle : mesh.triangles) {
    bytes.append(12, '\0');
    for (std::uint32_t corner : triangle) {
      const Eigen::Vector3f p = mesh.vertices[corner].cast<float>();
      put(bytes, p.data(), 12);
    }
    bytes.append(2, '\0');
  }
  return bytes;
}

template <class Parser>
std::string refusal(const Parser& parse) {
  try {
    parse();
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

double volume(const TriangleMesh& mesh) { return solid(Mesh{std::make_shared<TriangleMesh>(mesh)}).volume; }

TriangleMesh pyramid() { return mesh_of(parse_obj(square_pyramid, "p.obj"), "p.obj"); }

TEST(MeshFile, ReadsObj) {
  const TriangleMesh mesh = pyramid();
  EXPECT_TRUE(mesh.closed);
  EXPECT_EQ(mesh.vertices.size(), 5u);
  EXPECT_EQ(mesh.triangles.size(), 6u);
  EXPECT_NEAR(volume(mesh), 1.0 / 3, 1e-15);
}

TEST(MeshFile, LineEndsDoNotMatter) {
  std::string windows, mac;
  for (const char* c = square_pyramid; *c; ++c) {
    windows += *c == '\n' ? std::string("\r\n") : std::string(1, *c);
    mac += *c == '\n' ? '\r' : *c;
  }
  EXPECT_EQ(parse_obj(windows, "w").places, parse_obj(square_pyramid, "u").places);
  EXPECT_EQ(parse_obj(mac, "m").places, parse_obj(square_pyramid, "u").places);
}

TEST(MeshFile, StlTextAndBinaryAreOneMesh) {
  const TriangleMesh mesh = pyramid();
  for (const std::string& bytes : {stl_text(mesh), stl_binary(mesh)}) {
    const TriangleMesh read = mesh_of(parse_stl(bytes, "p.stl"), "p.stl");
    EXPECT_TRUE(read.closed);
    EXPECT_EQ(read.vertices.size(), 5u);
    EXPECT_EQ(read.triangles.size(), 6u);
    EXPECT_NEAR(volume(read), 1.0 / 3, 1e-15);
  }
}

TEST(MeshFile, ComesFromTheDisk) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path();
  const auto path = folder / fmt::format("hardpan_mesh_file_test_{}.STL", ::getpid());
  write_file_atomically(path, stl_binary(pyramid()));
  EXPECT_NEAR(volume(read_mesh(path, 2.0)), 8.0 / 3, 1e-14);
  std::filesystem::remove(path);
  EXPECT_THROW(read_mesh(path), IoError);
  EXPECT_NE(refusal([] { read_mesh("a.ply"); }).find("ends in .obj or .stl"), std::string::npos);
}

TEST(MeshFile, MessagesNameTheLine) {
  const auto obj = [](const char* text) {
    return refusal([&] { mesh_of(parse_obj(text, "a.obj"), "a.obj"); });
  };
  EXPECT_EQ(obj("v 0 0\n"), "a.obj:1: a vertex needs three coordinates: v x y z");
  EXPECT_EQ(obj("\n\nv 0 0 nan\n"), "a.obj:3: expected a finite number, found 'nan'");
  EXPECT_EQ(obj("v 0 0 0\nf 1 2\n"), "a.obj:2: a face needs at least three corners");
  EXPECT_EQ(obj("v 0 0 0\nf 1 2 3\n"), "a.obj:2: corner 2: there are 1 vertices up to here, counted from 1");
  EXPECT_EQ(obj("v 0 0 0\nf 0 1 1\n"), "a.obj:2: corner 0: there are 1 vertices up to here, counted from 1");
  EXPECT_EQ(obj("v 0 0 0\nf -2 1 1\n"),
            "a.obj:2: corner -2: there are 1 vertices up to here, counted from 1");
  EXPECT_EQ(obj("v 0 0 0\nf 1x 1 1\n"), "a.obj:2: expected a corner like 7, 7/1, 7//1 or 7/1/1, found '1x'");
  EXPECT_EQ(obj("\x89PNG\n"), "a.obj:1: unknown keyword '?PNG' in an OBJ file");
  EXPECT_EQ(obj("v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n"), "a.obj: the triangle of line 4 has no area");
  EXPECT_EQ(obj(""), "a.obj: a mesh needs at least one triangle");

  const auto stl = [](const std::string& bytes) { return refusal([&] { parse_stl(bytes, "a.stl"); }); };
  EXPECT_EQ(stl("solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 x\n"),
            "a.stl:4: expected a finite number, found 'x'");
  EXPECT_EQ(stl("solid\nfacet normal 0 0 1\n"), "a.stl:2: the file ends where 'outer loop' should come");
  EXPECT_EQ(stl("solid\n"), "a.stl:1: the file ends where 'facet' or 'endsolid' should come");
  EXPECT_EQ(stl("solid\nface\n"), "a.stl:2: expected 'facet normal', found 'face'");
  EXPECT_EQ(stl("ply"),
            "a.stl: no STL file: text begins with 'solid', a binary file has at least 84 bytes, this one 3");
  std::string binary = stl_binary(pyramid());
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(binary.data() + 84 + 50 + 16, &nan, 4);
  EXPECT_EQ(stl(binary), "a.stl: the facet at byte 134 has a corner that is not finite");
  binary[0] = 'x';
  EXPECT_EQ(stl(binary.substr(0, 200)),
            "a.stl: as a binary STL file it should have 384 bytes by its count of facets, it has 200");
}

// Cut anywhere and with bytes changed: a mesh or an InputError, nothing else.
TEST(MeshFile, DamagedFilesAreRefusedOrRead) {
  const TriangleMesh mesh = pyramid();
  const std::string files[] = {square_pyramid, stl_text(mesh), stl_binary(mesh)};
  const CounterRandom random(99);
  std::uint64_t k = 0;
  int refused = 0;
  for (int trial = 0; trial < 6000; ++trial) {
    const std::size_t kind = static_cast<std::size_t>(trial % 3);
    std::string bytes = files[kind];
    if (trial % 2 == 0)
      bytes.resize(static_cast<std::size_t>(random.uniform(k++, 0, static_cast<double>(bytes.size()))));
    for (int change = trial % 5; change > 0 && !bytes.empty(); --change) {
      const auto at = static_cast<std::size_t>(random.uniform(k++, 0, static_cast<double>(bytes.size())));
      bytes[at] = static_cast<char>(random.uniform(k++, 0, 256) - 128);
    }
    try {
      mesh_of(kind == 0 ? parse_obj(bytes, "x") : parse_stl(bytes, "x"), "x");
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace hardpan::geometry
