#include "hardpan/meshfree/tangents.h"

#include <numbers>

namespace hardpan::meshfree {
namespace {

constexpr std::size_t mandel_row[6] = {0, 1, 2, 1, 0, 0}, mandel_column[6] = {0, 1, 2, 2, 2, 1};

[[gnu::always_inline]] inline std::size_t lower(std::size_t row, std::size_t column) {
  return row >= column ? row * (row + 1) / 2 + column : column * (column + 1) / 2 + row;
}

[[gnu::always_inline]] inline std::size_t place(std::size_t a, std::size_t b) {  // in Mandel's notation
  return a == b ? a : 6 - a - b;
}

}  // namespace

void Tangents::set(std::size_t particle, const Mat3& F, const Mat6& C, const Mat3& S) {
  Group& group = groups_[particle / pack_width];
  const std::size_t lane = particle % pack_width;
  const auto at = [](const auto& matrix, std::size_t row, std::size_t column) {
    return matrix(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(column));
  };
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < 3; ++b) group.F[a][b].lanes[lane] = at(F, a, b);
  for (std::size_t a = 0; a < 6; ++a) {
    group.S[a].lanes[lane] = at(S, mandel_row[a], mandel_column[a]);
    for (std::size_t b = 0; b <= a; ++b) group.C[lower(a, b)].lanes[lane] = at(C, a, b);
  }
}

template <Tangents::Parts parts>
[[gnu::always_inline]] inline void Tangents::change_all(const Group* group, PaddedTensor* tensors,
                                                        std::size_t groups) {
  constexpr double over = 1 / std::numbers::sqrt2;
  for (std::size_t g = 0; g < groups; ++g, ++group, tensors += pack_width) {
    const auto& F = group->F;
    Pack d[3][3];
    for (std::size_t b = 0; b < 3; ++b) {
      const PackGroup rows = transposed({load_pack(&tensors[0].column[b]), load_pack(&tensors[1].column[b]),
                                         load_pack(&tensors[2].column[b]), load_pack(&tensors[3].column[b])});
      for (std::size_t a = 0; a < 3; ++a) d[a][b] = rows[a];
    }
    Pack strain[6], stress[6];
    for (std::size_t m = 0; m < 6; ++m) {
      const std::size_t a = mandel_row[m], b = mandel_column[m];
      strain[m] = F[0][a] * d[0][b] + F[1][a] * d[1][b] + F[2][a] * d[2][b];
      if (a != b)
        strain[m] = over * (strain[m] + (F[0][b] * d[0][a] + F[1][b] * d[1][a] + F[2][b] * d[2][a]));
    }
    for (std::size_t m = 0; m < 6; ++m) {
      stress[m] = group->C[lower(m, 0)] * strain[0];
      for (std::size_t n = 1; n < 6; ++n) stress[m] = stress[m] + group->C[lower(m, n)] * strain[n];
      if (m > 2) stress[m] = over * stress[m];
    }
    for (std::size_t b = 0; b < 3; ++b) {
      PackGroup rows;
      for (std::size_t a = 0; a < 3; ++a) {
        rows[a] =
            F[a][0] * stress[place(0, b)] + F[a][1] * stress[place(1, b)] + F[a][2] * stress[place(2, b)];
        if constexpr (parts == Parts::all)
          rows[a] = rows[a] + (d[a][0] * group->S[place(0, b)] + d[a][1] * group->S[place(1, b)] +
                               d[a][2] * group->S[place(2, b)]);
      }
      rows[3] = Pack(0.0);
      const PackGroup columns = transposed(rows);
      for (std::size_t k = 0; k < pack_width; ++k) store_pack(columns[k], &tensors[k].column[b]);
    }
  }
}

#if defined(__x86_64__) && defined(__OPTIMIZE__)
template <Tangents::Parts parts>
[[gnu::target("avx2"), gnu::flatten]] void Tangents::change_by_fours(const Group* group,
                                                                     PaddedTensor* tensors,
                                                                     std::size_t groups) {
  change_all<parts>(group, tensors, groups);
}
#else
template <Tangents::Parts parts>
void Tangents::change_by_fours(const Group* group, PaddedTensor* tensors, std::size_t groups) {
  change_all<parts>(group, tensors, groups);
}
#endif

void Tangents::change(Parts parts, std::size_t begin, std::size_t end,
                      std::span<PaddedTensor> tensors) const {
#if defined(__x86_64__)
  static const bool fours = __builtin_cpu_supports("avx2");
#else
  static const bool fours = false;
#endif
  const Group* const group = &groups_[begin / pack_width];
  PaddedTensor* const first = &tensors[begin];
  const std::size_t groups = (end - begin + pack_width - 1) / pack_width;
  if (parts == Parts::all)
    fours ? change_by_fours<Parts::all>(group, first, groups) : change_all<Parts::all>(group, first, groups);
  else
    fours ? change_by_fours<Parts::without_stress>(group, first, groups)
          : change_all<Parts::without_stress>(group, first, groups);
}

}  // namespace hardpan::meshfree
