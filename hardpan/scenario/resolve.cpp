// Checks a scenario against the description of the language, in two passes. The first follows the
// description: keys, types, ranges, groups, references, defaults. The second runs the checks of objects on
// the resolved tree, so that they may take for granted what the first has established.
#include <algorithm>

#include <fmt/core.h>

#include "hardpan/core/text.h"
#include "hardpan/scenario/report.h"
#include "hardpan/scenario/spec.h"

namespace hardpan::scenario {
namespace {

std::string unit_clause(const std::string& unit) { return unit.empty() ? "" : " in " + unit; }

std::string counts_text(const std::vector<std::size_t>& counts) {
  std::vector<std::string> words;
  for (std::size_t count : counts) words.push_back(std::to_string(count));
  return join(words, " or ");
}

std::string expected(const Type& type) {
  switch (type.kind) {
    case Type::Kind::number:
    case Type::Kind::angle:
      return "a number" + unit_clause(type.unit);
    case Type::Kind::integer:
      return "a whole number";
    case Type::Kind::boolean:
      return "true or false";
    case Type::Kind::text:
      return type.refers_to.empty() ? "text" : "a name from " + type.refers_to;
    case Type::Kind::choice:
      return "one of " + shortened_list(type.words);
    case Type::Kind::vector:
      return fmt::format("a list of {} numbers{}", counts_text(type.counts), unit_clause(type.unit));
    case Type::Kind::list:
      return "a list";
    case Type::Kind::map:
      return fmt::format("a map from names to {}", type.element->noun());
    case Type::Kind::object:
    case Type::Kind::kinds:
    case Type::Kind::patch:
      break;
  }
  return "a map of keys";
}

bool valid_name(std::string_view name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !name.empty() && letter(name.front()) && std::all_of(name.begin(), name.end(), [&](char c) {
    return letter(c) || (c >= '0' && c <= '9') || c == '-';
  });
}

std::vector<std::string> allowed_keys(const Object& spec) {
  std::vector<std::string> keys;
  for (const Field& field : spec.fields)
    for (std::string& key : field.keys()) keys.push_back(std::move(key));
  return keys;
}

bool chosen(const Object& spec, const std::vector<std::string>& names, const Value& value) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return spec.named(name).given_in(value); });
}

bool all_given(const Object& spec, const std::vector<std::string>& names, const Value& value) {
  return std::all_of(names.begin(), names.end(),
                     [&](const std::string& name) { return spec.named(name).given_in(value); });
}

// False for a field of an alternative that was not chosen: its default would contradict the one that was.
bool default_applies(const Object& spec, const Field& field, const Value& value) {
  for (const Group& group : spec.groups) {
    if (group.rule != Group::Rule::exactly_one && group.rule != Group::Rule::at_most_one) continue;
    for (const auto& names : group.alternatives)
      if (std::find(names.begin(), names.end(), field.name) != names.end()) return chosen(spec, names, value);
  }
  return true;
}

class Resolver {
 public:
  Resolver(const Object& language, const Value& scenario, Report& report)
      : language_(language), scenario_(scenario), report_(report) {}

  Value resolve_object(const Object& spec, const Value& value, const std::string& path,
                       const Type* family = nullptr) {
    Value resolved = Value::map();
    resolved.set_place(value.place());
    if (family) resolved.set("kind", value.at("kind"), value.place());
    const bool keys_known = check_keys(spec, value, path, family);
    // A key that is missing beside one that is unknown is most likely that one, misspelt: one complaint is
    // enough.
    if (keys_known) {
      for (const Group& group : spec.groups) check_group(spec, group, value, path);
      check_required(spec, value, path);
    }
    for (const Field& field : spec.fields) resolve_field(spec, field, value, path, resolved);
    return resolved;
  }

 private:
  void complain(const Value& at, const std::string& path, const std::string& message) {
    report_.add(at.mark(), path, message);
  }

  bool check_keys(const Object& spec, const Value& value, const std::string& path, const Type* family) {
    bool all_known = true;
    for (const Value::Entry& entry : value.entries()) {
      if (report_.full()) break;
      const bool known = spec.find(entry.key) || (family && entry.key == "kind");
      if (!known) report_.add(entry.key_place.mark(), path, why_unknown(spec, entry.key, family));
      all_known = all_known && known;
    }
    return all_known;
  }

  void check_required(const Object& spec, const Value& value, const std::string& path) {
    for (const Field& field : spec.fields) {
      if (!field.required || field.given_in(value)) continue;
      const std::string unit = field.type.unit.empty() ? "" : ", " + field.type.unit;
      complain(value, path, fmt::format("missing key '{}' ({}{})", field.shown(), field.doc, unit));
    }
  }

  static std::string why_unknown(const Object& spec, const std::string& key, const Type* family) {
    for (const Field& field : spec.fields)
      if (field.type.kind == Type::Kind::angle && field.name == key)
        return fmt::format("'{0}' needs its unit: write {0}_deg or {0}_rad", key);
    if (std::find(spec.later.begin(), spec.later.end(), key) != spec.later.end())
      return fmt::format("'{}' is not part of this version", key);
    if (family) {
      const std::string owners = kinds_with(*family, key);
      if (!owners.empty())
        return fmt::format("'{}' belongs to kind {}, not to kind {}: it would be ignored", key, owners,
                           spec.name);
    }
    auto allowed = allowed_keys(spec);
    if (family) allowed.insert(allowed.begin(), "kind");
    return fmt::format("unknown key '{}'{}; allowed: {}", key, did_you_mean(key, allowed), join(allowed));
  }

  static std::string kinds_with(const Type& family, const std::string& key) {
    std::vector<std::string> owners;
    for (const Object& variant : family.objects)
      if (variant.find(key)) owners.push_back(variant.name);
    return join(owners, " and ");
  }

  void check_group(const Object& spec, const Group& group, const Value& value, const std::string& path) {
    if (group.rests_in(value)) return;
    const auto is_chosen = [&](const std::vector<std::string>& names) { return chosen(spec, names, value); };
    const auto given = std::count_if(group.alternatives.begin(), group.alternatives.end(), is_chosen);
    bool broken = false;
    switch (group.rule) {
      case Group::Rule::needs:
        broken = is_chosen(group.alternatives[0]) && !all_given(spec, group.alternatives[1], value);
        break;
      case Group::Rule::exactly_one:
        broken = given != 1;
        break;
      case Group::Rule::at_most_one:
        broken = given > 1;
        break;
      case Group::Rule::at_least_one:
        broken = given == 0;
        break;
    }
    if (broken) complain(value, path, group_text(spec, group));
  }

  void resolve_field(const Object& spec, const Field& field, const Value& value, const std::string& path,
                     Value& resolved) {
    if (report_.full()) return;
    std::size_t given = 0;
    for (const std::string& key : field.keys()) {
      const Value::Entry* entry = value.find_entry(key);
      if (!entry) continue;
      ++given;
      resolved.set(key, resolve_value(field.type, entry->value, child_path(path, key)), entry->key_place);
    }
    if (given > 1) complain(value, path, fmt::format("give only one of: {}", join(field.keys(), "; ")));
    if (given == 0) fill_in(spec, field, value, path, resolved);
  }

  void fill_in(const Object& spec, const Field& field, const Value& value, const std::string& path,
               Value& resolved) {
    if (field.required) return;  // check_required has complained
    const bool special = field.default_when && field.default_when->holds_in(value);
    const std::optional<Value> filler =
        special ? std::optional(field.default_when->value) : field.default_value;
    if (!filler || !default_applies(spec, field, value)) return;
    Value filled = resolve_value(field.type, *filler, child_path(path, field.name));
    filled.set_place(value.place());
    resolved.set(field.keys().front(), std::move(filled), value.place());
  }

  Value resolve_value(const Type& type, const Value& value, const std::string& path) {
    const auto is = [&](Value::Type wanted) {
      if (value.is(wanted)) return true;
      const bool unquoted = wanted == Value::Type::text && !value.is(Value::Type::list) &&
                            !value.is(Value::Type::map) && !value.is(Value::Type::null);
      complain(value, path,
               fmt::format("expected {}, found {}{}", expected(type), describe_found(value),
                           unquoted ? " (quote it to make it text)" : ""));
      return false;
    };
    switch (type.kind) {
      case Type::Kind::number:
      case Type::Kind::angle:
        if (is(Value::Type::number)) check_range(type, value, path);
        return value;
      case Type::Kind::integer:
        if (is(Value::Type::number)) check_integer(type, value, path);
        return value;
      case Type::Kind::boolean:
        is(Value::Type::boolean);
        return value;
      case Type::Kind::text:
        if (is(Value::Type::text)) check_text(type, value, path);
        return value;
      case Type::Kind::choice:
        if (is(Value::Type::text)) check_choice(type, value, path);
        return value;
      case Type::Kind::vector:
        if (is(Value::Type::list)) check_vector(type, value, path);
        return value;
      case Type::Kind::list:
        return is(Value::Type::list) ? resolve_list(type, value, path) : value;
      case Type::Kind::map:
        return is(Value::Type::map) ? resolve_map(type, value, path) : value;
      case Type::Kind::object:
        return is(Value::Type::map) ? resolve_object(type.objects.front(), value, path) : value;
      case Type::Kind::kinds:
        return is(Value::Type::map) ? resolve_kind(type, value, path) : value;
      case Type::Kind::patch:
        is(Value::Type::map);
        return value;
    }
    return value;
  }

  void check_range(const Type& type, const Value& value, const std::string& path) {
    if (!type.range.contains(value.number()))
      complain(value, path,
               fmt::format("must be {}, got {}", type.range.text(type.unit), value.number_text()));
  }

  void check_integer(const Type& type, const Value& value, const std::string& path) {
    if (!value.is_integer())
      complain(value, path, "must be a whole number of at most 64 bits, got " + value.number_text());
    else
      check_range(type, value, path);
  }

  void check_text(const Type& type, const Value& value, const std::string& path) {
    if (type.nonempty && value.text().empty()) complain(value, path, "must not be empty");
    if (!type.refers_to.empty()) check_reference(type, value, path);
  }

  void check_reference(const Type& type, const Value& value, const std::string& path) {
    const std::string& name = value.text();
    if (std::find(type.words.begin(), type.words.end(), name) != type.words.end()) return;
    const Value* target = scenario_.find(type.refers_to);
    const bool is_map = target && target->is(Value::Type::map);
    if (is_map && target->find(name)) return;
    std::vector<std::string> known = type.words;
    if (is_map)
      for (const Value::Entry& entry : target->entries()) known.push_back(entry.key);
    complain(value, path,
             unknown_name(language_.named(type.refers_to).type.element->noun(), name, std::move(known)));
  }

  void check_choice(const Type& type, const Value& value, const std::string& path) {
    const std::string& word = value.text();
    if (std::find(type.words.begin(), type.words.end(), word) == type.words.end())
      complain(value, path,
               fmt::format("must be one of {}; got '{}'{}", shortened_list(type.words), word,
                           did_you_mean(word, type.words)));
  }

  void check_vector(const Type& type, const Value& value, const std::string& path) {
    const auto& items = value.items();
    if (std::find(type.counts.begin(), type.counts.end(), items.size()) == type.counts.end()) {
      complain(value, path, fmt::format("expected {}, found {}", expected(type), describe_found(value)));
      return;
    }
    bool all_zero = true;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::string item_path = child_path(path, std::to_string(i));
      if (items[i].is(Value::Type::number)) {
        check_range(type, items[i], item_path);
        all_zero = all_zero && items[i].number() == 0;
      } else {
        complain(
            items[i], item_path,
            fmt::format("expected a number{}, found {}", unit_clause(type.unit), describe_found(items[i])));
        all_zero = false;
      }
    }
    if (type.nonzero && all_zero) complain(value, path, "must not be zero");
  }

  Value resolve_list(const Type& type, const Value& value, const std::string& path) {
    const auto& items = value.items();
    if (items.size() < type.min_count || (type.max_count > 0 && items.size() > type.max_count)) {
      const std::string allowed = type.min_count == type.max_count ? std::to_string(type.min_count)
                                  : type.max_count == 0
                                      ? fmt::format("at least {}", type.min_count)
                                      : fmt::format("{} to {}", type.min_count, type.max_count);
      complain(value, path, fmt::format("expected a list of {}, found {}", allowed, describe_found(value)));
      return value;
    }
    Value resolved = Value::list();
    resolved.set_place(value.place());
    for (std::size_t i = 0; i < items.size() && !report_.full(); ++i)
      resolved.items().push_back(resolve_value(*type.element, items[i], child_path(path, std::to_string(i))));
    if (type.distinct) check_distinct(resolved, path);
    return resolved;
  }

  void check_distinct(const Value& list, const std::string& path) {
    const auto& items = list.items();
    for (auto item = items.begin(); item != items.end(); ++item)
      if (std::find(items.begin(), item, *item) != item) {
        complain(*item, path, "the entries must differ, found twice " + describe_found(*item));
        return;
      }
  }

  Value resolve_map(const Type& type, const Value& value, const std::string& path) {
    Value resolved = Value::map();
    resolved.set_place(value.place());
    for (const Value::Entry& entry : value.entries()) {
      if (report_.full()) break;
      check_name(type, entry, path);
      resolved.set(entry.key, resolve_value(*type.element, entry.value, child_path(path, entry.key)),
                   entry.key_place);
    }
    return resolved;
  }

  void check_name(const Type& type, const Value::Entry& entry, const std::string& path) {
    if (!valid_name(entry.key))
      report_.add(entry.key_place.mark(), path,
                  fmt::format("'{}' is not a name: use letters, digits, _ and -, not beginning with a digit "
                              "or -",
                              entry.key));
    if (std::find(type.reserved.begin(), type.reserved.end(), entry.key) != type.reserved.end())
      report_.add(entry.key_place.mark(), path,
                  fmt::format("the name '{}' is reserved: choose another one", entry.key));
  }

  Value resolve_kind(const Type& type, const Value& value, const std::string& path) {
    std::vector<std::string> words;
    for (const Object& variant : type.objects) words.push_back(variant.name);
    const Value* kind = value.find("kind");
    if (!kind) {
      complain(value, path, "missing key 'kind'; allowed: " + join(words));
      return value;
    }
    const auto word =
        kind->is(Value::Type::text) ? std::find(words.begin(), words.end(), kind->text()) : words.end();
    if (word == words.end()) {
      const std::string guess = kind->is(Value::Type::text) ? did_you_mean(kind->text(), words) : "";
      complain(*kind, child_path(path, "kind"),
               fmt::format("expected a kind of {}, found {}{}; allowed: {}", type.name, describe_found(*kind),
                           guess, join(words)));
      return value;
    }
    return resolve_object(type.objects[static_cast<std::size_t>(word - words.begin())], value, path, &type);
  }

  const Object& language_;
  const Value& scenario_;
  Report& report_;
};

// The second pass.
class Checker {
 public:
  Checker(const Value& root, Report& report) : root_(root), report_(report) {}

  void check_object(const Object& spec, const Value& value, const std::string& path) {
    for (const Field& field : spec.fields)
      for (const std::string& key : field.keys())
        if (const Value* child = value.find(key)) check_value(field.type, *child, child_path(path, key));
    if (!spec.check || report_.full()) return;
    Complain complain(report_, root_, value, path);
    spec.check(value, complain);
  }

 private:
  void check_value(const Type& type, const Value& value, const std::string& path) {
    if (type.kind == Type::Kind::object) check_object(type.objects.front(), value, path);
    if (type.kind == Type::Kind::kinds) check_kind(type, value, path);
    if (type.kind == Type::Kind::list)
      for (std::size_t i = 0; i < value.items().size(); ++i)
        check_value(*type.element, value.items()[i], child_path(path, std::to_string(i)));
    if (type.kind == Type::Kind::map)
      for (const Value::Entry& entry : value.entries())
        check_value(*type.element, entry.value, child_path(path, entry.key));
  }

  void check_kind(const Type& type, const Value& value, const std::string& path) {
    for (const Object& variant : type.objects)
      if (variant.name == value.at("kind").text()) check_object(variant, value, path);
  }

  const Value& root_;
  Report& report_;
};

}  // namespace

void Complain::operator()(std::string_view key, const std::string& message) {
  const Value* child = key.empty() ? nullptr : object_.find(key);
  report_.add((child ? *child : object_).mark(), key.empty() ? path_ : child_path(path_, key), message);
}

Complain Complain::inside(std::string_view key) const {
  return {report_, root_, object_.at(key), child_path(path_, key)};
}

Complain Complain::inside(std::size_t index) const {
  return {report_, root_, object_.items()[index], child_path(path_, std::to_string(index))};
}

Value resolve(const Object& language, const Value& scenario) {
  if (!scenario.is(Value::Type::map))
    throw InputError(scenario.mark(), "a scenario is a map of keys, found " + describe_found(scenario));
  Report report;
  Value resolved = Resolver(language, scenario, report).resolve_object(language, scenario, "");
  report.throw_if_any();
  Checker(resolved, report).check_object(language, resolved, "");
  report.throw_if_any();
  return resolved;
}

}  // namespace hardpan::scenario
