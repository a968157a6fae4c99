#include "hardpan/meshfree/sums.h"

namespace hardpan::meshfree {
namespace {

#pragma GCC diagnostic ignored "-Wpsabi"  // functions that return four numbers are inlined, see math/pack.h

using Quad [[gnu::vector_size(32), gnu::may_alias]] = double;

// What the loops need of the neighbours: entry e has the neighbour index(e) and the slope at(e)[0 to 2].
struct Exact {
  const std::size_t* start;
  const std::uint32_t* neighbour;
  const Vec3* slope;

  [[gnu::always_inline]] std::size_t index(std::size_t e) const { return neighbour[e]; }
  [[gnu::always_inline]] Quad at(std::size_t e) const {
    const double* const s = slope[e].data();
    return Quad{s[0], s[1], s[2], 0.0};
  }
};
struct InSingle {
  const std::size_t* start;
  const NeighbourSums::Rounded* entry;

  [[gnu::always_inline]] std::size_t index(std::size_t e) const { return entry[e].neighbour; }
  [[gnu::always_inline]] Quad at(std::size_t e) const {
    const float* const s = entry[e].slope.data();
    return Quad{s[0], s[1], s[2], 0.0};
  }
};

[[gnu::always_inline]] inline const Quad& quad(const Padded& p) {
  return *reinterpret_cast<const Quad*>(p.x.data());
}
[[gnu::always_inline]] inline Quad& quad(Padded& p) { return *reinterpret_cast<Quad*>(p.x.data()); }

template <class Lists>
[[gnu::always_inline]] inline void outer_all(const Lists& lists, const Padded* u, std::size_t begin,
                                             std::size_t end, PaddedTensor* out) {
  for (std::size_t i = begin; i < end; ++i) {
    Quad x{}, y{}, z{};
    for (std::size_t e = lists.start[i]; e < lists.start[i + 1]; ++e) {
      const Quad& v = quad(u[lists.index(e)]);
      const Quad s = lists.at(e);
      x += v * s[0];
      y += v * s[1];
      z += v * s[2];
    }
    quad(out[i].column[0]) = x;
    quad(out[i].column[1]) = y;
    quad(out[i].column[2]) = z;
  }
}

template <class Lists>
[[gnu::always_inline]] inline void contract_all(const Lists& lists, const PaddedTensor* t, std::size_t begin,
                                                std::size_t end, Padded* out) {
  for (std::size_t i = begin; i < end; ++i) {
    Quad x{}, y{}, z{};
    for (std::size_t e = lists.start[i]; e < lists.start[i + 1]; ++e) {
      const PaddedTensor& other = t[lists.index(e)];
      const Quad s = lists.at(e);
      x += quad(other.column[0]) * s[0];
      y += quad(other.column[1]) * s[1];
      z += quad(other.column[2]) * s[2];
    }
    quad(out[i]) = (x + y) + z;
  }
}

#if defined(__x86_64__) && defined(__OPTIMIZE__)
template <class Lists>
[[gnu::target("avx2")]] void outer_by_fours(const Lists& lists, const Padded* u, std::size_t begin,
                                            std::size_t end, PaddedTensor* out) {
  outer_all(lists, u, begin, end, out);
}
template <class Lists>
[[gnu::target("avx2")]] void contract_by_fours(const Lists& lists, const PaddedTensor* t, std::size_t begin,
                                               std::size_t end, Padded* out) {
  contract_all(lists, t, begin, end, out);
}
const bool fours = __builtin_cpu_supports("avx2");
#endif

template <class Lists>
void outer_with(const Lists& lists, const Padded* u, std::size_t begin, std::size_t end, PaddedTensor* out) {
#if defined(__x86_64__) && defined(__OPTIMIZE__)
  if (fours) return outer_by_fours(lists, u, begin, end, out);
#endif
  outer_all(lists, u, begin, end, out);
}

template <class Lists>
void contract_with(const Lists& lists, const PaddedTensor* t, std::size_t begin, std::size_t end,
                   Padded* out) {
#if defined(__x86_64__) && defined(__OPTIMIZE__)
  if (fours) return contract_by_fours(lists, t, begin, end, out);
#endif
  contract_all(lists, t, begin, end, out);
}

}  // namespace

NeighbourSums::NeighbourSums(const Gradient& gradient) : gradient_(gradient) {
  const auto rounded = [](const Vec3& s, std::uint32_t neighbour) {
    return Rounded{{static_cast<float>(s[0]), static_cast<float>(s[1]), static_cast<float>(s[2])}, neighbour};
  };
  for (std::size_t e = 0; e < gradient.end(gradient.size() - 1); ++e) {
    mirrored_.push_back(gradient.slope(gradient.mirror(e)));
    rounded_.push_back(rounded(gradient.slope(e), gradient.neighbour(e)));
    rounded_mirrored_.push_back(rounded(mirrored_.back(), gradient.neighbour(e)));
  }
}

void NeighbourSums::outer(Kind kind, std::span<const Padded> u, std::size_t begin, std::size_t end,
                          std::span<PaddedTensor> out) const {
  const std::size_t* const start = gradient_.starts().data();
  if (kind.precision == Precision::rounded)
    outer_with(InSingle{start, rounded(kind.slopes).data()}, u.data(), begin, end, out.data());
  else
    outer_with(Exact{start, gradient_.neighbours().data(),
                     kind.slopes == Slopes::own ? &gradient_.slope(0) : mirrored_.data()},
               u.data(), begin, end, out.data());
}

void NeighbourSums::contract(Kind kind, std::span<const PaddedTensor> t, std::size_t begin, std::size_t end,
                             std::span<Padded> out) const {
  const std::size_t* const start = gradient_.starts().data();
  if (kind.precision == Precision::rounded)
    contract_with(InSingle{start, rounded(kind.slopes).data()}, t.data(), begin, end, out.data());
  else
    contract_with(Exact{start, gradient_.neighbours().data(),
                        kind.slopes == Slopes::own ? &gradient_.slope(0) : mirrored_.data()},
                  t.data(), begin, end, out.data());
}

}  // namespace hardpan::meshfree
