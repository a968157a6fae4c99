// The tree a scenario is read into: our own, so that no YAML library shows in any other header and every
// node knows where it was written.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "hardpan/core/error.h"

namespace hardpan::scenario {

// Where a node was written. A million nodes share one file name; line 0 stands for the whole of `file`.
struct Place {
  std::shared_ptr<const std::string> file;
  int line = 0;
  int column = 0;
  SourceMark mark() const { return file ? SourceMark{*file, line, column} : SourceMark{}; }
};

// Null, boolean, number, text, list or map; copies are deep. Equality ignores places and the spelling of
// numbers, but not the order of keys. The typed accessors are for trees that were checked: misuse is an
// InvariantError, a bug of the caller.
class Value {
 public:
  enum class Type { null, boolean, number, text, list, map };
  struct Entry;

  Value();
  explicit Value(bool value);
  explicit Value(double value);
  explicit Value(std::int64_t value);
  explicit Value(int value);
  explicit Value(std::string value);
  explicit Value(const char* value);
  // A number that remembers how it was written; `exact` when that is a whole number 64 bits hold.
  Value(double value, std::optional<std::int64_t> exact, std::string spelling);
  Value(const Value&);
  Value(Value&&) noexcept;
  Value& operator=(const Value&);
  Value& operator=(Value&&) noexcept;
  ~Value();
  static Value list();
  static Value list(std::vector<Value> items);
  static Value numbers(std::initializer_list<double> values);
  static Value map();

  Type type() const { return static_cast<Type>(data_.index()); }
  bool is(Type asked) const { return type() == asked; }

  bool boolean() const;
  double number() const;
  bool is_integer() const;       // a number without fraction that is known exactly
  std::int64_t integer() const;  // needs is_integer()
  const std::string& text() const;
  std::string number_text() const;  // as written, otherwise the shortest spelling

  const std::vector<Value>& items() const;
  std::vector<Value>& items();

  // In the order of the file. A map of many keys finds one by hash.
  const std::vector<Entry>& entries() const;
  const Entry* find_entry(std::string_view key) const;
  const Value* find(std::string_view key) const;
  Value* find(std::string_view key);
  const Value& at(std::string_view key) const;
  // Appends, or replaces the value in its old position.
  Value& set(std::string key, Value value, Place key_place = {});
  void erase(std::string_view key);

  const Place& place() const { return place_; }
  SourceMark mark() const { return place_.mark(); }
  void set_place(Place place) { place_ = std::move(place); }

  friend bool operator==(const Value& a, const Value& b);

 private:
  struct Number {
    double value = 0;
    std::optional<std::int64_t> exact;
    std::string spelling;
  };
  struct Map {
    std::vector<Entry> entries;
    std::unordered_map<std::string, std::size_t> index;  // empty while the map is small
    std::size_t position(std::string_view key) const;    // entries.size() when absent
    void reindex();
  };
  template <class T>
  const T& get(const char* wanted) const;

  // The order is that of Type.
  std::variant<std::monostate, bool, Number, std::string, std::vector<Value>, Map> data_;
  Place place_;
};

struct Value::Entry {
  std::string key;
  Place key_place;
  Value value;
};

// "a map", "the number 1.5", "the text 'abc'": for messages.
std::string describe_found(const Value& value);

// Readable YAML that parses back to an equal tree.
std::string to_yaml(const Value& value);

}  // namespace hardpan::scenario
