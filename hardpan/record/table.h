// Time series as CSV. The first line names the columns, "bob.position.x [m]"; numbers read back to the same
// bits; "nan", "inf" and "-inf" occur.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hardpan::record {

struct Column {
  std::string name;
  std::string unit;  // "" for none
  bool operator==(const Column&) const = default;
};

struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<double>> rows;  // each as long as `columns`

  std::vector<double> column(std::size_t index) const;
};

// One line each, with its newline.
std::string csv_header(std::span<const Column> columns);
std::string csv_row(std::span<const double> values);

// Up to the last complete line; an empty text is an empty table. IoError with `where`:line otherwise.
Table parse_csv(std::string_view text, const std::string& where);

}  // namespace hardpan::record
