#include "hardpan/geometry/height_grid.h"

#include <algorithm>
#include <map>

#include "hardpan/core/file.h"
#include "hardpan/geometry/text_lines.h"

namespace hardpan::geometry {
namespace {

constexpr std::uint64_t largest_file = std::uint64_t{1} << 30;

std::string lower(std::string_view word) {
  std::string text(word);
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

class HeightReader {
 public:
  HeightReader(std::string_view text, const std::string& name) : lines_(text, name) {}

  HeightText read() {
    HeightText heights;
    while (lines_.next()) {
      const auto& words = lines_.words();
      if (words[0][0] == '#') continue;
      if (heights.rows.empty() && header(words)) continue;
      heights.rows.push_back(row());
      if (heights.rows.back().size() != heights.rows[0].size())
        lines_.fail(fmt::format("a row of {} heights; the first one has {}", heights.rows.back().size(),
                                heights.rows[0].size()));
    }
    if (heights.rows.empty()) lines_.fail("the file holds no heights");
    if (!header_.empty()) close(heights);
    return heights;
  }

 private:
  // nrows, ncols, cellsize, NODATA_value, xllcorner or xllcenter, and the same of y.
  bool header(const std::vector<std::string_view>& words) {
    static const std::vector<std::string> known = {"ncols",     "nrows",     "cellsize",  "nodata_value",
                                                   "xllcorner", "yllcorner", "xllcenter", "yllcenter"};
    const std::string key = lower(words[0]);
    if (key[0] < 'a' || key[0] > 'z') return false;
    if (std::find(known.begin(), known.end(), key) == known.end())
      lines_.fail(fmt::format("expected a number or one of {}, found {}", hardpan::join(known),
                              TextLines::quoted(words[0])));
    if (words.size() != 2) lines_.fail(fmt::format("'{}' needs one number", key));
    header_[key] = lines_.number(words[1]);
    return true;
  }

  std::vector<double> row() const {
    const auto no_data = header_.find("nodata_value");
    std::vector<double> heights;
    for (std::string_view word : lines_.words()) {
      heights.push_back(lines_.number(word));
      if (no_data != header_.end() && heights.back() == no_data->second)
        lines_.fail(fmt::format("height {} of the row is unknown (NODATA_value)", heights.size()));
    }
    return heights;
  }

  void close(HeightText& heights) const {
    for (const char* key : {"ncols", "nrows", "cellsize"})
      if (!header_.contains(key)) lines_.fail(fmt::format("the header of the grid lacks '{}'", key));
    const std::pair<const char*, std::size_t> sizes[] = {{"nrows", heights.rows.size()},
                                                         {"ncols", heights.rows[0].size()}};
    for (const auto& [key, found] : sizes)
      if (header_.at(key) != static_cast<double>(found))
        lines_.fail(
            fmt::format("the header says {} {}, the file holds {}", key, shortest(header_.at(key)), found));
    heights.cell_size = header_.at("cellsize");
    if (!(heights.cell_size > 0)) lines_.fail("cellsize must be positive");
    std::reverse(heights.rows.begin(), heights.rows.end());
  }

  TextLines lines_;
  std::map<std::string, double> header_;
};

}  // namespace

HeightGrid make_height_grid(const std::vector<std::vector<double>>& rows, double dx, double dy) {
  if (rows.size() < 2 || rows[0].size() < 2)
    throw InputError(fmt::format("a height field needs at least 2 rows of 2 heights, got {} of {}",
                                 rows.size(), rows.empty() ? 0 : rows[0].size()));
  HeightGrid grid{rows[0].size(), rows.size(), dx, dy, {}};
  grid.z.reserve(grid.nx * grid.ny);
  for (std::size_t j = 0; j < rows.size(); ++j) {
    if (rows[j].size() != grid.nx)
      throw InputError(fmt::format("row {} of a height field has {} heights, the first one has {}", j + 1,
                                   rows[j].size(), grid.nx));
    grid.z.insert(grid.z.end(), rows[j].begin(), rows[j].end());
  }
  return grid;
}

HeightText parse_heights(std::string_view text, const std::string& name) {
  return HeightReader(text, name).read();
}

HeightText read_heights(const std::filesystem::path& path) {
  const std::string name = path.string();
  return parse_heights(read_file(path, largest_file), name);
}

}  // namespace hardpan::geometry
