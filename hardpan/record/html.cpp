#include "hardpan/record/html.h"

#include <cmath>

#include <fmt/core.h>

namespace hardpan::record::html {
namespace {

const char* alignment(bool is_number) { return is_number ? " class=\"n\"" : ""; }

bool is_control(char c) {
  return (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f;
}

}  // namespace

std::string escape(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (char c : text) switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += is_control(c) ? ' ' : c;
    }
  return out;
}

std::string_view beginning(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xc0) == 0x80) --bytes;
  return text.substr(0, bytes);
}

std::string clipped(std::string_view text, std::size_t bytes) {
  return escape(beginning(text, bytes)) + (text.size() > bytes ? "…" : "");
}

std::string number(double value, int digits) {
  if (std::isnan(value)) return "not a number";
  if (std::isinf(value)) return value > 0 ? "infinite" : "-infinite";
  return fmt::format("{:.{}g}", value, digits);
}

Cell text(std::string_view text) { return {clipped(text), false}; }
Cell value(double value, int digits) { return {number(value, digits), true}; }

Table::Table(const std::vector<Heading>& headings, std::size_t most_bytes)
    : columns_(headings.size()), most_bytes_(most_bytes) {
  out_ = "<div class=\"scroll\"><table>\n<thead><tr>";
  for (const Heading& heading : headings)
    out_ += fmt::format("<th scope=\"col\"{}>{}</th>", alignment(heading.is_number), clipped(heading.text));
  out_ += "</tr></thead>\n<tbody>\n";
}

void Table::row(const std::vector<Cell>& cells) {
  ++rows_;
  if (left_out_ > 0 || out_.size() > most_bytes_) {
    ++left_out_;
    return;
  }
  out_ += "<tr>";
  for (std::size_t i = 0; i < cells.size(); ++i)
    out_ += i == 0 ? fmt::format("<th scope=\"row\">{}</th>", cells[i].html)
                   : fmt::format("<td{}>{}</td>", alignment(cells[i].is_number), cells[i].html);
  out_ += "</tr>\n";
}

std::string Table::html(std::string_view source) const {
  std::string rest;
  if (left_out_ > 0)
    rest = fmt::format("<tr><td colspan=\"{}\">… and {} more: see {}</td></tr>\n", columns_, left_out_,
                       escape(source));
  return out_ + rest + "</tbody></table></div>\n";
}

std::string section(std::string_view id, std::string_view title, const std::string& body) {
  return fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n{}</section>\n", id, escape(title), body);
}

std::string note(std::string_view text) { return fmt::format("<p class=\"note\">{}</p>\n", clipped(text)); }

}  // namespace hardpan::record::html
