#include <fmt/core.h>

#include "hardpan/scenario/doc_sections.h"
#include "hardpan/scenario/schema.h"

namespace hardpan::scenario {
namespace {

// A bar would end the cell.
std::string escaped(const std::string& cell) {
  std::string text;
  for (char c : cell) {
    if (c == '|' || c == '<' || c == '*' || c == '_') text += '\\';
    text += c;
  }
  return text;
}

std::string table_line(const DocRow& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += fmt::format(" {} |", escaped(cell));
  return line + "\n";
}

std::string section_text(const DocSection& section, const char* level) {
  std::string text = fmt::format("{} `{}`\n\n", level, section.title);
  if (!section.doc.empty()) text += section.doc + "\n\n";
  text += table_line(section.header) + "|";
  for (std::size_t i = 0; i < section.header.size(); ++i) text += "---|";
  text += "\n";
  for (const DocRow& row : section.rows) text += table_line(row);
  text += "\n";
  for (const std::string& rule : section.rules) text += "- " + escaped(rule) + "\n";
  return section.rules.empty() ? text : text + "\n";
}

}  // namespace

std::string markdown(const Object& language) {
  std::string text =
      "# Scenario reference\n\n<!-- Written by the program from hardpan/scenario/language.cpp: do not edit. "
      "-->\n\n";
  text += section_text(overview(language), "##");
  for (const Field& field : language.fields) {
    if (field.type.innermost().objects.empty()) continue;  // its row in the overview says all
    const auto sections = sections_of_field(field, field.name);
    for (const DocSection& section : sections)
      text += section_text(section, &section == &sections[0] ? "##" : "###");
  }
  return text + section_text(field_table_section(), "##");
}

}  // namespace hardpan::scenario
