#include <algorithm>

#include <fmt/core.h>

#include "hardpan/core/text.h"
#include "hardpan/scenario/doc_sections.h"
#include "hardpan/scenario/schema.h"

namespace hardpan::scenario {
namespace {

constexpr std::size_t line_width = 100;
constexpr std::size_t gap = 2;
// Widest each column but the last may grow.
constexpr std::size_t widest[] = {20, 16, 13, 18};

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (text.size() > width) {
    const std::size_t space = text.rfind(' ', width);
    const bool breakable = space != std::string_view::npos && space > 0;
    lines.emplace_back(text.substr(0, breakable ? space : width));
    text.remove_prefix(breakable ? space + 1 : width);
  }
  lines.emplace_back(text);
  return lines;
}

std::vector<std::size_t> column_widths(const DocSection& section) {
  std::vector<std::size_t> widths;
  std::size_t used = 0;
  for (std::size_t column = 0; column + 1 < section.header.size(); ++column) {
    std::size_t width = section.header[column].size();
    for (const DocRow& row : section.rows) width = std::max(width, row[column].size());
    widths.push_back(std::min(width, widest[column]));
    used += widths.back() + gap;
  }
  widths.push_back(line_width - used);
  return widths;
}

std::string table_row(const DocRow& cells, const std::vector<std::size_t>& widths) {
  std::vector<std::vector<std::string>> columns;
  std::size_t height = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    columns.push_back(wrapped(cells[i], widths[i]));
    height = std::max(height, columns.back().size());
  }
  std::string text;
  for (std::size_t line = 0; line < height; ++line) {
    std::string out;
    for (std::size_t i = 0; i < cells.size(); ++i)
      out += fmt::format("{:<{}}", line < columns[i].size() ? columns[i][line] : "", widths[i] + gap);
    out.erase(out.find_last_not_of(' ') + 1);
    text += out + "\n";
  }
  return text;
}

std::string paragraph(std::string_view text) { return join(wrapped(text, line_width), "\n") + "\n"; }

std::string section_text(const DocSection& section) {
  std::string text = fmt::format("{}\n{:=<{}}\n", section.title, "", section.title.size());
  if (!section.doc.empty()) text += paragraph(section.doc);
  const auto widths = column_widths(section);
  text += '\n';
  text += table_row(section.header, widths);
  for (const DocRow& row : section.rows) text += table_row(row, widths);
  if (!section.rules.empty()) text += "\n";
  for (const std::string& rule : section.rules) text += paragraph("* " + rule);
  return text;
}

std::string sections_text(const std::vector<DocSection>& sections) {
  std::string text;
  for (const DocSection& section : sections) {
    if (!text.empty()) text += '\n';
    text += section_text(section);
  }
  return text;
}

// Everything with a name, in the order of the manual.
class Topics {
 public:
  explicit Topics(const Object& language) {
    for (const Field& field : language.fields) add_field(field, field.name, true);
    const DocSection fields = field_table_section();
    entries_.push_back({{fields.title, fields.doc}, {fields.title}, true, {fields}});
  }

  struct Entry {
    Topic topic;
    std::vector<std::string> names;  // any of these finds it
    bool listed;                     // leaves deep in the tree are found, but would drown the list
    std::vector<DocSection> sections;
  };
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  void add_field(const Field& field, const std::string& path, bool listed) {
    const Type& inner = field.type.innermost();
    const bool top = path == field.name;
    listed = listed && field.explained_at.empty();
    entries_.push_back({{path, field.doc},
                        {path},
                        listed && (top || !inner.objects.empty()),
                        sections_of_field(field, path)});
    if (inner.kind == Type::Kind::object)
      for (const Field& child : inner.objects.front().fields)
        add_field(child, path + "." + child.name, listed);
    if (inner.kind == Type::Kind::kinds)
      for (const Object& variant : inner.objects) add_kind(inner, variant, path + "." + variant.name, listed);
  }

  void add_kind(const Type& family, const Object& variant, const std::string& path, bool listed) {
    entries_.push_back(
        {{variant.name, variant.doc}, {variant.name, path}, listed, sections_of_kind(family, variant, path)});
    for (const Field& child : variant.fields) add_field(child, path + "." + child.name, listed);
  }

  std::vector<Entry> entries_;
};

}  // namespace

std::string describe(const Object& language, std::string_view name) {
  if (name == language.name) return section_text(overview(language));
  const Topics topics(language);
  std::vector<std::string> known;
  for (const Topics::Entry& entry : topics.entries())
    for (const std::string& candidate : entry.names) {
      if (candidate == name) return sections_text(entry.sections);
      known.push_back(candidate);
    }
  throw InputError(
      fmt::format("nothing in the scenario language is called '{}'{}", name, did_you_mean(name, known)));
}

std::vector<Topic> describable_names(const Object& language) {
  std::vector<Topic> names = {{language.name, "all top-level keys"}};
  const Topics topics(language);
  for (const Topics::Entry& entry : topics.entries())
    if (entry.listed) names.push_back(entry.topic);
  return names;
}

}  // namespace hardpan::scenario
