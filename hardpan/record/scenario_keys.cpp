#include "hardpan/record/scenario_keys.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

namespace hardpan::record {
namespace {

struct Level {
  std::size_t indent = 0;
  std::string name;
  std::size_t items = 0;  // of a list so far
};

std::string path_of(const std::vector<Level>& levels) {
  std::string path;
  for (const Level& level : levels) path += (path.empty() ? "" : ".") + level.name;
  return path;
}

// Where the colon behind a key stands; npos for a line that is a value only.
std::size_t colon_of(std::string_view line) {
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (quote) {
      if (quote == '"' && line[i] == '\\')
        ++i;
      else if (line[i] == quote)
        quote = 0;
    } else if (i == 0 && (line[i] == '"' || line[i] == '\'')) {
      quote = line[i];
    } else if (line[i] == ':' && (i + 1 == line.size() || line[i + 1] == ' ')) {
      return i;
    }
  }
  return line.npos;
}

// What scenario/scalar.cpp writes into double quotes: \" \\ \n and \xNN.
std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    const char kind = text[++i];
    unsigned char byte = 0;
    if (kind == 'n') {
      out += '\n';
    } else if (kind == 'x' && i + 2 < text.size() &&
               std::from_chars(&text[i + 1], &text[i + 3], byte, 16).ptr == &text[i + 3]) {
      out += static_cast<char>(byte);
      i += 2;
    } else {
      out += kind;
    }
  }
  return out;
}

std::string unquoted(std::string_view text) {
  if (text.size() < 2 || text.front() != text.back()) return std::string(text);
  const std::string_view inside = text.substr(1, text.size() - 2);
  if (text.front() == '"') return unescaped(inside);
  return std::string(text.front() == '\'' ? inside : text);
}

class Reader {
 public:
  void line(std::string_view text) {
    std::size_t indent = std::min(text.find_first_not_of(' '), text.size());
    text.remove_prefix(indent);
    for (; text.starts_with("- "); indent += 2) {
      enter_item(indent);
      text.remove_prefix(2);
    }
    if (text.empty()) return;
    const std::size_t colon = colon_of(text);
    if (colon == text.npos) return value(text);
    leave(indent);
    levels_.push_back({indent, unquoted(text.substr(0, colon)), 0});
    if (colon + 2 < text.size()) value(text.substr(colon + 2));
  }

  std::vector<KeyValue> take() { return std::move(found_); }

 private:
  void leave(std::size_t indent) {
    while (!levels_.empty() && levels_.back().indent >= indent) levels_.pop_back();
  }

  void enter_item(std::size_t indent) {
    leave(indent + 1);
    const bool goes_on = !levels_.empty() && levels_.back().indent == indent;
    const std::size_t item = goes_on ? levels_.back().items : 0;
    leave(indent);
    levels_.push_back({indent, std::to_string(item), item + 1});
  }

  void value(std::string_view text) { found_.push_back({path_of(levels_), std::string(text)}); }

  std::vector<Level> levels_;
  std::vector<KeyValue> found_;
};

}  // namespace

std::vector<KeyValue> scenario_keys(std::string_view yaml) {
  Reader reader;
  while (!yaml.empty()) {
    const std::size_t end = std::min(yaml.find('\n'), yaml.size());
    reader.line(yaml.substr(0, end));
    yaml.remove_prefix(std::min(end + 1, yaml.size()));
  }
  return reader.take();
}

std::string scenario_title(std::string_view yaml) {
  for (const KeyValue& pair : scenario_keys(yaml))
    if (pair.key == "title") return unquoted(pair.value);
  return "";
}

std::vector<KeyDifference> differences(const std::vector<std::string>& yaml_texts) {
  std::vector<KeyDifference> all;
  std::unordered_map<std::string, std::size_t> place;
  for (std::size_t run = 0; run < yaml_texts.size(); ++run)
    for (KeyValue& pair : scenario_keys(yaml_texts[run])) {
      const auto [it, is_new] = place.try_emplace(pair.key, all.size());
      if (is_new) all.push_back({pair.key, std::vector<std::string>(yaml_texts.size())});
      all[it->second].values[run] = std::move(pair.value);
    }
  std::erase_if(all, [](const KeyDifference& d) {
    return std::all_of(d.values.begin(), d.values.end(), [&](const auto& v) { return v == d.values[0]; });
  });
  return all;
}

}  // namespace hardpan::record
