// One description of the language, from which come validation, defaults, the documentation tables, the
// terminal help and the JSON schema. A key that is not described here does not exist.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hardpan/scenario/value.h"

namespace hardpan::scenario {

struct Object;
class Report;

// Allowed numbers; each component where there are several.
struct Range {
  std::optional<double> low;
  std::optional<double> high;
  bool low_open = false;
  bool high_open = false;

  bool any() const { return !low && !high; }
  bool contains(double x) const;
  std::string text(const std::string& unit) const;  // "greater than 0 kg"; empty for any()
};

// The shape of a value. Made by the functions below and refined by the calls that return a copy:
// number("kg").above(0).
struct Type {
  enum class Kind { number, integer, boolean, text, choice, vector, list, map, object, kinds, angle, patch };

  Kind kind = Kind::number;
  std::string name;                     // kinds: the noun, "joint"
  std::string unit;                     // SI; empty for none
  Range range;                          // number, integer, components of a vector
  std::vector<std::string> words;       // choice: all; reference: words allowed besides the names
  std::vector<std::string> reserved;    // map: names that may not be chosen
  std::string refers_to;                // text: must be a name in this top-level map
  std::vector<std::size_t> counts;      // vector: allowed numbers of components
  std::size_t min_count = 0;            // list
  std::size_t max_count = 0;            // list; 0 for no limit
  bool nonzero = false;                 // vector: not all components may be 0
  bool distinct = false;                // list: no two entries alike
  bool nonempty = false;                // text
  std::shared_ptr<const Type> element;  // list, map
  std::vector<Object> objects;          // object: one; kinds: one per word of `kind`

  Type above(double low) const;
  Type at_least(double low) const;
  Type between(double low, double high) const;  // both allowed
  Type strictly_between(double low, double high) const;
  Type not_zero() const;
  Type not_empty() const;
  Type all_distinct() const;
  Type reserving(std::vector<std::string> names) const;

  std::string noun() const;  // of object and kinds: "body"
  const Type& innermost() const { return element ? element->innermost() : *this; }  // inside lists and maps
};

struct Field {
  // Another default, for when `key` is given, or is given as `word`.
  struct DefaultWhen {
    std::string key;
    std::string word;  // empty: whatever it is
    Value value;
    bool holds_in(const Value& object) const;
  };

  std::string name;  // an angle is written name_deg or name_rad
  Type type;
  std::string doc;
  bool required = false;
  std::optional<Value> default_value;
  std::optional<DefaultWhen> default_when;
  std::string explained_at;  // where the manual has the keys of its value, when that is elsewhere

  Field by_default(Value value) const;
  Field by_default_when(std::string key, Value value) const;
  Field by_default_when(std::string key, std::string word, Value value) const;
  Field must() const;  // required
  Field as_in(std::string path) const;

  std::vector<std::string> keys() const;  // as written in a file
  std::string shown() const;              // "mass", "angle_(deg|rad)"
  bool given_in(const Value& object) const;
};

// A rule on which keys of an object go together.
struct Group {
  enum class Rule { exactly_one, at_most_one, at_least_one, needs };
  Rule rule;
  // Alternatives are sets of keys; one is chosen when any of its keys is given. Defaults of alternatives that
  // were not chosen are not filled in. needs: the first set needs each key of the second.
  std::vector<std::vector<std::string>> alternatives;
  std::string why;
  std::vector<std::string> exceptions = {};  // it rests when one of these keys is given, and is not false

  Group unless(std::vector<std::string> keys) const;
  bool rests_in(const Value& object) const;
};
Group exactly_one(std::vector<std::vector<std::string>> alternatives, std::string why = {});
Group at_most_one(std::vector<std::vector<std::string>> alternatives, std::string why = {});
Group at_least_one(std::vector<std::string> keys, std::string why = {});
Group needs(std::string key, std::vector<std::string> needed, std::string why = {});

// How a check of an object reports: place and path are found from the key ("" for the object itself).
class Complain {
 public:
  Complain(Report& report, const Value& root, const Value& object, std::string path)
      : report_(report), root_(root), object_(object), path_(std::move(path)) {}
  void operator()(std::string_view key, const std::string& message);
  Complain inside(std::string_view key) const;  // about a part of this object, which is there
  Complain inside(std::size_t index) const;     // about an item, where this is a list
  const Value& root() const { return root_; }   // the whole resolved scenario

 private:
  Report& report_;
  const Value& root_;
  const Value& object_;
  std::string path_;
};
using Check = std::function<void(const Value& object, Complain& complain)>;

struct Object {
  std::string name;
  std::string doc;
  std::vector<Field> fields;
  std::vector<Group> groups = {};
  Check check = {};                     // runs on the resolved object once the whole scenario fits the spec
  std::vector<std::string> later = {};  // keys that belong to later versions

  const Field* find(std::string_view key) const;          // by a key as written in a file
  const Field& named(std::string_view field_name) const;  // must exist
};

// "axis + angle_(deg|rad)", and a rule in words: "exactly one of: mass; density".
std::string alternative_text(const Object& object, const std::vector<std::string>& names);
std::string group_text(const Object& object, const Group& group);

Type number(std::string unit = {});
Type integer(std::string unit = {});
Type boolean();
Type text();
Type choice(std::vector<std::string> words);
Type reference(std::string to, std::vector<std::string> also = {});
Type vector(std::size_t count, std::string unit = {});
Type vector_of(std::vector<std::size_t> counts, std::string unit = {});
Type list_of(Type element, std::size_t min_count = 0, std::size_t max_count = 0);
Type map_of(Type element);
Type object(Object description);
Type kinds(std::string noun, std::vector<Object> variants);
Type angle();
Type patch(std::string noun);  // keys of a scenario, judged only when they are merged into one

Field field(std::string name, Type type, std::string doc);
std::vector<Field> operator+(std::vector<Field> some, const std::vector<Field>& more);

// Checks everything and fills in every default, in the order of the description; resolving twice changes
// nothing. One InputError carries up to 20 complaints, a line each, in the order of the file.
Value resolve(const Object& language, const Value& scenario);

// An angle of a resolved object in radians, whichever way it was written; nothing when it is absent.
std::optional<double> find_angle(const Value& object, std::string_view name);

}  // namespace hardpan::scenario
