#include "hardpan/geometry/mesh_file.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <unordered_map>

#include "hardpan/core/file.h"
#include "hardpan/geometry/text_lines.h"

namespace hardpan::geometry {
namespace {

constexpr std::uint64_t largest_file = std::uint64_t{1} << 30;

struct SamePlace {
  bool operator()(const Vec3& a, const Vec3& b) const { return a == b; }
};
struct PlaceHash {
  std::size_t operator()(const Vec3& p) const {
    std::uint64_t h = 0;
    for (Eigen::Index k = 0; k < 3; ++k) {
      h = (h ^ std::bit_cast<std::uint64_t>(p[k] + 0.0)) * 0x9E3779B97F4A7C15u;  // -0 and 0 are one place
      h ^= h >> 29;
    }
    return static_cast<std::size_t>(h);
  }
};

class Welder {
 public:
  explicit Welder(std::vector<Vec3>& vertices) : vertices_(vertices) {}
  std::uint32_t operator()(const Vec3& p) {
    const auto [entry, is_new] = number_.try_emplace(p, static_cast<std::uint32_t>(vertices_.size()));
    if (is_new) vertices_.push_back(p);
    return entry->second;
  }

 private:
  std::vector<Vec3>& vertices_;
  std::unordered_map<Vec3, std::uint32_t, PlaceHash, SamePlace> number_;
};

class ObjReader {
 public:
  ObjReader(std::string_view text, const std::string& name) : lines_(text, name) {}

  MeshText read() {
    while (lines_.next()) {
      const std::string_view key = lines_.words()[0];
      if (key[0] == '#') continue;
      if (lines_.words().back().ends_with('\\')) lines_.fail("lines continued by '\\' are not supported");
      if (key == "v")
        vertex();
      else if (key == "f")
        face();
      else if (std::find(std::begin(skipped), std::end(skipped), key) == std::end(skipped))
        lines_.fail(fmt::format("unknown keyword {} in an OBJ file", TextLines::quoted(key)));
    }
    return std::move(mesh_);
  }

 private:
  static constexpr std::string_view skipped[] = {
      "vt",     "vn",     "g",  "o",     "s",   "l",        "p",        "usemtl",     "mtllib",
      "usemap", "maplib", "mg", "bevel", "lod", "c_interp", "d_interp", "shadow_obj", "trace_obj"};

  void vertex() {
    const auto& words = lines_.words();
    if (words.size() < 4) lines_.fail("a vertex needs three coordinates: v x y z");
    const Vec3 p(lines_.number(words[1]), lines_.number(words[2]), lines_.number(words[3]));
    numbers_.push_back(weld_(p));
  }

  // Corners are v, v/vt, v//vn or v/vt/vn; negative ones count back from the newest vertex.
  std::uint32_t corner(std::string_view word) const {
    const std::string_view first = word.substr(0, word.find('/'));
    std::int64_t index = 0;
    const auto [end, error] = std::from_chars(first.data(), first.data() + first.size(), index);
    if (error != std::errc() || end != first.data() + first.size() ||
        word.find_first_not_of("0123456789-/") != word.npos || std::count(word.begin(), word.end(), '/') > 2)
      lines_.fail(
          fmt::format("expected a corner like 7, 7/1, 7//1 or 7/1/1, found {}", TextLines::quoted(word)));
    const auto count = static_cast<std::int64_t>(numbers_.size());
    const std::int64_t place = index < 0 ? count + index : index - 1;
    if (index == 0 || place < 0 || place >= count)
      lines_.fail(fmt::format("corner {}: there are {} vertices up to here, counted from 1", index, count));
    return numbers_[static_cast<std::size_t>(place)];
  }

  void face() {
    const auto& words = lines_.words();
    if (words.size() < 4) lines_.fail("a face needs at least three corners");
    const std::uint32_t first = corner(words[1]);
    std::uint32_t last = corner(words[2]);
    for (std::size_t k = 3; k < words.size(); ++k) {
      const std::uint32_t next = corner(words[k]);
      mesh_.triangles.push_back({first, last, next});
      mesh_.places.push_back(lines_.line());
      last = next;
    }
  }

  TextLines lines_;
  MeshText mesh_;
  Welder weld_{mesh_.vertices};
  std::vector<std::uint32_t> numbers_;  // welded, of the vertices of the file
};

bool same_word(std::string_view word, std::string_view lower) {
  return std::equal(word.begin(), word.end(), lower.begin(), lower.end(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  });
}

// solid NAME { facet normal x y z, outer loop, vertex x y z three times, endloop, endfacet } endsolid NAME
class StlTextReader {
 public:
  StlTextReader(std::string_view text, const std::string& name) : lines_(text, name) {}

  MeshText read() {
    while (lines_.next()) {
      if (!starts("solid")) lines_.fail("expected 'solid'");
      while (need("'facet' or 'endsolid'"), !starts("endsolid")) facet();
    }
    return std::move(mesh_);
  }

 private:
  bool starts(std::string_view word) const { return same_word(lines_.words()[0], word); }
  void need(const char* what) {
    if (!lines_.next()) lines_.fail(fmt::format("the file ends where {} should come", what));
  }
  void expect(const char* first, const char* second = nullptr) {
    const auto& words = lines_.words();
    if (!starts(first) || (second && (words.size() < 2 || !same_word(words[1], second))))
      lines_.fail(fmt::format("expected '{}{}{}', found {}", first, second ? " " : "", second ? second : "",
                              TextLines::quoted(words[0])));
  }

  void facet() {
    expect("facet", "normal");
    const std::size_t line = lines_.line();
    need("'outer loop'");
    expect("outer", "loop");
    std::array<std::uint32_t, 3> corners{};
    for (std::uint32_t& corner : corners) {
      need("'vertex'");
      expect("vertex");
      const auto& words = lines_.words();
      if (words.size() != 4) lines_.fail("a vertex needs three coordinates: vertex x y z");
      corner = weld_({lines_.number(words[1]), lines_.number(words[2]), lines_.number(words[3])});
    }
    need("'endloop'");
    expect("endloop");
    need("'endfacet'");
    expect("endfacet");
    mesh_.triangles.push_back(corners);
    mesh_.places.push_back(line);
  }

  TextLines lines_;
  MeshText mesh_;
  Welder weld_{mesh_.vertices};
};

// 80 bytes of header, a count, and 50 bytes per facet: 12 floats (the first three a normal) and two bytes,
// little-endian as the machines that we build for.
constexpr std::size_t stl_head = 84, stl_facet = 50;
static_assert(std::endian::native == std::endian::little);

std::uint64_t stl_length(std::string_view bytes) {
  std::uint32_t count = 0;
  std::memcpy(&count, bytes.data() + 80, 4);
  return stl_head + stl_facet * std::uint64_t{count};
}

MeshText read_stl_binary(std::string_view bytes, const std::string& name) {
  MeshText mesh;
  mesh.binary = true;
  Welder weld(mesh.vertices);
  for (std::size_t at = stl_head; at < bytes.size(); at += stl_facet) {
    std::array<float, 12> numbers;
    std::memcpy(numbers.data(), bytes.data() + at, sizeof numbers);
    std::array<std::uint32_t, 3> corners{};
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 p(numbers[3 * k + 3], numbers[3 * k + 4], numbers[3 * k + 5]);
      if (!p.allFinite())
        throw InputError(fmt::format("{}: the facet at byte {} has a corner that is not finite", name, at));
      corners[k] = weld(p);
    }
    mesh.triangles.push_back(corners);
    mesh.places.push_back(at);
  }
  return mesh;
}

std::string ending(const std::filesystem::path& path) {
  std::string text = path.extension().string();
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

}  // namespace

MeshText parse_obj(std::string_view text, const std::string& name) { return ObjReader(text, name).read(); }

MeshText parse_stl(std::string_view bytes, const std::string& name) {
  if (bytes.size() >= stl_head && stl_length(bytes) == bytes.size()) return read_stl_binary(bytes, name);
  const std::size_t start = std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size());
  if (same_word(bytes.substr(start, 5), "solid")) return StlTextReader(bytes, name).read();
  if (bytes.size() < stl_head)
    throw InputError(
        fmt::format("{}: no STL file: text begins with 'solid', a binary file has at least {} "
                    "bytes, this one {}",
                    name, stl_head, bytes.size()));
  throw InputError(
      fmt::format("{}: as a binary STL file it should have {} bytes by its count of facets, it has {}", name,
                  stl_length(bytes), bytes.size()));
}

MeshText read_mesh_text(const std::filesystem::path& path, double scale) {
  const std::string kind = ending(path), name = path.string();
  if (kind != ".obj" && kind != ".stl")
    throw InputError(fmt::format("{}: the name of a mesh file ends in .obj or .stl", name));
  const std::string bytes = read_file(path, largest_file);
  MeshText text = kind == ".obj" ? parse_obj(bytes, name) : parse_stl(bytes, name);
  for (Vec3& p : text.vertices) p *= scale;
  return text;
}

TriangleMesh mesh_of(const MeshText& text, const std::string& name) {
  const auto called = [&](std::size_t i) {
    return fmt::format("the {} {}", text.binary ? "facet at byte" : "triangle of line", text.places[i]);
  };
  try {
    return make_mesh(text.vertices, text.triangles, called);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", name, error.what()));
  }
}

TriangleMesh read_mesh(const std::filesystem::path& path, double scale) {
  return mesh_of(read_mesh_text(path, scale), path.string());
}

}  // namespace hardpan::geometry
