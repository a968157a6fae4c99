#include "hardpan/scenario/schema.h"

#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "hardpan/scenario/language.h"
#include "hardpan/scenario/test_scenarios.h"

namespace hardpan::scenario {
namespace {

using nlohmann::json;

const json& whole() {
  static const json schema = json::parse(json_schema(language()));
  return schema;
}

json::json_pointer pointer_of(const std::string& reference) {
  return json::json_pointer(reference.substr(1));
}

void expect_described(const Object& object, const json& schema, const std::string& path);

void expect_type_described(const Type& type, const json& schema, const std::string& path) {
  if (type.kind == Type::Kind::list) expect_type_described(*type.element, schema.at("items"), path);
  if (type.kind == Type::Kind::map)
    expect_type_described(*type.element, schema.at("additionalProperties"), path);
  if (type.kind == Type::Kind::object) expect_described(type.objects.front(), schema, path);
  if (type.kind != Type::Kind::kinds) return;
  ASSERT_EQ(schema.at("oneOf").size(), type.objects.size()) << path;
  for (std::size_t i = 0; i < type.objects.size(); ++i) {
    const json& variant = schema["oneOf"][i];
    EXPECT_EQ(variant.at("properties").at("kind").at("const"), type.objects[i].name);
    EXPECT_EQ(variant.at("required").back(), "kind");
    expect_described(type.objects[i], variant, path + "." + type.objects[i].name);
  }
}

void expect_described(const Object& object, const json& schema, const std::string& path) {
  EXPECT_EQ(schema.at("title"), object.name);
  EXPECT_EQ(schema.at("type"), "object");
  EXPECT_EQ(schema.at("additionalProperties"), false);
  for (const Field& field : object.fields)
    for (const std::string& key : field.keys()) {
      ASSERT_TRUE(schema.at("properties").contains(key)) << path << "." << key;
      const json& property = schema["properties"][key];
      EXPECT_NE(property.at("description").get<std::string>().find(field.doc), std::string::npos);
      if (property.contains("$ref"))
        expect_type_described(field.type, whole().at(pointer_of(property["$ref"])), path + "." + key);
      else
        expect_type_described(field.type, property, path + "." + key);
    }
}

TEST(Schema, DescribesEveryField) {
  const json schema = json::parse(json_schema(language()));
  EXPECT_EQ(schema.at("$schema"), "https://json-schema.org/draft/2020-12/schema");
  EXPECT_FALSE(schema.contains("$id"));
  expect_described(language(), schema, "");
}

TEST(Schema, CarriesRangesDefaultsAndRules) {
  const json schema = json::parse(json_schema(language()));
  const json& body = schema["properties"]["bodies"]["additionalProperties"];
  EXPECT_EQ(body["properties"]["mass"]["exclusiveMinimum"], 0);
  EXPECT_EQ(body["properties"]["position"]["minItems"], 3);
  EXPECT_EQ(body["properties"]["fixed"]["default"], false);
  EXPECT_EQ(body["allOf"].size(), 5u);
  EXPECT_EQ(schema["properties"]["solver"]["properties"]["refinement"]["maximum"], 5);
  EXPECT_TRUE(schema["properties"].contains("include"));
}

TEST(Describe, EveryNameHasATextWithinTheTerminal) {
  const auto topics = describable_names(language());
  EXPECT_GT(topics.size(), 20u);
  for (const Topic& topic : topics) {
    EXPECT_FALSE(topic.doc.empty()) << topic.name;
    std::istringstream text(describe(language(), topic.name));
    std::size_t lines = 0;
    for (std::string line; std::getline(text, line); ++lines) EXPECT_LE(line.size(), 100u) << line;
    EXPECT_GT(lines, 3u) << topic.name;
  }
}

TEST(Describe, FindsKeysKindsAndPaths) {
  EXPECT_NE(describe(language(), "hinge").find("angular_compliance"), std::string::npos);
  EXPECT_EQ(describe(language(), "hinge"), describe(language(), "joints.hinge"));
  EXPECT_NE(describe(language(), "bodies.shape").find("cylinder"), std::string::npos);
  EXPECT_NE(describe(language(), "joints.hinge.axis").find("not zero"), std::string::npos);
  EXPECT_NE(describe(language(), "fields").find("reaction_torque"), std::string::npos);
  EXPECT_EQ(testing::message_of([] { describe(language(), "hing"); }),
            "nothing in the scenario language is called 'hing' (did you mean 'hinge'?)");
}

// Every table row has the cells of its header, and every top-level key is in the manual.
TEST(Markdown, IsWholeAndRegular) {
  const std::string manual = markdown(language());
  for (const Field& field : language().fields)
    EXPECT_NE(manual.find("| " + field.name + " |"), std::string::npos);
  std::istringstream text(manual);
  std::size_t expected = 0;
  for (std::string line; std::getline(text, line);) {
    std::size_t bars = 0;
    for (std::size_t i = 0; i < line.size(); ++i) bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\');
    if (line.empty() || line[0] != '|') {
      expected = 0;
      continue;
    }
    if (expected == 0) expected = bars;
    EXPECT_EQ(bars, expected) << line;
  }
}

}  // namespace
}  // namespace hardpan::scenario
