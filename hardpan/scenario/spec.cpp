#include "hardpan/scenario/spec.h"

#include <algorithm>
#include <numbers>

#include <fmt/core.h>

#include "hardpan/core/text.h"

namespace hardpan::scenario {
namespace {

Type of_kind(Type::Kind kind, std::string unit = {}) {
  Type type;
  type.kind = kind;
  type.unit = std::move(unit);
  return type;
}

std::string with_unit(double x, const std::string& unit) {
  return unit.empty() ? shortest(x) : shortest(x) + " " + unit;
}

}  // namespace

bool Range::contains(double x) const {
  const bool above = !low || (low_open ? x > *low : x >= *low);
  const bool below = !high || (high_open ? x < *high : x <= *high);
  return above && below;
}

std::string Range::text(const std::string& unit) const {
  if (low && high && *low == *high) return with_unit(*low, unit);
  if (low && high && !low_open && !high_open)
    return fmt::format("between {} and {}", shortest(*low), with_unit(*high, unit));
  std::string text;
  if (low) text = fmt::format("{} {}", low_open ? "greater than" : "at least", with_unit(*low, unit));
  if (low && high) text += " and ";
  if (high) text += fmt::format("{} {}", high_open ? "less than" : "at most", with_unit(*high, unit));
  return text;
}

Type Type::above(double low) const {
  Type copy = *this;
  copy.range = {low, std::nullopt, true, false};
  return copy;
}

Type Type::at_least(double low) const {
  Type copy = *this;
  copy.range = {low, std::nullopt, false, false};
  return copy;
}

Type Type::between(double low, double high) const {
  Type copy = *this;
  copy.range = {low, high, false, false};
  return copy;
}

Type Type::strictly_between(double low, double high) const {
  Type copy = *this;
  copy.range = {low, high, true, true};
  return copy;
}

Type Type::not_zero() const {
  Type copy = *this;
  copy.nonzero = true;
  return copy;
}

Type Type::not_empty() const {
  Type copy = *this;
  copy.nonempty = true;
  return copy;
}

Type Type::all_distinct() const {
  Type copy = *this;
  copy.distinct = true;
  return copy;
}

Type Type::reserving(std::vector<std::string> names) const {
  Type copy = *this;
  copy.reserved = std::move(names);
  return copy;
}

std::string Type::noun() const { return kind == Kind::object ? objects.front().name : name; }

Field Field::by_default(Value value) const {
  Field copy = *this;
  copy.default_value = std::move(value);
  return copy;
}

Field Field::by_default_when(std::string key, Value value) const {
  return by_default_when(std::move(key), "", std::move(value));
}

Field Field::by_default_when(std::string key, std::string word, Value value) const {
  Field copy = *this;
  copy.default_when = DefaultWhen{std::move(key), std::move(word), std::move(value)};
  return copy;
}

bool Field::DefaultWhen::holds_in(const Value& object) const {
  const Value* given = object.find(key);
  return given && (word.empty() || (given->is(Value::Type::text) && given->text() == word));
}

Field Field::must() const {
  Field copy = *this;
  copy.required = true;
  return copy;
}

Field Field::as_in(std::string path) const {
  Field copy = *this;
  copy.explained_at = std::move(path);
  return copy;
}

std::vector<std::string> Field::keys() const {
  if (type.kind == Type::Kind::angle) return {name + "_deg", name + "_rad"};
  return {name};
}

std::string Field::shown() const { return type.kind == Type::Kind::angle ? name + "_(deg|rad)" : name; }

bool Field::given_in(const Value& object) const {
  const auto names = keys();
  return std::any_of(names.begin(), names.end(), [&](const std::string& key) { return object.find(key); });
}

Group Group::unless(std::vector<std::string> keys) const {
  Group copy = *this;
  copy.exceptions = std::move(keys);
  return copy;
}

bool Group::rests_in(const Value& object) const {
  return std::any_of(exceptions.begin(), exceptions.end(), [&](const std::string& key) {
    const Value* given = object.find(key);
    return given && !(given->is(Value::Type::boolean) && !given->boolean());
  });
}

Group exactly_one(std::vector<std::vector<std::string>> alternatives, std::string why) {
  return {Group::Rule::exactly_one, std::move(alternatives), std::move(why)};
}

Group at_most_one(std::vector<std::vector<std::string>> alternatives, std::string why) {
  return {Group::Rule::at_most_one, std::move(alternatives), std::move(why)};
}

Group at_least_one(std::vector<std::string> keys, std::string why) {
  Group group{Group::Rule::at_least_one, {}, std::move(why)};
  for (std::string& key : keys) group.alternatives.push_back({std::move(key)});
  return group;
}

Group needs(std::string key, std::vector<std::string> needed, std::string why) {
  return {Group::Rule::needs, {{std::move(key)}, std::move(needed)}, std::move(why)};
}

const Field* Object::find(std::string_view key) const {
  for (const Field& candidate : fields) {
    const auto names = candidate.keys();
    if (std::find(names.begin(), names.end(), key) != names.end()) return &candidate;
  }
  return nullptr;
}

const Field& Object::named(std::string_view field_name) const {
  const auto it =
      std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return f.name == field_name; });
  HARDPAN_CHECK(it != fields.end(), fmt::format("'{}' describes no field '{}'", name, field_name));
  return *it;
}

std::string alternative_text(const Object& object, const std::vector<std::string>& names) {
  std::vector<std::string> shown;
  for (const std::string& name : names) shown.push_back(object.named(name).shown());
  return join(shown, " + ");
}

std::string group_text(const Object& object, const Group& group) {
  std::vector<std::string> shown;
  for (const auto& names : group.alternatives) shown.push_back(alternative_text(object, names));
  std::string why = group.why.empty() ? "" : fmt::format(" ({})", group.why);
  if (!group.exceptions.empty())
    why += fmt::format(", unless there is '{}'", join(group.exceptions, "' or '"));
  switch (group.rule) {
    case Group::Rule::needs:
      return fmt::format("'{}' needs '{}'{}", shown[0], shown[1], why);
    case Group::Rule::exactly_one:
      return fmt::format("exactly one must be given of: {}{}", join(shown, "; "), why);
    case Group::Rule::at_most_one:
      return fmt::format("at most one may be given of: {}{}", join(shown, "; "), why);
    case Group::Rule::at_least_one:
      break;
  }
  return fmt::format("at least one must be given of: {}{}", join(shown, "; "), why);
}

Type number(std::string unit) { return of_kind(Type::Kind::number, std::move(unit)); }
Type integer(std::string unit) { return of_kind(Type::Kind::integer, std::move(unit)); }
Type boolean() { return of_kind(Type::Kind::boolean); }
Type text() { return of_kind(Type::Kind::text); }
Type angle() { return of_kind(Type::Kind::angle); }

Type choice(std::vector<std::string> words) {
  Type type = of_kind(Type::Kind::choice);
  type.words = std::move(words);
  return type;
}

Type reference(std::string to, std::vector<std::string> also) {
  Type type = text();
  type.refers_to = std::move(to);
  type.words = std::move(also);
  return type;
}

Type vector(std::size_t count, std::string unit) { return vector_of({count}, std::move(unit)); }

Type vector_of(std::vector<std::size_t> counts, std::string unit) {
  Type type = of_kind(Type::Kind::vector, std::move(unit));
  type.counts = std::move(counts);
  return type;
}

Type list_of(Type element, std::size_t min_count, std::size_t max_count) {
  Type type = of_kind(Type::Kind::list);
  type.element = std::make_shared<const Type>(std::move(element));
  type.min_count = min_count;
  type.max_count = max_count;
  return type;
}

Type map_of(Type element) {
  Type type = of_kind(Type::Kind::map);
  type.element = std::make_shared<const Type>(std::move(element));
  return type;
}

Type object(Object description) {
  Type type = of_kind(Type::Kind::object);
  type.objects.push_back(std::move(description));
  return type;
}

Type kinds(std::string noun, std::vector<Object> variants) {
  Type type = of_kind(Type::Kind::kinds);
  type.name = std::move(noun);
  type.objects = std::move(variants);
  return type;
}

Type patch(std::string noun) {
  Type type = of_kind(Type::Kind::patch);
  type.name = std::move(noun);
  return type;
}

Field field(std::string name, Type type, std::string doc) {
  Field made;
  made.name = std::move(name);
  made.type = std::move(type);
  made.doc = std::move(doc);
  return made;
}

std::vector<Field> operator+(std::vector<Field> some, const std::vector<Field>& more) {
  some.insert(some.end(), more.begin(), more.end());
  return some;
}

std::optional<double> find_angle(const Value& object, std::string_view name) {
  if (const Value* rad = object.find(fmt::format("{}_rad", name))) return rad->number();
  if (const Value* deg = object.find(fmt::format("{}_deg", name)))
    return deg->number() * (std::numbers::pi / 180);
  return std::nullopt;
}

}  // namespace hardpan::scenario
