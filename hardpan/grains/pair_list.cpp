#include "hardpan/grains/pair_list.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "hardpan/core/parallel.h"
#include "hardpan/math/pack.h"
#include "hardpan/math/widest.h"

namespace hardpan::grains {
namespace {

constexpr std::size_t chunk = 256;  // spheres

bool same_clump(const std::vector<std::uint32_t>& clump, std::size_t i, std::size_t j) {
  return !clump.empty() && clump[i] == clump[j] && clump[i] != 0xffffffff;
}

// Those among others that are near one sphere.
template <std::size_t width>
struct NearOnes {
  const Columns& at;
  std::span<const double> reach;
  const Space& space;

  // Of sphere i and others, numbers of each.
  template <class T>
  [[gnu::always_inline]] auto is_near(std::size_t i, const Vector3<T>& place, const T& others_reach) const {
    const Vec x = at[i];
    const Vector3<T> way = space.shortest(place - Vector3<T>{T(x.x), T(x.y), T(x.z)});
    const T both = T(reach[i]) + others_reach;
    return both * both > dot(way, way);
  }
  // visit(j), from `begin` to `end`.
  template <class Visit>
  [[gnu::always_inline]] void each(std::size_t i, std::size_t begin, std::size_t end,
                                   const Visit& visit) const {
    std::size_t j = begin;
    for (; j < end && j + width <= at.size(); j += width) {
      const Vector3<PackOf<width>> places{load_pack<width>(&at.x[j]), load_pack<width>(&at.y[j]),
                                          load_pack<width>(&at.z[j])};
      const auto near = is_near(i, places, load_pack<width>(&reach[j]));
      const auto among = PackMaskOf<width>::first(std::min(width, end - j));
      for (std::uint32_t left = near.bits() & among.bits(); left > 0; left &= left - 1)
        visit(j + static_cast<std::size_t>(std::countr_zero(left)));
    }
    for (; j < end; ++j)
      if (is_near(i, at[j], reach[j])) visit(j);
  }
};

}  // namespace

void PairList::build(const CellGrid& grid, const Spheres& spheres, const Space& space) {
  const auto& [at, reach, clump] = spheres;
  const std::size_t count = at.size();
  std::vector<std::vector<std::uint32_t>> found_by_chunk((count + chunk - 1) / chunk);
  start_.assign(count + 1, 0);
  parallel_for(
      count,
      [&](std::size_t begin, std::size_t end) {
        on_widest([&]<std::size_t width>() {
          thread_local std::vector<std::uint32_t> found;
          found.clear();
          const NearOnes<width> near_ones{at, reach, space};
          grid.each_cell(static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end),
                         [&](const CellGrid::Stretch& own, CellGrid::Stretches around) {
                           std::ranges::sort(around, {}, &CellGrid::Stretch::begin);
                           for (std::size_t i = own.begin; i < own.end; ++i) {
                             const std::size_t before = found.size();
                             for (const auto& [from, to] : around)
                               near_ones.each(i, std::max<std::size_t>(from, i + 1), to, [&](std::size_t j) {
                                 if (!same_clump(clump, i, j)) found.push_back(static_cast<std::uint32_t>(j));
                               });
                             start_[i + 1] = static_cast<std::uint32_t>(found.size() - before);
                           }
                         });
          found_by_chunk[begin / chunk] = found;
        });
      },
      chunk);
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  make_room(second_, start_[count]);
  second_.resize(start_[count]);
  parallel_for(
      count,
      [&](std::size_t begin, std::size_t) {
        std::ranges::copy(found_by_chunk[begin / chunk], second_.begin() + start_[begin]);
      },
      chunk);
}

void PairList::renumber(std::span<const std::uint32_t> order) {
  const std::vector<std::uint32_t> start = std::exchange(start_, std::vector(start_.size(), 0u)),
                                   second = std::exchange(second_, std::vector(second_.size(), 0u));
  const auto each = [&](const auto& visit) {  // visit(i, j)
    for (std::size_t k = 0; k < order.size(); ++k)
      for (std::uint32_t n = start[k]; n < start[k + 1]; ++n) {
        const auto [i, j] = std::minmax(order[k], order[second[n]]);
        visit(i, j);
      }
  };
  each([&](std::uint32_t i, std::uint32_t) { ++start_[i + 1]; });
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
  std::vector<std::uint32_t> next = start_;
  each([&](std::uint32_t i, std::uint32_t j) { second_[next[i]++] = j; });
  for (std::size_t i = 0; i < order.size(); ++i)
    std::sort(second_.begin() + start_[i], second_.begin() + start_[i + 1]);
}

}  // namespace hardpan::grains
