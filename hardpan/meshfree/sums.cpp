#include "hardpan/meshfree/sums.h"

#include <cstdlib>
#include <string_view>
#include <unordered_map>

#include "hardpan/math/widest.h"

namespace hardpan::meshfree {
namespace {

using Quad [[gnu::vector_size(32), gnu::may_alias]] = double;
using Lanes [[gnu::vector_size(32)]] = std::int64_t;

[[gnu::always_inline]] inline Quad four(const NeighbourSums::Four<double>& w) {
  return *reinterpret_cast<const Quad*>(w.x.data());
}
[[gnu::always_inline]] inline Quad four(const NeighbourSums::Four<float>& w) {
  return Quad{double{w.x[0]}, double{w.x[1]}, double{w.x[2]}, double{w.x[3]}};
}
[[gnu::always_inline]] inline const Quad& quad(const Wide::Row& row) {
  return *reinterpret_cast<const Quad*>(row.x.data());
}
[[gnu::always_inline]] inline Quad& quad(Wide::Row& row) { return *reinterpret_cast<Quad*>(row.x.data()); }

template <class Number>
struct Lists {
  const std::uint32_t* stencil;
  const std::uint32_t* start;
  const std::int32_t* step;
  const NeighbourSums::Four<Number>* w;
};

// The stencil of a particle, entry by entry, as lists have it.
template <class Number>
struct AnyStencil {
  const Lists<Number>& lists;
  std::uint32_t first, last;

  [[gnu::always_inline]] void each(const auto& visit) const {
    for (std::uint32_t e = first; e < last; ++e) visit(std::ptrdiff_t{lists.step[e]}, four(lists.w[e]));
  }
};

// One of few entries, which fits into registers: of nearest neighbours.
template <std::size_t count>
struct ShortStencil {
  Quad w[count];
  std::ptrdiff_t step[count];

  template <class Number>
  [[gnu::always_inline]] ShortStencil(const Lists<Number>& lists, std::uint32_t first) {
    for (std::size_t k = 0; k < count; ++k) {
      w[k] = four(lists.w[first + k]);
      step[k] = lists.step[first + k];
    }
  }
  [[gnu::always_inline]] void each(const auto& visit) const {
#pragma GCC unroll 7
    for (std::size_t k = 0; k < count; ++k) visit(step[k], w[k]);
  }
};

// run(begin, end, stencil) for particles that follow each other with one stencil.
template <class Number, class Run>
[[gnu::always_inline]] inline void by_runs(const Lists<Number>& lists, std::size_t begin, std::size_t end,
                                           const Run& run) {
  for (std::size_t i = begin, next = begin; i < end; i = next) {
    const std::uint32_t s = lists.stencil[i], first = lists.start[s], last = lists.start[s + 1];
    while (next < end && lists.stencil[next] == s) ++next;
    switch (last - first) {  // inside, on faces, edges and corners of a box
      case 7:
        run(i, next, ShortStencil<7>(lists, first));
        break;
      case 6:
        run(i, next, ShortStencil<6>(lists, first));
        break;
      case 5:
        run(i, next, ShortStencil<5>(lists, first));
        break;
      case 4:
        run(i, next, ShortStencil<4>(lists, first));
        break;
      default:
        run(i, next, AnyStencil<Number>{lists, first, last});
    }
  }
}

template <class Number>
[[gnu::always_inline]] inline void outer_all(const Lists<Number>& lists, const double* u, std::size_t begin,
                                             std::size_t end, Wide* out) {
  by_runs(lists, begin, end, [&](std::size_t first, std::size_t last, const auto& stencil) {
    for (std::size_t i = first; i < last; ++i) {
      const double* const own = u + 3 * i;
      Quad x{}, y{}, z{};
      stencil.each([&](std::ptrdiff_t step, const Quad& w) {
        const double* const v = own + 3 * step;
        x += v[0] * w;
        y += v[1] * w;
        z += v[2] * w;
      });
      Wide& to = out[i - begin];
      quad(to.row[0]) = x;
      quad(to.row[1]) = y;
      quad(to.row[2]) = z;
    }
  });
}

template <class Number>
[[gnu::always_inline]] inline void contract_all(const Lists<Number>& lists, const WideRing& t,
                                                std::size_t begin, std::size_t end, double* out) {
  by_runs(lists, begin, end, [&](std::size_t first, std::size_t last, const auto& stencil) {
    for (std::size_t i = first; i < last; ++i) {
      Quad x{}, y{}, z{};
      stencil.each([&](std::ptrdiff_t step, const Quad& w) {
        const Wide& other = t[i + static_cast<std::size_t>(step)];
        x += quad(other.row[0]) * w;
        y += quad(other.row[1]) * w;
        z += quad(other.row[2]) * w;
      });
      const Quad pairs =
          __builtin_shuffle(x, y, Lanes{0, 4, 2, 6}) + __builtin_shuffle(x, y, Lanes{1, 5, 3, 7});
      out[3 * i] += pairs[0] + pairs[2];
      out[3 * i + 1] += pairs[1] + pairs[3];
      out[3 * i + 2] += (z[0] + z[1]) + (z[2] + z[3]);
    }
  });
}

}  // namespace

NeighbourSums::NeighbourSums(const Gradient& gradient, std::span<const double> ripple) : start_{0} {
  // A stencil: steps to neighbours, and both W.
  using Entry = std::array<double, 9>;
  struct Hash {
    std::size_t operator()(const std::vector<Entry>& entries) const {
      return std::hash<std::string_view>()(
          {reinterpret_cast<const char*>(entries.data()), entries.size() * sizeof(Entry)});
    }
  };
  std::unordered_map<std::vector<Entry>, std::uint32_t, Hash> known;
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    std::vector<Entry> entries;
    for (std::size_t e = gradient.begin(i); e < gradient.end(i); ++e) {
      const std::size_t mirror = gradient.mirror(e);
      const Vec3 &s = gradient.slope(e), &m = gradient.slope(mirror);
      const double step = static_cast<double>(gradient.neighbour(e)) - static_cast<double>(i);
      entries.push_back({step, s[0], s[1], s[2], ripple[e], m[0], m[1], m[2], ripple[mirror]});
    }
    const auto [place, is_new] = known.try_emplace(entries, static_cast<std::uint32_t>(stencils()));
    stencil_.push_back(place->second);
    if (!is_new) continue;
    for (const Entry& entry : entries) {
      step_.push_back(static_cast<std::int32_t>(entry[0]));
      reach_ = std::max(reach_, static_cast<std::size_t>(std::abs(step_.back())));
      for (std::size_t which = 0; which < 2; ++which) {
        const double* const w = &entry[1 + 4 * which];
        exact_[which].push_back({{w[0], w[1], w[2], w[3]}});
        rounded_[which].push_back({{static_cast<float>(w[0]), static_cast<float>(w[1]),
                                    static_cast<float>(w[2]), static_cast<float>(w[3])}});
      }
    }
    start_.push_back(static_cast<std::uint32_t>(step_.size()));
  }
}

void NeighbourSums::outer(Kind kind, const double* u, std::size_t begin, std::size_t end, Wide* out) const {
  const auto with = [&](const auto& w) {
    const Lists lists{stencil_.data(), start_.data(), step_.data(), w.data()};
    on_widest([&] { outer_all(lists, u, begin, end, out); });
  };
  const auto which = static_cast<std::size_t>(kind.slopes);
  kind.precision == Precision::rounded ? with(rounded_[which]) : with(exact_[which]);
}

void NeighbourSums::contract(Kind kind, const WideRing& t, std::size_t begin, std::size_t end,
                             double* out) const {
  const auto with = [&](const auto& w) {
    const Lists lists{stencil_.data(), start_.data(), step_.data(), w.data()};
    on_widest([&] { contract_all(lists, t, begin, end, out); });
  };
  const auto which = static_cast<std::size_t>(kind.slopes);
  kind.precision == Precision::rounded ? with(rounded_[which]) : with(exact_[which]);
}

}  // namespace hardpan::meshfree
