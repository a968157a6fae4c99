#include "hardpan/geometry/height_grid.h"

#include <cmath>

#include <gtest/gtest.h>

#include "hardpan/core/error.h"
#include "hardpan/core/random.h"

namespace hardpan::geometry {
namespace {

constexpr const char* esri = R"(NCOLS 3
nrows 2
xllcorner 500000
yllcorner 4100000
cellsize 0.5
NODATA_value -9999
10 11 12
0 1 2
)";

std::string refusal(std::string_view text) {
  try {
    const HeightText read = parse_heights(text, "h.asc");
    make_height_grid(read.rows, 1, 1);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(HeightGrid, RowsAreY) {
  const HeightText text = parse_heights("# two rows\n 0 1 2\n\n10\t11 1.2e1\n", "h.txt");
  EXPECT_EQ(text.cell_size, 0);
  const HeightGrid grid = make_height_grid(text.rows, 0.5, 2);
  EXPECT_EQ(grid.nx, 3u);
  EXPECT_EQ(grid.ny, 2u);
  EXPECT_EQ(grid.point(2, 1), Vec3(1, 2, 12));
  EXPECT_EQ(grid.point(1, 0), Vec3(0.5, 0, 1));
}

TEST(HeightGrid, EsriRowsRunFromNorthToSouth) {
  const HeightText text = parse_heights(esri, "h.asc");
  EXPECT_EQ(text.cell_size, 0.5);
  EXPECT_EQ(make_height_grid(text.rows, 0.5, 0.5).point(2, 1), Vec3(1, 0.5, 12));
}

TEST(HeightGrid, MessagesNameTheLine) {
  EXPECT_EQ(refusal(""), "h.asc: the file holds no heights");
  EXPECT_EQ(refusal("1 2\n3\n"), "h.asc:2: a row of 1 heights; the first one has 2");
  EXPECT_EQ(refusal("1 2\n3 inf\n"), "h.asc:2: expected a finite number, found 'inf'");
  EXPECT_EQ(refusal("1 2\n"), "a height field needs at least 2 rows of 2 heights, got 1 of 2");
  EXPECT_EQ(refusal("nrows 2\nncols 2\n1 2\n3 4\n"), "h.asc:4: the header of the grid lacks 'cellsize'");
  EXPECT_EQ(refusal("nrows 3\nncols 2\ncellsize 1\n1 2\n3 4\n"),
            "h.asc:5: the header says nrows 3, the file holds 2");
  EXPECT_EQ(refusal("nrows 2\nncols 2\ncellsize 1\nnodata_value 4\n1 2\n3 4\n"),
            "h.asc:6: height 2 of the row is unknown (NODATA_value)");
  EXPECT_EQ(refusal("rows 3\n").substr(0, 40), "h.asc:1: expected a number or one of nco");
}

TEST(HeightGrid, DamagedFilesAreRefusedOrRead) {
  const CounterRandom random(4);
  std::uint64_t k = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    std::string bytes = esri;
    bytes.resize(static_cast<std::size_t>(random.uniform(k++, 0, static_cast<double>(bytes.size()))));
    for (int change = trial % 4; change > 0 && !bytes.empty(); --change) {
      const auto at = static_cast<std::size_t>(random.uniform(k++, 0, static_cast<double>(bytes.size())));
      bytes[at] = static_cast<char>(random.uniform(k++, 0, 256) - 128);
    }
    EXPECT_NO_FATAL_FAILURE(refusal(bytes));
  }
}

}  // namespace
}  // namespace hardpan::geometry
