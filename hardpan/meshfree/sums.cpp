#include "hardpan/meshfree/sums.h"

namespace hardpan::meshfree {
namespace {

#pragma GCC diagnostic ignored "-Wpsabi"  // functions that return four numbers are inlined, see math/pack.h

using Quad [[gnu::vector_size(32), gnu::may_alias]] = double;
using FloatQuad [[gnu::vector_size(16), gnu::may_alias]] = float;

[[gnu::always_inline]] inline Quad four(const NeighbourSums::Four<double>& w) {
  return *reinterpret_cast<const Quad*>(w.x.data());
}
[[gnu::always_inline]] inline Quad four(const NeighbourSums::Four<float>& w) {
  return __builtin_convertvector(*reinterpret_cast<const FloatQuad*>(w.x.data()), Quad);
}
[[gnu::always_inline]] inline const Quad& quad(const Wide::Row& row) {
  return *reinterpret_cast<const Quad*>(row.x.data());
}
[[gnu::always_inline]] inline Quad& quad(Wide::Row& row) { return *reinterpret_cast<Quad*>(row.x.data()); }

// Entries of particle i: from start[i] to start[i + 1].
template <class Number>
struct Lists {
  const std::size_t* start;
  const std::uint32_t* neighbour;
  const NeighbourSums::Four<Number>* w;
};

template <class Number>
[[gnu::always_inline]] inline void outer_all(const Lists<Number>& lists, const double* u, std::size_t begin,
                                             std::size_t end, Wide* out) {
  for (std::size_t i = begin; i < end; ++i) {
    Quad x{}, y{}, z{};
    for (std::size_t e = lists.start[i]; e < lists.start[i + 1]; ++e) {
      const double* const v = u + 3 * std::size_t{lists.neighbour[e]};
      const Quad w = four(lists.w[e]);
      x += v[0] * w;
      y += v[1] * w;
      z += v[2] * w;
    }
    quad(out[i].row[0]) = x;
    quad(out[i].row[1]) = y;
    quad(out[i].row[2]) = z;
  }
}

template <class Number>
[[gnu::always_inline]] inline void contract_all(const Lists<Number>& lists, const Wide* t, std::size_t begin,
                                                std::size_t end, double* out) {
  const auto all = [](const Quad& q) { return (q[0] + q[1]) + (q[2] + q[3]); };
  for (std::size_t i = begin; i < end; ++i) {
    Quad x{}, y{}, z{};
    for (std::size_t e = lists.start[i]; e < lists.start[i + 1]; ++e) {
      const Wide& other = t[lists.neighbour[e]];
      const Quad w = four(lists.w[e]);
      x += quad(other.row[0]) * w;
      y += quad(other.row[1]) * w;
      z += quad(other.row[2]) * w;
    }
    out[3 * i] += all(x);
    out[3 * i + 1] += all(y);
    out[3 * i + 2] += all(z);
  }
}

#if defined(__x86_64__) && defined(__OPTIMIZE__)
template <class Number>
[[gnu::target("avx2")]] void outer_by_fours(const Lists<Number>& lists, const double* u, std::size_t begin,
                                            std::size_t end, Wide* out) {
  outer_all(lists, u, begin, end, out);
}
template <class Number>
[[gnu::target("avx2")]] void contract_by_fours(const Lists<Number>& lists, const Wide* t, std::size_t begin,
                                               std::size_t end, double* out) {
  contract_all(lists, t, begin, end, out);
}
const bool fours = __builtin_cpu_supports("avx2");
#endif

template <class Number>
void outer_with(const Lists<Number>& lists, const double* u, std::size_t begin, std::size_t end, Wide* out) {
#if defined(__x86_64__) && defined(__OPTIMIZE__)
  if (fours) return outer_by_fours(lists, u, begin, end, out);
#endif
  outer_all(lists, u, begin, end, out);
}

template <class Number>
void contract_with(const Lists<Number>& lists, const Wide* t, std::size_t begin, std::size_t end,
                   double* out) {
#if defined(__x86_64__) && defined(__OPTIMIZE__)
  if (fours) return contract_by_fours(lists, t, begin, end, out);
#endif
  contract_all(lists, t, begin, end, out);
}

}  // namespace

NeighbourSums::NeighbourSums(const Gradient& gradient, std::span<const double> ripple) : gradient_(gradient) {
  const std::size_t entries = gradient.end(gradient.size() - 1);
  for (const Slopes which : {Slopes::own, Slopes::mirrored}) {
    auto& exact = exact_[static_cast<std::size_t>(which)];
    auto& rounded = rounded_[static_cast<std::size_t>(which)];
    for (std::size_t e = 0; e < entries; ++e) {
      const std::size_t from = which == Slopes::own ? e : gradient.mirror(e);
      const Vec3& s = gradient.slope(from);
      exact.push_back({{s[0], s[1], s[2], ripple[from]}});
      rounded.push_back({{static_cast<float>(s[0]), static_cast<float>(s[1]), static_cast<float>(s[2]),
                          static_cast<float>(ripple[from])}});
    }
  }
}

void NeighbourSums::outer(Kind kind, const double* u, std::size_t begin, std::size_t end,
                          std::span<Wide> out) const {
  const auto with = [&](const auto& w) {
    outer_with(Lists{gradient_.starts().data(), gradient_.neighbours().data(), w.data()}, u, begin, end,
               out.data());
  };
  const auto which = static_cast<std::size_t>(kind.slopes);
  kind.precision == Precision::rounded ? with(rounded_[which]) : with(exact_[which]);
}

void NeighbourSums::contract(Kind kind, std::span<const Wide> t, std::size_t begin, std::size_t end,
                             double* out) const {
  const auto with = [&](const auto& w) {
    contract_with(Lists{gradient_.starts().data(), gradient_.neighbours().data(), w.data()}, t.data(), begin,
                  end, out);
  };
  const auto which = static_cast<std::size_t>(kind.slopes);
  kind.precision == Precision::rounded ? with(rounded_[which]) : with(exact_[which]);
}

}  // namespace hardpan::meshfree
