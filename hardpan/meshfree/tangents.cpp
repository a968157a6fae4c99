#include "hardpan/meshfree/tangents.h"

#include <numbers>

#include "hardpan/math/widest.h"

namespace hardpan::meshfree {
namespace {

constexpr std::size_t mandel_row[6] = {0, 1, 2, 1, 0, 0}, mandel_column[6] = {0, 1, 2, 2, 2, 1};

[[gnu::always_inline]] inline std::size_t lower(std::size_t row, std::size_t column) {
  return row >= column ? row * (row + 1) / 2 + column : column * (column + 1) / 2 + row;
}

[[gnu::always_inline]] inline std::size_t place(std::size_t a, std::size_t b) {  // in Mandel's notation
  return a == b ? a : 6 - a - b;
}

double at(const auto& matrix, std::size_t row, std::size_t column) {
  return matrix(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(column));
}

}  // namespace

void Tangents::set(std::size_t particle, const Mat3& F, const Mat6& C) {
  each_group(particle, [&](auto& group) {
    const std::size_t lane = particle % pack_width;
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = 0; b < 3; ++b) group.F[a][b].set(lane, at(F, a, b));
    for (std::size_t a = 0; a < 6; ++a)
      for (std::size_t b = 0; b <= a; ++b) group.C[lower(a, b)].set(lane, at(C, a, b));
  });
}

void Tangents::set_stress(std::size_t particle, const Mat3& S) {
  for (std::size_t a = 0; a < 6; ++a)
    stress_[particle / pack_width].S[a].set(particle % pack_width, at(S, mandel_row[a], mandel_column[a]));
}

void Tangents::set_ripple(std::size_t particle, const Vec3& g, double k) {
  each_group(particle, [&](auto& group) {
    const std::size_t lane = particle % pack_width;
    for (std::size_t a = 0; a < 3; ++a) group.g[a].set(lane, g[static_cast<Eigen::Index>(a)]);
    group.k.set(lane, k);
  });
}

template <Tangents::Parts parts, class Four>
[[gnu::always_inline]] inline void Tangents::change_all(const Group<Four>* group, const Stress* stress,
                                                        Wide* of, std::size_t groups) {
  constexpr double over = 1 / std::numbers::sqrt2;
  constexpr std::size_t ahead = 8192;  // bytes
  for (std::size_t n = 0; n < groups; ++n, ++group, ++stress, of += pack_width) {
    for (std::size_t line = 0; line < sizeof(*group); line += 64)  // in time for one of the next
      __builtin_prefetch(reinterpret_cast<const char*>(group) + ahead + line);
    Pack F[3][3], g[3];
    for (std::size_t a = 0; a < 3; ++a) {
      g[a] = group->g[a].pack();
      for (std::size_t b = 0; b < 3; ++b) F[a][b] = group->F[a][b].pack();
    }
    Pack d[3][4];  // dF, dg
    for (std::size_t a = 0; a < 3; ++a) {
      const PackGroup columns = transposed({load_pack(&of[0].row[a]), load_pack(&of[1].row[a]),
                                            load_pack(&of[2].row[a]), load_pack(&of[3].row[a])});
      for (std::size_t b = 0; b < 4; ++b) d[a][b] = columns[b];
    }
    Pack strain[6], answer[6], ripple[3];
    for (std::size_t m = 0; m < 6; ++m) {
      const std::size_t a = mandel_row[m], b = mandel_column[m];
      strain[m] = F[0][a] * d[0][b] + F[1][a] * d[1][b] + F[2][a] * d[2][b];
      if (a != b)
        strain[m] = over * (strain[m] + (F[0][b] * d[0][a] + F[1][b] * d[1][a] + F[2][b] * d[2][a]));
    }
    for (std::size_t m = 0; m < 6; ++m) answer[m] = group->C[lower(m, m)].pack() * strain[m];
    for (std::size_t m = 1; m < 6; ++m)
      for (std::size_t k = 0; k < m; ++k) {
        const Pack both = group->C[lower(m, k)].pack();
        answer[m] = answer[m] + both * strain[k];
        answer[k] = answer[k] + both * strain[m];
      }
    for (std::size_t m = 3; m < 6; ++m) answer[m] = over * answer[m];
    if constexpr (parts == Parts::with_ripples)
      for (std::size_t b = 0; b < 3; ++b)
        ripple[b] = group->k.pack() * ((F[0][b] * d[0][3] + F[1][b] * d[1][3] + F[2][b] * d[2][3]) +
                                       (d[0][b] * g[0] + d[1][b] * g[1] + d[2][b] * g[2]));
    for (std::size_t a = 0; a < 3; ++a) {
      PackGroup columns;
      for (std::size_t b = 0; b < 3; ++b) {
        columns[b] =
            F[a][0] * answer[place(0, b)] + F[a][1] * answer[place(1, b)] + F[a][2] * answer[place(2, b)];
        if constexpr (parts == Parts::with_stress)
          columns[b] = columns[b] + (d[a][0] * stress->S[place(0, b)] + d[a][1] * stress->S[place(1, b)] +
                                     d[a][2] * stress->S[place(2, b)]);
        else
          columns[b] = columns[b] + g[a] * ripple[b];
      }
      if constexpr (parts == Parts::with_stress)
        columns[3] = Pack(0.0);
      else
        columns[3] = F[a][0] * ripple[0] + F[a][1] * ripple[1] + F[a][2] * ripple[2];
      const PackGroup rows = transposed(columns);
      for (std::size_t k = 0; k < pack_width; ++k) store_pack(rows[k], &of[k].row[a]);
    }
  }
}

void Tangents::change(Parts parts, Precision precision, std::size_t begin, std::size_t end, Wide* of) const {
  const std::size_t first = begin / pack_width, groups = (end - begin + pack_width - 1) / pack_width;
  const auto with = [&](const auto& of_particles) {
    const auto* const group = &of_particles[first];
    const Stress* const stress = &stress_[first];
    if (parts == Parts::with_stress)
      on_widest([&] { change_all<Parts::with_stress>(group, stress, of, groups); });
    else
      on_widest([&] { change_all<Parts::with_ripples>(group, stress, of, groups); });
  };
  precision == Precision::rounded ? with(rounded_) : with(exact_);
}

}  // namespace hardpan::meshfree
