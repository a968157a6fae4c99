// The description of a language cut into sections with tables of words, for the terminal and the manual.
#pragma once

#include <string>
#include <vector>

#include "hardpan/scenario/spec.h"

namespace hardpan::scenario {

using DocRow = std::vector<std::string>;  // a cell per column

struct DocSection {
  std::string title;
  std::string doc;
  DocRow header;
  std::vector<DocRow> rows;
  std::vector<std::string> rules;
};

// The section of a field, followed by those of the objects and kinds inside it.
std::vector<DocSection> sections_of_field(const Field& field, const std::string& title);
std::vector<DocSection> sections_of_kind(const Type& family, const Object& variant, const std::string& title);

// One row per top-level key.
DocSection overview(const Object& language);

// What can be observed.
DocSection field_table_section();

}  // namespace hardpan::scenario
