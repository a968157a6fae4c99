#include <fmt/core.h>

#include "hardpan/core/text.h"
#include "hardpan/scenario/scalar.h"
#include "hardpan/scenario/value.h"

namespace hardpan::scenario {
namespace {

constexpr std::size_t longest_flow_list = 80;

bool is_scalar(const Value& value) { return !value.is(Value::Type::list) && !value.is(Value::Type::map); }

std::string number_yaml(const Value& value) {
  // Beyond 2^53 the double no longer tells the integer.
  const double x = value.number();
  if (value.is_integer() && x != 0) return std::to_string(value.integer());
  return shortest(x);
}

std::string scalar_yaml(const Value& value) {
  switch (value.type()) {
    case Value::Type::boolean:
      return value.boolean() ? "true" : "false";
    case Value::Type::number:
      return number_yaml(value);
    case Value::Type::text:
      return quoted_if_needed(value.text());
    default:
      return "null";
  }
}

// One line for scalars, empty containers and short lists of scalars; nothing for what needs a block.
std::optional<std::string> one_line(const Value& value) {
  if (is_scalar(value)) return scalar_yaml(value);
  if (value.is(Value::Type::map)) return value.entries().empty() ? std::optional("{}") : std::nullopt;
  std::string line = "[";
  for (const Value& item : value.items()) {
    if (!is_scalar(item) || line.size() > longest_flow_list) return std::nullopt;
    if (line.size() > 1) line += ", ";
    line += scalar_yaml(item);
  }
  return line + "]";
}

void write_block(std::string& out, const Value& value, std::size_t indent);

void write_map(std::string& out, const Value& map, std::size_t indent) {
  for (const Value::Entry& entry : map.entries()) {
    out.append(indent, ' ');
    out += quoted_if_needed(entry.key) + ":";
    if (const auto line = one_line(entry.value)) {
      out += " " + *line + "\n";
    } else {
      out += "\n";
      write_block(out, entry.value, indent + 2);
    }
  }
}

void write_list(std::string& out, const Value& list, std::size_t indent) {
  for (const Value& item : list.items()) {
    const std::size_t start = out.size();
    if (const auto line = one_line(item)) {
      out.append(indent, ' ');
      out += "- " + *line + "\n";
    } else {
      // The block of the item begins on the line of its dash.
      write_block(out, item, indent + 2);
      out[start + indent] = '-';
    }
  }
}

void write_block(std::string& out, const Value& value, std::size_t indent) {
  if (value.is(Value::Type::map))
    write_map(out, value, indent);
  else
    write_list(out, value, indent);
}

}  // namespace

std::string to_yaml(const Value& value) {
  if (const auto line = one_line(value)) return *line + "\n";
  std::string out;
  write_block(out, value, 0);
  return out;
}

}  // namespace hardpan::scenario
