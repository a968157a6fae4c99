#include "hardpan/meshfree/cloud.h"

#include <algorithm>
#include <cmath>

namespace hardpan::meshfree {
namespace {

// Of one axis: places, lengths of cells, and which way is out.
struct Line {
  std::vector<double> at, length, outward;
};

Line line(double low, double high, std::size_t count) {
  Line line;
  const double d = (high - low) / static_cast<double>(count - 1);
  for (std::size_t i = 0; i < count; ++i) {
    const bool first = i == 0, last = i + 1 == count;
    line.at.push_back(last ? high : low + static_cast<double>(i) * d);
    line.length.push_back(first || last ? 0.5 * d : d);
    line.outward.push_back(first ? -1 : last ? 1 : 0);
  }
  return line;
}

// Squares between neighbours on the six sides.
std::vector<std::vector<std::array<std::uint32_t, 4>>> sides_of_lattice(
    const std::array<std::size_t, 3>& counts) {
  const std::array<std::size_t, 3> stride = {1, counts[0], counts[0] * counts[1]};
  std::vector<std::vector<std::array<std::uint32_t, 4>>> sides;
  for (std::size_t a = 0; a < 3; ++a) {
    const std::size_t b = (a + 1) % 3, c = (a + 2) % 3;
    for (const bool high : {false, true}) {
      auto& faces = sides.emplace_back();
      for (std::size_t j = 0; j + 1 < counts[c]; ++j)
        for (std::size_t i = 0; i + 1 < counts[b]; ++i) {
          const std::size_t at = (high ? counts[a] - 1 : 0) * stride[a] + i * stride[b] + j * stride[c];
          std::array corners = {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + stride[b]),
                                static_cast<std::uint32_t>(at + stride[b] + stride[c]),
                                static_cast<std::uint32_t>(at + stride[c])};
          if (!high) std::swap(corners[1], corners[3]);
          faces.push_back(corners);
        }
    }
  }
  return sides;
}

}  // namespace

Cloud box_lattice(const Vec3& low, const Vec3& high, const std::array<std::size_t, 3>& counts) {
  Cloud cloud;
  std::array<Line, 3> lines;
  for (std::size_t a = 0; a < 3; ++a) {
    const auto axis = static_cast<Eigen::Index>(a);
    lines[a] = line(low[axis], high[axis], counts[a]);
    cloud.spacing = std::max(cloud.spacing, (high - low)[axis] / static_cast<double>(counts[a] - 1));
  }
  const auto& [x, y, z] = lines;
  for (std::size_t k = 0; k < counts[2]; ++k)
    for (std::size_t j = 0; j < counts[1]; ++j)
      for (std::size_t i = 0; i < counts[0]; ++i) {
        const Vec3 cell(x.length[i], y.length[j], z.length[k]);
        const Vec3 outward(x.outward[i], y.outward[j], z.outward[k]);
        const double volume = cell.prod();
        cloud.position.emplace_back(x.at[i], y.at[j], z.at[k]);
        cloud.volume.push_back(volume);
        cloud.area.push_back(volume * outward.cwiseQuotient(cell));
        cloud.on_surface.push_back(!outward.isZero(0));
      }
  cloud.counts = counts;
  cloud.sides = sides_of_lattice(counts);
  return cloud;
}

std::array<std::size_t, 3> lattice_counts(const Vec3& size, double spacing) {
  std::array<std::size_t, 3> counts;
  for (std::size_t a = 0; a < 3; ++a)
    counts[a] =
        1 + static_cast<std::size_t>(std::max(1.0, std::round(size[static_cast<Eigen::Index>(a)] / spacing)));
  return counts;
}

}  // namespace hardpan::meshfree
