#include "hardpan/scenario/experiment_parts.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

namespace hardpan::scenario::experiment_parts {

std::string upright_walls(double length, double width, double thickness, double low, double high) {
  const double middle = 0.5 * (low + high), height = high - low;
  std::string text;
  for (const int side : {-1, 1}) {
    text += fmt::format("      - {{kind: box, size: [{}, {}, {}], at: [{}, 0, {}]}}\n", thickness,
                        width + 2 * thickness, height, 0.5 * side * (length + thickness), middle);
    text += fmt::format("      - {{kind: box, size: [{}, {}, {}], at: [0, {}, {}]}}\n", length, thickness,
                        height, 0.5 * side * (width + thickness), middle);
  }
  return text;
}

std::string bin(const std::string& material, double length, double width, double thickness, double height) {
  return fmt::format(
             "bodies:\n  bin:\n    fixed: true\n    material: {}\n    appearance: glass\n    shapes:\n"
             "      - {{kind: box, size: [{}, {}, {}], at: [0, 0, {}]}}\n",
             material, length + 2 * thickness, width + 2 * thickness, thickness, -0.5 * thickness) +
         upright_walls(length, width, thickness, 0, height);
}

std::string without_friction(const std::string& soil, const std::string& walls) {
  std::string text = fmt::format("    materials:\n      {}: {{friction: 0}}\n", soil);
  if (walls != soil) text += fmt::format("      {}: {{friction: 0}}\n", walls);
  return text;
}

double loose_height(double count, double diameter, double length, double width) {
  const double cell = lattice * diameter;
  const double per_layer = std::floor(length / cell * (1 + 1e-9)) * std::floor(width / cell * (1 + 1e-9));
  return (std::ceil(count / std::max(1.0, per_layer)) + 0.5) * cell;
}

// The step of DEM-C.
std::string time(double end, const Surroundings& around) {
  return fmt::format("time: {{end: {}, step: {}}}\n", end, around.rigid ? "1.0e-3" : "1.0e-4");
}

std::string loose_ground(const Value& keys, double length, double width, const Surroundings& around) {
  const double count = static_cast<double>(keys.at("count").integer()), d = keys.at("diameter").number();
  return fmt::format(
      "ground:\n"
      "  model: {}\n"
      "  material: {}\n"
      "  diameter: {}\n"
      "  fill: {{low: [{}, {}, 0], high: [{}, {}, {}], count: {}, spacing: {}}}\n",
      around.rigid ? "grains-complementarity" : "grains-penalty", keys.at("soil").text(), d, -0.5 * length,
      -0.5 * width, 0.5 * length, 0.5 * width, loose_height(count, d, length, width), count, lattice);
}

std::string records(double every, double end) {
  return fmt::format("outputs:\n  - {{field: measure, every: {}}}\n  - {{field: frames, every: {}}}\n", every,
                     std::max(every, end / 30));
}

Field soil(std::string doc) { return field("soil", reference("materials"), std::move(doc)).must(); }
Field walls(std::string doc) { return field("walls", reference("materials"), std::move(doc)).must(); }
Field count() { return field("count", integer().at_least(1), "of grains").must(); }
Field diameter() { return field("diameter", number("m").above(0), "of the grains").must(); }
Field dense() {
  return field("dense", boolean(), "no friction while the soil is prepared").by_default(Value(true));
}
Field settle(double usual) {
  return field("settle", number("s").above(0), "time of preparation").by_default(Value(usual));
}
Field points(std::int64_t usual) {
  return field("points", integer().at_least(8), "rows of the table").by_default(Value(usual));
}

}  // namespace hardpan::scenario::experiment_parts
