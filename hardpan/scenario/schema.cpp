#include "hardpan/scenario/schema.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace hardpan::scenario {
namespace {

using Json = nlohmann::ordered_json;

Json value_json(const Value& value) {
  switch (value.type()) {
    case Value::Type::null:
      return nullptr;
    case Value::Type::boolean:
      return value.boolean();
    case Value::Type::number:
      return value.is_integer() ? Json(value.integer()) : Json(value.number());
    case Value::Type::text:
      return value.text();
    case Value::Type::list: {
      Json list = Json::array();
      for (const Value& item : value.items()) list.push_back(value_json(item));
      return list;
    }
    case Value::Type::map:
      break;
  }
  Json map = Json::object();
  for (const Value::Entry& entry : value.entries()) map[entry.key] = value_json(entry.value);
  return map;
}

void add_range(Json& schema, const Range& range) {
  if (range.low) schema[range.low_open ? "exclusiveMinimum" : "minimum"] = *range.low;
  if (range.high) schema[range.high_open ? "exclusiveMaximum" : "maximum"] = *range.high;
}

Json numeric(const char* type, const Range& range) {
  Json schema = {{"type", type}};
  add_range(schema, range);
  return schema;
}

Json count_limits(std::size_t low, std::size_t high) {
  Json limits = Json::object();
  limits["minItems"] = low;
  if (high > 0) limits["maxItems"] = high;
  return limits;
}

Json vector_schema(const Type& type) {
  Json schema = {{"type", "array"}, {"items", numeric("number", type.range)}};
  if (type.counts.size() == 1) {
    schema.update(count_limits(type.counts[0], type.counts[0]));
  } else {
    for (std::size_t count : type.counts) schema["oneOf"].push_back(count_limits(count, count));
  }
  if (type.nonzero) schema["contains"] = {{"not", {{"const", 0}}}};
  return schema;
}

Json type_schema(const Type& type);
Json object_schema(const Object& object);

Json map_schema(const Type& type) {
  Json names = {{"pattern", "^[A-Za-z_][A-Za-z0-9_-]*$"}};
  if (!type.reserved.empty()) names["not"] = {{"enum", type.reserved}};
  return {{"type", "object"}, {"propertyNames", names}, {"additionalProperties", type_schema(*type.element)}};
}

Json list_schema(const Type& type) {
  Json schema = {{"type", "array"}, {"items", type_schema(*type.element)}};
  schema.update(count_limits(type.min_count, type.max_count));
  if (type.distinct) schema["uniqueItems"] = true;
  return schema;
}

Json kind_schema(const Object& variant) {
  Json schema = object_schema(variant);
  schema["properties"]["kind"] = {{"const", variant.name}};
  schema["required"].push_back("kind");
  return schema;
}

Json kinds_schema(const Type& type) {
  Json schema = {{"type", "object"}};
  for (const Object& variant : type.objects) schema["oneOf"].push_back(kind_schema(variant));
  return schema;
}

Json type_schema(const Type& type) {
  switch (type.kind) {
    case Type::Kind::number:
    case Type::Kind::angle:
      return numeric("number", type.range);
    case Type::Kind::integer:
      return numeric("integer", type.range);
    case Type::Kind::boolean:
      return {{"type", "boolean"}};
    case Type::Kind::text: {
      Json schema = {{"type", "string"}};
      if (type.nonempty) schema["minLength"] = 1;
      return schema;
    }
    case Type::Kind::choice:
      return {{"enum", type.words}};
    case Type::Kind::vector:
      return vector_schema(type);
    case Type::Kind::list:
      return list_schema(type);
    case Type::Kind::map:
      return map_schema(type);
    case Type::Kind::object:
      return object_schema(type.objects.front());
    case Type::Kind::patch:
      return {{"type", "object"}};
    case Type::Kind::kinds:
      break;
  }
  return kinds_schema(type);
}

// "bodies.orientation": bodies are a map, so what follows stands in each of its entries.
std::string pointer_to(std::string_view path) {
  const std::size_t dot = path.find('.');
  return fmt::format("#/properties/{}/additionalProperties/properties/{}", path.substr(0, dot),
                     path.substr(dot + 1));
}

Json field_schema(const Field& field) {
  if (field.type.kind == Type::Kind::object && !field.explained_at.empty())
    return {{"$ref", pointer_to(field.explained_at)}};
  return type_schema(field.type);
}

void add_field(Json& properties, const Field& field) {
  const bool is_angle = field.type.kind == Type::Kind::angle;
  for (const std::string& key : field.keys()) {
    Json schema = field_schema(field);
    const std::string unit = is_angle ? key.substr(key.size() - 3) : field.type.unit;
    schema["description"] = unit.empty() ? field.doc : field.doc + " [" + unit + "]";
    if (field.default_value && !is_angle) schema["default"] = value_json(*field.default_value);
    properties[key] = std::move(schema);
  }
}

// Any of the keys of an alternative is given.
Json any_given(const Object& object, const std::vector<std::string>& names) {
  Json any = Json::array();
  for (const std::string& name : names)
    for (const std::string& key : object.named(name).keys()) any.push_back({{"required", {key}}});
  return {{"anyOf", any}};
}

Json all_given(const Object& object, const std::vector<std::string>& names) {
  Json all = Json::array();
  for (const std::string& name : names) all.push_back(any_given(object, {name}));
  return {{"allOf", all}};
}

Json strict_group_schema(const Object& object, const Group& group) {
  if (group.rule == Group::Rule::needs)
    return {{"if", any_given(object, group.alternatives[0])},
            {"then", all_given(object, group.alternatives[1])}};
  Json alternatives = Json::array();
  for (const auto& names : group.alternatives) alternatives.push_back(any_given(object, names));
  if (group.rule == Group::Rule::at_least_one) return {{"anyOf", alternatives}};
  if (group.rule == Group::Rule::at_most_one) alternatives.push_back({{"not", {{"anyOf", alternatives}}}});
  return {{"oneOf", alternatives}};
}

Json group_schema(const Object& object, const Group& group) {
  Json schema = strict_group_schema(object, group);
  if (group.exceptions.empty()) return schema;
  Json ways = Json::array({std::move(schema)});
  for (const std::string& key : group.exceptions)
    ways.push_back({{"required", {key}}, {"properties", {{key, {{"not", {{"const", false}}}}}}}});
  return {{"anyOf", std::move(ways)}};
}

void add_angle_rule(Json& rules, const Field& field) {
  if (field.type.kind != Type::Kind::angle) return;
  const auto keys = field.keys();
  rules.push_back({{"not", {{"required", keys}}}});
  if (field.required) rules.push_back({{"anyOf", {{{"required", {keys[0]}}}, {{"required", {keys[1]}}}}}});
}

Json object_schema(const Object& object) {
  Json properties = Json::object();
  Json required = Json::array();
  Json rules = Json::array();
  for (const Field& field : object.fields) {
    add_field(properties, field);
    add_angle_rule(rules, field);
    if (field.required && field.type.kind != Type::Kind::angle) required.push_back(field.name);
  }
  for (const Group& group : object.groups) rules.push_back(group_schema(object, group));
  Json schema = {{"title", object.name},     {"description", object.doc}, {"type", "object"},
                 {"properties", properties}, {"required", required},      {"additionalProperties", false}};
  if (!rules.empty()) schema["allOf"] = rules;
  return schema;
}

}  // namespace

std::string json_schema(const Object& language) {
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}};
  schema.update(object_schema(language));
  // The reader resolves `include` before the language sees it, and may find the required keys there.
  const Json file = {{"type", "string"}, {"minLength", 1}};
  schema["properties"]["include"] = {
      {"description", "scenario file or files this one completes and overrides, relative to this file"},
      {"oneOf", {file, {{"type", "array"}, {"items", file}}}}};
  schema["anyOf"] = {{{"required", {"include"}}}, {{"required", schema["required"]}}};
  schema.erase("required");
  return schema.dump(2) + "\n";
}

}  // namespace hardpan::scenario
