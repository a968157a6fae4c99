#include "hardpan/record/table.h"

#include <charconv>
#include <optional>

#include <fmt/core.h>

#include "hardpan/core/error.h"
#include "hardpan/core/text.h"

namespace hardpan::record {
namespace {

// RFC 4180: cells with separators are quoted, quotes inside are doubled.
std::string quoted(const std::string& cell) {
  if (cell.find_first_of(",\"") == cell.npos) return cell;
  std::string text = "\"";
  for (char c : cell) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + '"';
}

std::vector<std::string> split(std::string_view line) {
  std::vector<std::string> cells(1);
  bool in_quotes = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool doubled = in_quotes && line.substr(i, 2) == "\"\"";
    if (doubled) {
      cells.back() += line[++i];
    } else if (line[i] == '"') {
      in_quotes = !in_quotes;
    } else if (line[i] == ',' && !in_quotes) {
      cells.emplace_back();
    } else {
      cells.back() += line[i];
    }
  }
  return cells;
}

Column column_of(const std::string& cell) {
  const std::size_t bracket = cell.rfind(" [");
  if (bracket == cell.npos || cell.back() != ']') return {cell, ""};
  return {cell.substr(0, bracket), cell.substr(bracket + 2, cell.size() - bracket - 3)};
}

std::optional<std::vector<double>> parse_row(std::string_view line, std::size_t count) {
  std::vector<double> values;
  values.reserve(count);
  const char* at = line.data();
  const char* const end = at + line.size();
  for (;;) {
    double value = 0;
    const auto result = std::from_chars(at, end, value);
    if (result.ec != std::errc()) return std::nullopt;
    values.push_back(value);
    if (result.ptr == end) break;
    if (*result.ptr != ',') return std::nullopt;
    at = result.ptr + 1;
  }
  return values.size() == count ? std::optional(std::move(values)) : std::nullopt;
}

}  // namespace

std::vector<double> Table::column(std::size_t index) const {
  std::vector<double> values;
  values.reserve(rows.size());
  for (const auto& row : rows) values.push_back(row[index]);
  return values;
}

std::string csv_header(std::span<const Column> columns) {
  std::vector<std::string> cells;
  for (const Column& column : columns) {
    HARDPAN_CHECK((column.name + column.unit).find_first_of("\r\n") == std::string::npos,
                  "a line break in the name of a column");
    cells.push_back(quoted(column.unit.empty() ? column.name : column.name + " [" + column.unit + "]"));
  }
  return join(cells, ",") + "\n";
}

std::string csv_row(std::span<const double> values) {
  std::string line;
  for (double value : values) {
    if (!line.empty()) line += ',';
    line += shortest(value);
  }
  return line += '\n';
}

Table parse_csv(std::string_view text, const std::string& where) {
  Table table;
  int number = 0;
  for (std::size_t end = text.find('\n'); end != text.npos; end = text.find('\n')) {
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    if (++number == 1) {
      for (const std::string& cell : split(line)) table.columns.push_back(column_of(cell));
      continue;
    }
    auto row = parse_row(line, table.columns.size());
    if (!row) throw IoError(fmt::format("{}:{}: not {} numbers", where, number, table.columns.size()));
    table.rows.push_back(std::move(*row));
  }
  return table;
}

}  // namespace hardpan::record
