// Curves for people to look at, as plain SVG: panels with axes at round values, colours that colour-blind
// people can tell apart, a light background. Long curves are thinned such that every spike survives.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "hardpan/record/table.h"

namespace hardpan::record {

struct Curve {
  std::string label;         // "" for a curve that needs none
  std::vector<double> x, y;  // of one length; a value that is not finite breaks the line
};

struct Panel {
  std::string title, x_label, y_label;
  std::vector<Curve> curves;
};

// The whole document. Panels stand below each other, in two columns when there are many.
std::string draw(const std::string& title, std::span<const Panel> panels);
// The same for the inside of an HTML page, which takes no XML declaration.
std::string draw_inline(const std::string& title, std::span<const Panel> panels);

// Every column against the first one (time). Columns "thing.field.x [unit]" that differ in the last part only
// share a panel.
std::vector<Panel> panels_of(const Table& table);

}  // namespace hardpan::record
