#include "hardpan/scenario/experiment_parts.h"

#include <algorithm>

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

std::string without_friction(const std::string& soil, const std::string& walls) {
  std::string text = fmt::format("    materials:\n      {}: {{friction: 0}}\n", soil);
  if (walls != soil) text += fmt::format("      {}: {{friction: 0}}\n", walls);
  return text;
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
