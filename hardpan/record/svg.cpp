#include "hardpan/record/svg.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/core.h>

#include "hardpan/record/html.h"
#include "hardpan/record/plot_axis.h"

namespace hardpan::record {
namespace {

// Okabe and Ito's colours, which colour-blind people can tell apart (jfly.uni-koeln.de/color); their yellow,
// too pale on white, is replaced by a grey. Further curves repeat them with dashes.
constexpr std::array<const char*, 8> colours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                "#e69f00", "#56b4e9", "#000000", "#8a8a8a"};
constexpr std::array<const char*, 4> dashes = {"", "7 3", "2 3", "9 3 2 3"};

// px
constexpr double panel_height = 250, one_column_width = 820, two_column_width = 600, gap = 14, header = 46;
constexpr double left = 74, right = 18, top = 34, bottom = 46;  // around the plot, inside a panel
constexpr double character = 6.4;                               // width of an average letter at 11 px
constexpr std::size_t longest_label = 24;                       // letters in a legend
constexpr std::size_t most_points = 1500;
constexpr std::size_t two_columns_from = 5;  // panels

bool continues_letter(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }  // UTF-8

std::size_t letters(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !continues_letter(c); }));
}

// The end of a name tells more than its beginning.
std::string shortened(const std::string& text, std::size_t limit) {
  if (letters(text) <= limit) return text;
  std::size_t at = text.size();
  for (std::size_t kept = 0; kept + 1 < limit; ++kept) do
      --at;
    while (continues_letter(text[at]));
  return "…" + text.substr(at);
}

std::string with_exponent(const std::string& label, int exponent) {
  if (exponent == 0) return label;
  static constexpr std::array<const char*, 10> raised = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = label + (label.empty() ? "×10" : "  ×10");
  for (char c : std::to_string(exponent)) text += c == '-' ? "⁻" : raised[static_cast<std::size_t>(c - '0')];
  return text;
}

std::string text_at(double x, double y, const char* style, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, style, html::escape(text));
}

std::string line_at(double x1, double y1, double x2, double y2, const char* kind) {
  return fmt::format("<path class=\"{}\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>\n", kind, x1, y1, x2, y2);
}

std::string stroke(std::size_t index) {
  const char* dash = dashes[index / colours.size() % dashes.size()];
  const std::string pattern = *dash ? fmt::format(" stroke-dasharray=\"{}\"", dash) : "";
  return fmt::format("stroke=\"{}\"{}", colours[index % colours.size()], pattern);
}

// Where the plot of a panel lies on the page, and how data map to it.
struct Frame {
  double x0 = 0, y0 = 0, width = 0, height = 0;
  Axis x, y;

  double px(double value) const { return x0 + (value - x.range.low) / (x.range.high - x.range.low) * width; }
  double py(double value) const {
    return y0 + height - (value - y.range.low) / (y.range.high - y.range.low) * height;
  }
};

// The same for all panels, so that their time axes stand below each other.
double legend_width(std::span<const Panel> panels) {
  std::size_t longest = 0;
  for (const Panel& panel : panels)
    for (const Curve& curve : panel.curves) longest = std::max(longest, letters(curve.label));
  if (longest == 0) return 0;
  return 32 + character * static_cast<double>(std::min(longest, longest_label));
}

Frame frame_of(const Panel& panel, double x, double y, double width) {
  RangeFinder across, along;
  for (const Curve& curve : panel.curves) {
    along.add(curve.x);
    across.add(curve.y);
  }
  return {x + left,
          y + top,
          width - left - right,
          panel_height - top - bottom,
          make_axis(along.range(), 8, false),
          make_axis(across.range(), 5, true)};
}

std::string draw_axes(const Panel& panel, const Frame& frame) {
  std::string out;
  const double end_x = frame.x0 + frame.width, end_y = frame.y0 + frame.height;
  for (std::size_t i = 0; i < frame.x.ticks.size(); ++i) {
    const double x = frame.px(frame.x.ticks[i]);
    out += line_at(x, frame.y0, x, end_y, "grid");
    out += text_at(x, end_y + 15, "class=\"tick\" text-anchor=\"middle\"", frame.x.labels[i]);
  }
  for (std::size_t i = 0; i < frame.y.ticks.size(); ++i) {
    const double y = frame.py(frame.y.ticks[i]);
    out += line_at(frame.x0, y, end_x, y, "grid");
    out += text_at(frame.x0 - 6, y + 4, "class=\"tick\" text-anchor=\"end\"", frame.y.labels[i]);
  }
  out +=
      line_at(frame.x0, end_y, end_x, end_y, "axis") + line_at(frame.x0, frame.y0, frame.x0, end_y, "axis");
  out += text_at(frame.x0 + frame.width / 2, end_y + 34, "class=\"label\" text-anchor=\"middle\"",
                 with_exponent(panel.x_label, frame.x.exponent));
  const double label_x = frame.x0 - left + 14, middle = frame.y0 + frame.height / 2;
  const std::string turned = fmt::format(
      "class=\"label\" text-anchor=\"middle\" transform=\"rotate(-90 {:.1f} {:.1f})\"", label_x, middle);
  out += text_at(label_x, middle, turned.c_str(), with_exponent(panel.y_label, frame.y.exponent));
  return out;
}

std::string draw_curve(const Curve& curve, const Frame& frame, std::size_t index) {
  std::string path;
  for (const auto& line : thin(curve.x, curve.y, most_points)) {
    const char* command = "M";
    for (const Point& point : line) {
      path += fmt::format("{}{:.1f} {:.1f}", command, frame.px(point.x), frame.py(point.y));
      command = "L";
    }
    if (line.size() == 1) path += "h0";  // round line ends make it a dot
  }
  if (path.empty()) return "";
  return fmt::format("<path class=\"curve\" {} d=\"{}\"/>\n", stroke(index), path);
}

std::string draw_legend(const Panel& panel, const Frame& frame) {
  std::string out;
  const double x = frame.x0 + frame.width + 12;
  const double spacing =
      std::min(16.0, frame.height / std::max(1.0, static_cast<double>(panel.curves.size())));
  for (std::size_t i = 0; i < panel.curves.size(); ++i) {
    if (panel.curves[i].label.empty()) continue;
    const double y = frame.y0 + 8 + spacing * static_cast<double>(i);
    out += fmt::format("<path class=\"curve\" {} d=\"M{:.1f} {:.1f}h16\"/>\n", stroke(i), x, y);
    out += text_at(x + 21, y + 4, "class=\"tick\"", shortened(panel.curves[i].label, longest_label));
  }
  return out;
}

// `width` is without the legend, which stands to the right.
std::string draw_panel(const Panel& panel, double x, double y, double width) {
  const Frame frame = frame_of(panel, x, y, width);
  std::string out = "<g>\n" + text_at(frame.x0, y + 20, "class=\"panel\"", panel.title);
  out += draw_axes(panel, frame);
  for (std::size_t i = 0; i < panel.curves.size(); ++i) out += draw_curve(panel.curves[i], frame, i);
  return out + draw_legend(panel, frame) + "</g>\n";
}

std::string document(double width, double height, const std::string& title, const std::string& body) {
  return fmt::format(R"(<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="{0:.0f}" height="{1:.0f}" viewBox="0 0 {0:.0f} {1:.0f}">
<title>{2}</title>
<style>
text {{ font-family: "DejaVu Sans", Verdana, sans-serif; fill: #222 }}
.title {{ font-size: 17px; font-weight: bold }} .panel {{ font-size: 13px; font-weight: bold }}
.label {{ font-size: 12px }} .tick {{ font-size: 11px; fill: #444 }}
path {{ fill: none }} .grid {{ stroke: #e3e3e3 }} .axis {{ stroke: #666 }}
.curve {{ stroke-width: 1.6; stroke-linejoin: round; stroke-linecap: round }}
</style>
<rect width="100%" height="100%" fill="#fdfdfc"/>
)",
                     width, height, html::escape(title)) +
         text_at(16, 28, "class=\"title\"", title) + body + "</svg>\n";
}

struct ColumnName {
  std::string thing, last;  // "bob.position", "x"; thing is empty for a name without dots
};

ColumnName split_name(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == name.npos) return {"", name};
  return {name.substr(0, dot), name.substr(dot + 1)};
}

std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : name + " [" + unit + "]";
}

// A panel of one curve tells the whole name in its title and needs no legend.
Panel panel_of(const Table& table, std::span<const std::size_t> columns) {
  const Column& first = table.columns[columns[0]];
  const bool is_alone = columns.size() == 1;
  const std::string title = is_alone ? first.name : split_name(first.name).thing;
  Panel panel{title,
              with_unit(table.columns[0].name, table.columns[0].unit),
              with_unit(split_name(title).last, first.unit),
              {}};
  for (std::size_t i : columns)
    panel.curves.push_back(
        {is_alone ? "" : split_name(table.columns[i].name).last, table.column(0), table.column(i)});
  return panel;
}

}  // namespace

std::string draw(const std::string& title, std::span<const Panel> panels) {
  const std::size_t columns = panels.size() >= two_columns_from ? 2 : 1;
  const double panel_width = columns == 1 ? one_column_width : two_column_width;
  const std::size_t rows = (panels.size() + columns - 1) / columns;
  const double plot_width = panel_width - legend_width(panels);
  std::string body;
  for (std::size_t i = 0; i < panels.size(); ++i)
    body += draw_panel(panels[i], static_cast<double>(i % columns) * panel_width,
                       header + static_cast<double>(i / columns) * (panel_height + gap), plot_width);
  return document(panel_width * static_cast<double>(columns),
                  header + static_cast<double>(rows) * (panel_height + gap), title, body);
}

std::string draw_inline(const std::string& title, std::span<const Panel> panels) {
  const std::string text = draw(title, panels);
  return text.substr(text.find("<svg"));
}

std::vector<Panel> panels_of(const Table& table) {
  if (table.columns.empty()) return {};
  std::vector<std::vector<std::size_t>> groups;
  std::map<std::pair<std::string, std::string>, std::size_t> place;  // of (thing, unit) in groups
  for (std::size_t i = 1; i < table.columns.size(); ++i) {
    const auto& [name, unit] = table.columns[i];
    const std::string thing = split_name(name).thing;
    const auto [it, is_new] = place.try_emplace({thing.empty() ? name : thing, unit}, groups.size());
    if (is_new) groups.emplace_back();
    groups[it->second].push_back(i);
  }
  std::vector<Panel> panels;
  for (const auto& group : groups) panels.push_back(panel_of(table, group));
  return panels;
}

}  // namespace hardpan::record
