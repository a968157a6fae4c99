#include <charconv>
#include <vector>

#include <fmt/core.h>

#include "hardpan/scenario/source_text.h"
#include "hardpan/scenario/yaml_reader.h"

namespace hardpan::scenario {
namespace {

std::vector<std::string> split_path(std::string_view path) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t dot = path.find('.');
    parts.emplace_back(path.substr(0, dot));
    if (dot == std::string_view::npos) return parts;
    path.remove_prefix(dot + 1);
  }
}

Value& list_item(Value& list, const std::string& index, const SourceMark& mark) {
  std::size_t i = 0;
  const auto result = std::from_chars(index.data(), index.data() + index.size(), i);
  if (result.ec != std::errc() || result.ptr != index.data() + index.size() || i >= list.items().size())
    throw InputError(mark, fmt::format("'{}' is not an index of a list of {} (they count from 0)", index,
                                       list.items().size()));
  return list.items()[i];
}

Value& step_into(Value& value, const std::string& part, const Place& place) {
  if (value.is(Value::Type::list)) return list_item(value, part, place.mark());
  if (!value.is(Value::Type::map))
    throw InputError(place.mark(), fmt::format("'{}' cannot be set inside {}: only maps and lists have parts",
                                               part, describe_found(value)));
  if (Value* present = value.find(part)) return *present;
  Value created = Value::map();
  created.set_place(place);
  return value.set(part, std::move(created), place);
}

}  // namespace

void apply_override(Value& root, std::string_view assignment) {
  const std::string name = fmt::format("--set {}", assignment.substr(0, 80));
  const Place place{std::make_shared<const std::string>(name), 0, 0};
  check_source_text(assignment, name);
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos || equals == 0)
    throw InputError(place.mark(), "expected path=value, for example time.end=2.5");
  const std::vector<std::string> path = split_path(assignment.substr(0, equals));
  if (path.size() > max_nesting)
    throw InputError(place.mark(), fmt::format("deeper than the allowed {} levels", max_nesting));
  for (const std::string& part : path)
    if (part.empty() || part.size() > max_key_bytes)
      throw InputError(place.mark(), "the path has an empty or overlong part: expected keys joined by dots");
  Value value = parse_flow_value(assignment.substr(equals + 1), name);
  Value* target = &root;
  for (const std::string& part : path) target = &step_into(*target, part, place);
  *target = std::move(value);
}

}  // namespace hardpan::scenario
