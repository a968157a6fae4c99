#include "hardpan/scenario/doc_sections.h"

#include <algorithm>

#include <fmt/core.h>

#include "hardpan/core/text.h"
#include "hardpan/scenario/field_table.h"

namespace hardpan::scenario {
namespace {

std::string with_unit(std::string text, const std::string& unit) {
  return unit.empty() ? text : text + ", " + unit;
}

std::string counts_text(const std::vector<std::size_t>& counts) {
  std::vector<std::string> words;
  for (std::size_t count : counts) words.push_back(std::to_string(count));
  return join(words, " or ");
}

std::string list_text(const Type& type, const std::string& element) {
  const bool fixed = type.max_count > 0 && type.min_count == type.max_count;
  const std::string count = fixed ? fmt::format(" {}", type.min_count) : "";
  return fmt::format("list of{} {}", count, element);
}

std::string type_text(const Type& type) {
  switch (type.kind) {
    case Type::Kind::number:
      return with_unit("number", type.unit);
    case Type::Kind::angle:
      return "number, deg or rad";
    case Type::Kind::integer:
      return with_unit("whole number", type.unit);
    case Type::Kind::boolean:
      return "true or false";
    case Type::Kind::text:
      return type.refers_to.empty() ? "text" : "name";
    case Type::Kind::choice:
      return "word";
    case Type::Kind::vector:
      return with_unit(counts_text(type.counts) + " numbers", type.unit);
    case Type::Kind::list:
      return list_text(type, type_text(*type.element));
    case Type::Kind::map:
      return "map: name to " + type_text(*type.element);
    case Type::Kind::object:
    case Type::Kind::kinds:
    case Type::Kind::patch:
      break;
  }
  return type.noun();
}

std::string range_text(const Range& range) {
  if (range.any()) return {};
  if (range.low && range.high && *range.low == *range.high) return shortest(*range.low);
  if (range.low && range.high && !range.low_open && !range.high_open)
    return fmt::format("{} to {}", shortest(*range.low), shortest(*range.high));
  std::vector<std::string> limits;
  if (range.low) limits.push_back((range.low_open ? "> " : ">= ") + shortest(*range.low));
  if (range.high) limits.push_back((range.high_open ? "< " : "<= ") + shortest(*range.high));
  return join(limits);
}

std::string reference_text(const Type& type) {
  std::vector<std::string> words = type.words;
  words.insert(words.begin(), "name in " + type.refers_to);
  return join(words, " or ");
}

std::string kinds_text(const Type& type) {
  std::vector<std::string> words;
  for (const Object& variant : type.objects) words.push_back(variant.name);
  return "kind: " + join(words, " | ");
}

// Long lists of words stand in a table of their own.
std::string words_text(const Type& type) {
  constexpr std::size_t longest = 12;
  return type.words.size() <= longest ? join(type.words, " | ") : "see fields";
}

std::string allowed_text(const Type& type) {
  const Type& inner = type.innermost();
  std::vector<std::string> limits;
  if (!inner.range.any()) limits.push_back(range_text(inner.range));
  if (inner.kind == Type::Kind::choice) limits.push_back(words_text(inner));
  if (inner.kind == Type::Kind::kinds) limits.push_back(kinds_text(inner));
  if (!inner.refers_to.empty()) limits.push_back(reference_text(inner));
  if (inner.nonzero) limits.push_back("not zero");
  if (inner.nonempty) limits.push_back("not empty");
  if (type.distinct) limits.push_back("all different");
  return join(limits, "; ");
}

std::string value_text(const Value& value) {
  std::string yaml = to_yaml(value);
  yaml.pop_back();
  std::replace(yaml.begin(), yaml.end(), '\n', ' ');
  return yaml;
}

std::string default_text(const Field& field) {
  if (field.required) return "required";
  std::string words = field.default_value ? value_text(*field.default_value) : "";
  if (const auto& when = field.default_when)
    words += fmt::format("; {} if '{}' is {}", value_text(when->value), when->key,
                         when->word.empty() ? "given" : when->word);
  return words;
}

DocRow row_of(const Field& field) {
  const std::string keys = field.explained_at.empty() ? "" : "; keys as in " + field.explained_at;
  return {field.shown(), type_text(field.type), default_text(field), allowed_text(field.type),
          field.doc + keys};
}

DocRow header() { return {"key", "type", "default", "allowed", "meaning"}; }

void append(std::vector<DocSection>& sections, std::vector<DocSection> more) {
  for (DocSection& section : more) sections.push_back(std::move(section));
}

DocSection section_of_object(const Object& object, const std::string& title) {
  DocSection section{title, object.doc, header(), {}, {}};
  for (const Field& field : object.fields) section.rows.push_back(row_of(field));
  for (const Group& group : object.groups) section.rules.push_back(group_text(object, group));
  return section;
}

std::vector<DocSection> sections_of_type(const Type& type, const std::string& title);

std::vector<DocSection> nested_sections(const Object& object, const std::string& title) {
  std::vector<DocSection> sections;
  for (const Field& field : object.fields)
    if (!field.type.innermost().objects.empty() && field.explained_at.empty())
      append(sections, sections_of_field(field, title + "." + field.name));
  return sections;
}

// Nothing for types without keys of their own.
std::vector<DocSection> sections_of_type(const Type& type, const std::string& title) {
  const Type& inner = type.innermost();
  std::vector<DocSection> sections;
  if (inner.kind == Type::Kind::object) {
    sections.push_back(section_of_object(inner.objects.front(), title));
    append(sections, nested_sections(inner.objects.front(), title));
  }
  if (inner.kind == Type::Kind::kinds)
    for (const Object& variant : inner.objects)
      append(sections, sections_of_kind(inner, variant, title + "." + variant.name));
  return sections;
}

}  // namespace

std::vector<DocSection> sections_of_kind(const Type& family, const Object& variant,
                                         const std::string& title) {
  DocSection section = section_of_object(variant, title);
  section.rows.insert(section.rows.begin(),
                      {"kind", "word", "required", variant.name, "kind of " + family.name});
  std::vector<DocSection> sections = {std::move(section)};
  append(sections, nested_sections(variant, title));
  return sections;
}

// Fields with keys of their own begin with a sentence, the others are a row.
std::vector<DocSection> sections_of_field(const Field& field, const std::string& title) {
  const Type& inner = field.type.innermost();
  if (inner.objects.empty()) return {{title, "", header(), {row_of(field)}, {}}};
  std::string usual = field.required ? "; required" : "";
  if (field.default_value) usual = fmt::format("; default {}", default_text(field));
  const std::string lead = fmt::format("{} ({}{}).", field.doc, type_text(field.type), usual);
  std::vector<DocSection> sections = sections_of_type(field.type, title);
  if (inner.kind == Type::Kind::object) {
    sections.front().doc = lead + " " + sections.front().doc;
  } else {
    DocSection list{title, lead, {"kind", "meaning"}, {}, {}};
    for (const Object& variant : inner.objects) list.rows.push_back({variant.name, variant.doc});
    sections.insert(sections.begin(), std::move(list));
  }
  return sections;
}

DocSection overview(const Object& language) { return section_of_object(language, language.name); }

DocSection field_table_section() {
  DocSection section{
      "fields",
      "What outputs record and expectations look at; an expectation names one component, as in "
      "position.x.",
      {"field", "of", "components", "unit", "meaning"},
      {},
      {}};
  for (const FieldInfo& info : field_table()) {
    std::vector<std::string> components, units;
    for (const Component& component : info.components) {
      if (!component.name.empty()) components.push_back(component.name);
      if (units.empty() || units.back() != component.unit) units.push_back(component.unit);
    }
    const std::string kinds = info.kinds.empty() ? "" : " (" + join(info.kinds) + ")";
    section.rows.push_back(
        {info.name, std::string(noun(info.subject)) + kinds, join(components), join(units), info.doc});
  }
  return section;
}

}  // namespace hardpan::scenario
