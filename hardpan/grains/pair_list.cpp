#include "hardpan/grains/pair_list.h"

#include <algorithm>

#include "hardpan/core/parallel.h"

namespace hardpan::grains {
namespace {

constexpr std::size_t chunk = 256;  // spheres

bool same_clump(std::span<const std::uint32_t> clump, std::size_t i, std::size_t j) {
  return !clump.empty() && clump[i] == clump[j] && clump[i] != 0xffffffff;
}

}  // namespace

void PairList::build(const CellGrid& grid, const Columns& at, std::span<const Ball> balls, const Space& space,
                     double skin, std::span<const std::uint32_t> clump) {
  const std::size_t count = at.size();
  std::vector<std::vector<std::uint32_t>> found_by_chunk((count + chunk - 1) / chunk);
  start_.assign(count + 1, 0);
  parallel_for(
      count,
      [&](std::size_t begin, std::size_t end) {
        auto& found = found_by_chunk[begin / chunk];
        for (std::size_t i = begin; i < end; ++i) {
          const std::size_t before = found.size();
          const Vec x = at[i];
          grid.neighbours(x, [&](std::uint32_t from, std::uint32_t to) {
            for (std::size_t j = std::max<std::size_t>(from, i + 1); j < to; ++j) {
              const Vec way = space.shortest(at[j] - x);
              const double reach = balls[i].radius + balls[j].radius + skin;
              if (dot(way, way) < reach * reach && !same_clump(clump, i, j))
                found.push_back(static_cast<std::uint32_t>(j));
            }
          });
          std::sort(found.begin() + static_cast<std::ptrdiff_t>(before), found.end());
          start_[i + 1] = static_cast<std::uint32_t>(found.size() - before);
        }
      },
      chunk);
  std::size_t pairs = 0;
  for (const auto& found : found_by_chunk) pairs += found.size();
  make_room(second_, pairs);
  for (const auto& found : found_by_chunk) second_.insert(second_.end(), found.begin(), found.end());
  for (std::size_t i = 0; i < count; ++i) start_[i + 1] += start_[i];
}

}  // namespace hardpan::grains
