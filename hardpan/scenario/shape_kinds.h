// Kinds of shape as scenarios know them, and the shapes that they become.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "hardpan/geometry/shape.h"
#include "hardpan/scenario/spec.h"

namespace hardpan::scenario {

Type shape_type();  // of `shape`
Type part_type();   // of an item of `shapes`: solids may have a density of their own

// The resolved shapes of a body, and what messages call them: "bodies.bob.shapes.1".
struct Part {
  const Value* keys;
  std::string path;
};
std::vector<Part> parts_of(const Value& body, const std::string& body_name);

// A file is looked for beside the scenario file that names it; one given by --set, beside the main one.
std::filesystem::path file_beside(const Value& scenario, const Value& file);
// Checksums of all files that the shapes of a resolved scenario name: what its text does not show. InputError
// where one cannot be read.
std::string checksums_of_files(const Value& scenario);

// Reads every file once. InputError, with the place in the scenario, for whatever is wrong in a file.
class ShapeBuilder {
 public:
  explicit ShapeBuilder(const Value& scenario) : scenario_(scenario) {}
  geometry::PlacedShape build(const Part& part);

 private:
  geometry::Shape shape(const Value& keys);
  geometry::Shape from_file(const Value& keys);

  const Value& scenario_;
  std::map<std::string, geometry::Shape> known_;
};

}  // namespace hardpan::scenario
