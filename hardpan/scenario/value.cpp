#include "hardpan/scenario/value.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "hardpan/core/text.h"

namespace hardpan::scenario {
namespace {

constexpr std::size_t small_map = 16;

// Doubles beyond this skip whole numbers, so none of them stands for one exactly.
constexpr double exact_limit = 0x1.0p53;

}  // namespace

std::size_t Value::Map::position(std::string_view key) const {
  if (!index.empty()) {
    const auto it = index.find(std::string(key));
    return it == index.end() ? entries.size() : it->second;
  }
  std::size_t i = 0;
  while (i < entries.size() && entries[i].key != key) ++i;
  return i;
}

void Value::Map::reindex() {
  index.clear();
  if (entries.size() <= small_map) return;
  for (std::size_t i = 0; i < entries.size(); ++i) index.emplace(entries[i].key, i);
}

Value::Value() = default;
Value::Value(bool value) : data_(value) {}
Value::Value(double value) : data_(Number{value, std::nullopt, {}}) {}
Value::Value(std::int64_t value) : data_(Number{static_cast<double>(value), value, {}}) {}
Value::Value(int value) : Value(static_cast<std::int64_t>(value)) {}
Value::Value(std::string value) : data_(std::move(value)) {}
Value::Value(const char* value) : Value(std::string(value)) {}
Value::Value(double value, std::optional<std::int64_t> exact, std::string spelling)
    : data_(Number{value, exact, std::move(spelling)}) {}
Value::Value(const Value&) = default;
Value::Value(Value&&) noexcept = default;
Value& Value::operator=(const Value&) = default;
Value& Value::operator=(Value&&) noexcept = default;
Value::~Value() = default;

Value Value::list() { return list(std::vector<Value>()); }

Value Value::list(std::vector<Value> items) {
  Value value;
  value.data_ = std::move(items);
  return value;
}

Value Value::numbers(std::initializer_list<double> values) {
  Value value = list();
  for (double x : values) value.items().emplace_back(x);
  return value;
}

Value Value::map() {
  Value value;
  value.data_ = Map{};
  return value;
}

template <class T>
const T& Value::get(const char* wanted) const {
  const T* held = std::get_if<T>(&data_);
  HARDPAN_CHECK(held, fmt::format("{}: expected {}, found {}", mark().text(), wanted, describe_found(*this)));
  return *held;
}

bool Value::boolean() const { return get<bool>("true or false"); }
double Value::number() const { return get<Number>("a number").value; }
const std::string& Value::text() const { return get<std::string>("text"); }
const std::vector<Value>& Value::items() const { return get<std::vector<Value>>("a list"); }
std::vector<Value>& Value::items() { return const_cast<std::vector<Value>&>(std::as_const(*this).items()); }
const std::vector<Value::Entry>& Value::entries() const { return get<Map>("a map").entries; }

bool Value::is_integer() const {
  const Number* number = std::get_if<Number>(&data_);
  if (!number) return false;
  return number->exact ||
         (std::trunc(number->value) == number->value && std::abs(number->value) <= exact_limit);
}

std::int64_t Value::integer() const {
  HARDPAN_CHECK(is_integer(), "not a whole number: " + describe_found(*this));
  const Number& number = get<Number>("a number");
  return number.exact.value_or(static_cast<std::int64_t>(number.value));
}

std::string Value::number_text() const {
  const Number& number = get<Number>("a number");
  if (!number.spelling.empty()) return number.spelling;
  return number.exact ? std::to_string(*number.exact) : shortest(number.value);
}

const Value::Entry* Value::find_entry(std::string_view key) const {
  const Map& map = get<Map>("a map");
  const std::size_t i = map.position(key);
  return i < map.entries.size() ? &map.entries[i] : nullptr;
}

const Value* Value::find(std::string_view key) const {
  const Entry* entry = find_entry(key);
  return entry ? &entry->value : nullptr;
}

Value* Value::find(std::string_view key) { return const_cast<Value*>(std::as_const(*this).find(key)); }

const Value& Value::at(std::string_view key) const {
  const Value* value = find(key);
  HARDPAN_CHECK(value, fmt::format("{}: no key '{}'", mark().text(), key));
  return *value;
}

Value& Value::set(std::string key, Value value, Place key_place) {
  get<Map>("a map");
  Map& map = std::get<Map>(data_);
  const std::size_t i = map.position(key);
  if (i < map.entries.size()) {
    map.entries[i].key_place = std::move(key_place);
    return map.entries[i].value = std::move(value);
  }
  map.entries.push_back({std::move(key), std::move(key_place), std::move(value)});
  if (map.entries.size() == small_map + 1) map.reindex();
  if (map.entries.size() > small_map) map.index.emplace(map.entries.back().key, i);
  return map.entries.back().value;
}

void Value::erase(std::string_view key) {
  get<Map>("a map");
  Map& map = std::get<Map>(data_);
  const std::size_t i = map.position(key);
  if (i == map.entries.size()) return;
  map.entries.erase(map.entries.begin() + static_cast<std::ptrdiff_t>(i));
  map.reindex();
}

bool operator==(const Value& a, const Value& b) {
  if (a.type() != b.type()) return false;
  switch (a.type()) {
    case Value::Type::null:
      return true;
    case Value::Type::boolean:
      return a.boolean() == b.boolean();
    case Value::Type::number:
      if (a.is_integer() && b.is_integer()) return a.integer() == b.integer();
      return a.number() == b.number();
    case Value::Type::text:
      return a.text() == b.text();
    case Value::Type::list:
      return a.items() == b.items();
    case Value::Type::map:
      break;
  }
  return std::equal(
      a.entries().begin(), a.entries().end(), b.entries().begin(), b.entries().end(),
      [](const Value::Entry& x, const Value::Entry& y) { return x.key == y.key && x.value == y.value; });
}

std::string describe_found(const Value& value) {
  constexpr std::size_t longest_quote = 40;
  switch (value.type()) {
    case Value::Type::null:
      return "nothing";
    case Value::Type::boolean:
      return value.boolean() ? "true" : "false";
    case Value::Type::number:
      return "the number " + value.number_text();
    case Value::Type::text:
      return value.text().size() <= longest_quote ? "the text '" + value.text() + "'" : "a long text";
    case Value::Type::list:
      return fmt::format("a list of {}", value.items().size());
    case Value::Type::map:
      break;
  }
  return "a map";
}

}  // namespace hardpan::scenario
