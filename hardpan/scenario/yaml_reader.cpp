#include "hardpan/scenario/yaml_reader.h"

#include <array>
#include <sstream>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include "hardpan/scenario/scalar.h"
#include "hardpan/scenario/source_text.h"

namespace hardpan::scenario {
namespace {

constexpr const char* plain_tag = "?";   // yaml-cpp: a plain scalar without tag
constexpr const char* quoted_tag = "!";  // yaml-cpp: a quoted or block scalar without tag

// How the events become places: a file has lines, a command line argument only its name.
struct Source {
  std::shared_ptr<const std::string> name;
  bool has_lines = true;

  Place place(const YAML::Mark& mark) const {
    return has_lines ? Place{name, mark.line + 1, mark.column + 1} : Place{name, 0, 0};
  }
  [[noreturn]] void fail(const YAML::Mark& mark, const std::string& message) const {
    throw InputError(place(mark).mark(), message);
  }
};

// Builds the tree and refuses what yaml-cpp lets pass.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(Source source) : source_(std::move(source)) {}

  bool complete() const { return complete_; }
  Value take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (complete_) source_.fail(mark, "text after the end of the document: a scenario is one YAML document");
  }
  void OnDocumentEnd() override { complete_ = true; }

  void OnAnchor(const YAML::Mark& mark, const std::string&) override { refuse_alias(mark); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { refuse_alias(mark); }

  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    if (wants_key()) source_.fail(mark, "a key is missing: every entry of a map is written 'key: value'");
    Place place = source_.place(mark);
    // yaml-cpp places an absent value at whatever comes next.
    if (!open_.empty() && in_map() && place.line != open_.back().key_place.line)
      place = open_.back().key_place;
    add(Value(), std::move(place));
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                const std::string& text) override {
    const bool plain = tag == plain_tag;
    if (!plain && tag != quoted_tag) refuse_tag(mark, tag);
    if (wants_key()) return begin_entry(mark, text);
    const Place place = source_.place(mark);
    add(plain ? plain_scalar(text, place.mark()) : Value(text), place);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, Value::list());
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, Value::map());
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

 private:
  struct Container {
    Value value;
    std::optional<std::string> key;  // of the entry whose value comes next
    Place key_place;
  };

  bool in_map() const { return open_.back().value.is(Value::Type::map); }
  bool wants_key() const { return !open_.empty() && in_map() && !open_.back().key; }

  [[noreturn]] void refuse_alias(const YAML::Mark& mark) const {
    source_.fail(mark, "anchors (&) and aliases (*) are not accepted: write the value out or use include");
  }
  [[noreturn]] void refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
    source_.fail(mark, fmt::format("the tag '{}' is not accepted: write the value out or use include", tag));
  }

  void begin_entry(const YAML::Mark& mark, const std::string& key) {
    Container& map = open_.back();
    if (key == "<<")
      source_.fail(mark, "merge keys (<<) are not accepted: write the value out or use include");
    if (key.size() > max_key_bytes)
      source_.fail(mark, fmt::format("a key may be at most {} bytes long", max_key_bytes));
    if (const Value* earlier = map.value.find(key))
      source_.fail(mark,
                   fmt::format("duplicate key '{}', its first value is at line {}: a key may stand once", key,
                               earlier->place().line));
    map.key = key;
    map.key_place = source_.place(mark);
  }

  void open(const YAML::Mark& mark, const std::string& tag, Value container) {
    if (!tag.empty() && tag != plain_tag) refuse_tag(mark, tag);
    if (wants_key())
      source_.fail(mark, "a key must be plain text, not a list or a map (or is a bracket left open?)");
    if (open_.size() == max_nesting)
      source_.fail(mark, fmt::format("nested deeper than the allowed {} levels", max_nesting));
    container.set_place(source_.place(mark));
    open_.push_back({std::move(container), std::nullopt, {}});
  }

  void close() {
    Value value = std::move(open_.back().value);
    open_.pop_back();
    Place place = value.place();
    add(std::move(value), std::move(place));
  }

  void add(Value value, Place place) {
    if (++count_ > max_values)
      throw InputError(place.mark(), fmt::format("more than the allowed {} values in one file", max_values));
    value.set_place(std::move(place));
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (in_map()) {
      Container& map = open_.back();
      map.value.set(*std::exchange(map.key, std::nullopt), std::move(value), map.key_place);
    } else {
      open_.back().value.items().push_back(std::move(value));
    }
  }

  Source source_;
  std::vector<Container> open_;
  Value root_;
  std::size_t count_ = 0;
  bool complete_ = false;
};

// yaml-cpp's messages in the words of someone who writes scenarios.
std::string reworded(const std::string& message) {
  using namespace YAML::ErrorMsg;
  const std::array<std::pair<std::string, const char*>, 14> table = {{
      {END_OF_MAP, "this line does not fit the map it stands in: check the indentation and the colon"},
      {END_OF_MAP_FLOW, "a '{' is not closed, or a ',' is missing between its entries"},
      {END_OF_SEQ, "this line does not fit the list it stands in: check the indentation and the '-'"},
      {END_OF_SEQ_FLOW, "a '[' is not closed, or a ',' is missing between its entries"},
      {UNKNOWN_TOKEN, "a character that cannot begin a value: quote the text"},
      {EOF_IN_SCALAR, "a quoted text is not closed"},
      {DOC_IN_SCALAR, "a quoted text is not closed before the end of the document"},
      {TAB_IN_INDENTATION, "a tab in the indentation: use spaces"},
      {FLOW_END, "a closing bracket without its opening one"},
      {BLOCK_ENTRY, "a '-' that begins no list here: put it on a line of its own"},
      {MAP_KEY, "a key cannot stand here: check the indentation"},
      {MAP_VALUE, "a ':' cannot stand here: check the indentation, or quote text that contains ': '"},
      {UNKNOWN_ANCHOR, "anchors (&) and aliases (*) are not accepted: write the value out or use include"},
      {CHAR_IN_SCALAR, "a character that cannot stand in plain text: quote the text"},
  }};
  for (const auto& [theirs, ours] : table)
    if (message == theirs) return ours;
  return "not valid YAML: " + message;
}

Value parse_document(std::string_view text, const Source& source) {
  TreeBuilder builder(source);
  try {
    // yaml-cpp takes the end of the file for the end of a quoted text; an end mark it does not.
    std::istringstream stream{fmt::format("{}{}...\n", text, text.ends_with('\n') ? "" : "\n")};
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) continue;
  } catch (const InputError&) {
    throw;
  } catch (const YAML::Exception& error) {
    source.fail(error.mark, reworded(error.msg));
  } catch (const std::exception& error) {
    throw InputError(Place{source.name, 0, 0}.mark(), std::string("not valid YAML: ") + error.what());
  }
  if (!builder.complete()) throw InputError(Place{source.name, 1, 1}.mark(), "the document is empty");
  return builder.take();
}

}  // namespace

Value parse_yaml(std::string_view text, const std::string& file_name) {
  check_source_text(text, file_name);
  Value root = parse_document(text, {std::make_shared<const std::string>(file_name), true});
  if (root.is(Value::Type::null)) throw InputError(SourceMark{file_name, 1, 1}, "the document is empty");
  if (!root.is(Value::Type::map))
    throw InputError(root.mark(),
                     "the top level must be a map of keys such as 'time:', found " + describe_found(root));
  return root;
}

Value parse_flow_value(std::string_view text, const std::string& name) {
  check_source_text(text, name);
  // Inside brackets only flow style is possible; the line break keeps a comment from hiding the bracket.
  const std::string list = fmt::format("[{}\n]", text);
  Value root = parse_document(list, {std::make_shared<const std::string>(name), false});
  const SourceMark mark{name, 0, 0};
  if (!root.is(Value::Type::list)) throw InputError(mark, "the value is not one YAML value");
  if (root.items().empty()) throw InputError(mark, "the value is missing: write \"\" for an empty text");
  if (root.items().size() > 1)
    throw InputError(mark, "more than one value: write [a, b] for a list, or quote a text with commas");
  return std::move(root.items().front());
}

}  // namespace hardpan::scenario
