#include "hardpan/meshfree/sums.h"

namespace hardpan::meshfree {
namespace {

using Quad [[gnu::vector_size(32), gnu::may_alias]] = double;

// What the loops need of the neighbours.
struct Lists {
  const std::size_t* start;
  const std::uint32_t* index;
  const Vec3* slope;
};

[[gnu::always_inline]] inline const Quad& quad(const Padded& p) {
  return *reinterpret_cast<const Quad*>(p.x.data());
}
[[gnu::always_inline]] inline Quad& quad(Padded& p) { return *reinterpret_cast<Quad*>(p.x.data()); }

[[gnu::always_inline]] inline void outer_all(const Lists& lists, const Padded* u, std::size_t begin,
                                             std::size_t end, PaddedTensor* out) {
  for (std::size_t i = begin; i < end; ++i) {
    Quad x{}, y{}, z{};
    for (std::size_t e = lists.start[i]; e < lists.start[i + 1]; ++e) {
      const Quad& v = quad(u[lists.index[e]]);
      const double* const s = lists.slope[e].data();
      x += v * s[0];
      y += v * s[1];
      z += v * s[2];
    }
    quad(out[i].column[0]) = x;
    quad(out[i].column[1]) = y;
    quad(out[i].column[2]) = z;
  }
}

[[gnu::always_inline]] inline void contract_all(const Lists& lists, const PaddedTensor* t, std::size_t begin,
                                                std::size_t end, Padded* out) {
  for (std::size_t i = begin; i < end; ++i) {
    Quad x{}, y{}, z{};
    for (std::size_t e = lists.start[i]; e < lists.start[i + 1]; ++e) {
      const PaddedTensor& other = t[lists.index[e]];
      const double* const s = lists.slope[e].data();
      x += quad(other.column[0]) * s[0];
      y += quad(other.column[1]) * s[1];
      z += quad(other.column[2]) * s[2];
    }
    quad(out[i]) = (x + y) + z;
  }
}

#if defined(__x86_64__) && defined(__OPTIMIZE__)
[[gnu::target("avx2")]] void outer_by_fours(const Lists& lists, const Padded* u, std::size_t begin,
                                            std::size_t end, PaddedTensor* out) {
  outer_all(lists, u, begin, end, out);
}
[[gnu::target("avx2")]] void contract_by_fours(const Lists& lists, const PaddedTensor* t, std::size_t begin,
                                               std::size_t end, Padded* out) {
  contract_all(lists, t, begin, end, out);
}
const bool fours = __builtin_cpu_supports("avx2");
#endif

}  // namespace

NeighbourSums::NeighbourSums(const Gradient& gradient) : gradient_(gradient) {
  for (std::size_t e = 0; e < gradient.end(gradient.size() - 1); ++e)
    mirrored_.push_back(gradient.slope(gradient.mirror(e)));
}

void NeighbourSums::outer(Slopes which, std::span<const Padded> u, std::size_t begin, std::size_t end,
                          std::span<PaddedTensor> out) const {
  const Lists lists{gradient_.starts().data(), gradient_.neighbours().data(),
                    which == Slopes::own ? &gradient_.slope(0) : mirrored_.data()};
#if defined(__x86_64__) && defined(__OPTIMIZE__)
  if (fours) return outer_by_fours(lists, u.data(), begin, end, out.data());
#endif
  outer_all(lists, u.data(), begin, end, out.data());
}

void NeighbourSums::contract(Slopes which, std::span<const PaddedTensor> t, std::size_t begin,
                             std::size_t end, std::span<Padded> out) const {
  const Lists lists{gradient_.starts().data(), gradient_.neighbours().data(),
                    which == Slopes::own ? &gradient_.slope(0) : mirrored_.data()};
#if defined(__x86_64__) && defined(__OPTIMIZE__)
  if (fours) return contract_by_fours(lists, t.data(), begin, end, out.data());
#endif
  contract_all(lists, t.data(), begin, end, out.data());
}

}  // namespace hardpan::meshfree
