// HTML as text. What comes from a run (names, titles, reasons) may hold anything, so everything passes
// `escape`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hardpan::record::html {

// For element content and for attributes in double quotes.
std::string escape(std::string_view text);

// The beginning of a long text, cut between letters (UTF-8).
std::string_view beginning(std::string_view text, std::size_t bytes);

// The same, escaped, with "…" where something was cut.
std::string clipped(std::string_view text, std::size_t bytes = 2000);

// A number that tells apart what nine digits can; words for what is not finite.
std::string number(double value, int digits = 9);

struct Cell {
  std::string html;
  bool is_number = false;
};

Cell text(std::string_view text);
Cell value(double value, int digits = 9);

struct Heading {
  std::string text;        // plain
  bool is_number = false;  // stands to the right, as the column does
};

// Grows up to a size and counts what no longer fits, so that a page stays small whatever the run.
class Table {
 public:
  explicit Table(const std::vector<Heading>& headings, std::size_t most_bytes = 80'000);

  // The first cell names the row.
  void row(const std::vector<Cell>& cells);

  bool empty() const { return rows_ == 0; }
  // `source` is where the rows that did not fit can be found.
  std::string html(std::string_view source) const;

 private:
  std::size_t columns_, most_bytes_, rows_ = 0, left_out_ = 0;
  std::string out_;
};

// <section id="..."><h2>...</h2>...</section>; the body is HTML.
std::string section(std::string_view id, std::string_view title, const std::string& body);

std::string note(std::string_view text);

}  // namespace hardpan::record::html
