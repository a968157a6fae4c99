// Dense parts of the block LDL^T. Matrices are column-major with a stride; sizes known to the compiler keep
// their numbers in registers. Every sum runs in a fixed order.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <type_traits>

#include <Eigen/Core>

namespace hardpan::solve::panel {

struct Strip {  // entry (i, j) stands at data[i + j stride]
  double* data;
  std::ptrdiff_t stride;
};
struct ConstStrip {
  const double* data;
  std::ptrdiff_t stride;
};

constexpr int widest = 6;  // columns eliminated in one pass

// body(i) for i = From ... To - 1, each i a constant: arrays indexed by it stay in registers.
template <int From, int To, class Body>
[[gnu::always_inline]] inline void unrolled(const Body& body) {
  if constexpr (From < To) {
    body(std::integral_constant<int, From>());
    unrolled<From + 1, To>(body);
  }
}

// C -= L Y^T for a tile of Rows x Columns; the sum runs over `depth` columns of L and Y.
template <int Rows, int Columns>
inline void subtract_tile(Strip c, ConstStrip l, ConstStrip y, int depth) {
  using Column = Eigen::Array<double, Rows, 1>;
  Column sum[Columns];
  unrolled<0, Columns>([&](auto j) { sum[j].setZero(); });
  for (int k = 0; k < depth; ++k, l.data += l.stride, y.data += y.stride) {
    const Column a = Eigen::Map<const Column>(l.data);
    unrolled<0, Columns>([&](auto j) { sum[j] += a * y.data[j]; });
  }
  unrolled<0, Columns>([&](auto j) { Eigen::Map<Column>(c.data + j * c.stride) -= sum[j]; });
}

template <int Columns>
inline void subtract_columns(Strip c, ConstStrip l, ConstStrip y, int rows, int depth) {
  const auto tile = [&]<int Rows>(std::integral_constant<int, Rows>) {
    subtract_tile<Rows, Columns>(c, l, y, depth);
    c.data += Rows;
    l.data += Rows;
    rows -= Rows;
  };
  while (rows >= 6) tile(std::integral_constant<int, 6>());
  if (rows >= 4) tile(std::integral_constant<int, 4>());
  if (rows >= 2) tile(std::integral_constant<int, 2>());
  if (rows >= 1) tile(std::integral_constant<int, 1>());
}

// C -= L Y^T. Of a lower triangle (C symmetric, its first row and column belong together) what stands above
// the diagonal is left undefined.
inline void subtract_product(Strip c, ConstStrip l, ConstStrip y, int rows, int columns, int depth,
                             bool lower_triangle) {
  for (int j = 0; j < columns; j += 3) {
    const int skip = lower_triangle ? j - j % 2 : 0, left = rows - skip;
    const Strip cj{c.data + skip + j * c.stride, c.stride};
    const ConstStrip li{l.data + skip, l.stride}, yj{y.data + j, y.stride};
    if (columns - j >= 3)
      subtract_columns<3>(cj, li, yj, left, depth);
    else if (columns - j == 2)
      subtract_columns<2>(cj, li, yj, left, depth);
    else
      subtract_columns<1>(cj, li, yj, left, depth);
  }
}

// A = L D L^T in place for a block of Width unknowns, unit lower triangular L. False when a pivot or its
// inverse is not a finite number.
template <int Width>
inline bool factor_diagonal(Strip a, double* pivot, double* inverse) {
  double l[Width][Width], scaled[Width];
  unrolled<0, Width>(
      [&](auto j) { unrolled<j, Width>([&](auto i) { l[i][j] = a.data[i + j * a.stride]; }); });
  bool good = true;
  unrolled<0, Width>([&](auto k) {
    const double d = l[k][k], inverse_d = 1 / d;
    pivot[k] = d;
    inverse[k] = inverse_d;
    good = good && std::isfinite(d) && std::isfinite(inverse_d);
    unrolled<k + 1, Width>([&](auto i) {
      scaled[i] = l[i][k];
      l[i][k] = scaled[i] * inverse_d;
      a.data[i + k * a.stride] = l[i][k];
      unrolled<k + 1, i + 1>([&](auto j) { l[i][j] -= l[i][k] * scaled[j]; });
    });
  });
  return good;
}

// For rows below a factored block: Y = B L^-T, and B becomes Y D^-1.
template <int Rows, int Width>
inline void solve_tile(Strip b, ConstStrip l, const double* inverse, Strip y) {
  using Column = Eigen::Array<double, Rows, 1>;
  Column x[Width];
  unrolled<0, Width>([&](auto k) {
    Eigen::Map<Column> column(b.data + k * b.stride);
    x[k] = column;
    unrolled<0, k>([&](auto m) { x[k] -= x[m] * l.data[k + m * l.stride]; });
    Eigen::Map<Column>(y.data + k * y.stride) = x[k];
    column = x[k] * inverse[k];
  });
}

// Eliminates the first Width columns of a panel of `rows` rows.
template <int Width>
inline bool eliminate_columns(Strip a, int rows, double* pivot, double* inverse, Strip y) {
  if (!factor_diagonal<Width>(a, pivot, inverse)) return false;
  const ConstStrip l{a.data, a.stride};
  const auto tile = [&]<int Rows>(std::integral_constant<int, Rows>) {
    solve_tile<Rows, Width>(a, l, inverse, y);
    a.data += Rows;
    y.data += Rows;
    rows -= Rows;
  };
  a.data += Width;
  y.data += Width;
  rows -= Width;
  while (rows >= 4) tile(std::integral_constant<int, 4>());
  if (rows >= 2) tile(std::integral_constant<int, 2>());
  if (rows >= 1) tile(std::integral_constant<int, 1>());
  return true;
}

// body(width) with the width, 1 to 6, as a constant
template <class Body>
inline auto with_width(int width, const Body& body) {
  static_assert(widest == 6);
  switch (width) {
    case 1:
      return body(std::integral_constant<int, 1>());
    case 2:
      return body(std::integral_constant<int, 2>());
    case 3:
      return body(std::integral_constant<int, 3>());
    case 4:
      return body(std::integral_constant<int, 4>());
    case 5:
      return body(std::integral_constant<int, 5>());
    default:
      return body(std::integral_constant<int, 6>());
  }
}

// A += B or A += B^T, where B is given by columns.
template <bool Transposed>
inline void add_block(Strip a, ConstStrip b, int rows, int columns) {
  for (int i = 0; i < rows; i += widest)
    with_width(std::min(widest, rows - i), [&](auto strip) {
      double* to = a.data + i;
      const double* from = b.data + (Transposed ? i * b.stride : i);
      for (int j = 0; j < columns; ++j, to += a.stride, from += Transposed ? 1 : b.stride) {
        double sum[strip];
        unrolled<0, strip>([&](auto k) { sum[k] = to[k] + from[Transposed ? k * b.stride : k]; });
        unrolled<0, strip>([&](auto k) { to[k] = sum[k]; });
      }
    });
}

// x := L^-1 x and x := L^-T x for a unit lower triangle of Width.
template <int Width>
inline void solve_lower(double* x, ConstStrip l) {
  double v[Width];
  unrolled<0, Width>([&](auto i) { v[i] = x[i]; });
  unrolled<0, Width>(
      [&](auto j) { unrolled<j + 1, Width>([&](auto i) { v[i] -= l.data[i + j * l.stride] * v[j]; }); });
  unrolled<0, Width>([&](auto i) { x[i] = v[i]; });
}
template <int Width>
inline void solve_upper(double* x, ConstStrip l) {
  double v[Width];
  unrolled<0, Width>([&](auto i) { v[i] = x[i]; });
  unrolled<0, Width>([&](auto k) {
    constexpr int j = Width - 1 - k;
    unrolled<0, j>([&](auto i) { v[i] -= l.data[j + i * l.stride] * v[j]; });
  });
  unrolled<0, Width>([&](auto i) { x[i] = v[i]; });
}

// out -= L x
inline void subtract_vector(double* out, ConstStrip l, const double* x, int rows, int depth) {
  subtract_columns<1>({out, 0}, l, {x, 1}, rows, depth);
}

// out(j) -= sum_i L(i, j) x(i)
template <int Columns>
inline void subtract_dot(double* out, ConstStrip l, const double* x, int rows) {
  using Pair = Eigen::Array<double, 2, 1>;
  Pair sum[Columns];
  unrolled<0, Columns>([&](auto j) { sum[j].setZero(); });
  for (; rows >= 2; rows -= 2, x += 2, l.data += 2) {
    const Pair xi(x[0], x[1]);  // written one by one just before, so that one load of both would have to wait
    unrolled<0, Columns>([&](auto j) { sum[j] += Eigen::Map<const Pair>(l.data + j * l.stride) * xi; });
  }
  unrolled<0, Columns>([&](auto j) {
    out[j] -= rows > 0 ? sum[j][0] + sum[j][1] + l.data[j * l.stride] * x[0] : sum[j][0] + sum[j][1];
  });
}

// out -= L^T x
inline void subtract_transposed(double* out, ConstStrip l, const double* x, int rows, int columns) {
  const auto strip = [&]<int Columns>(std::integral_constant<int, Columns>) {
    subtract_dot<Columns>(out, l, x, rows);
    out += Columns;
    l.data += Columns * l.stride;
    columns -= Columns;
  };
  while (columns >= 6) strip(std::integral_constant<int, 6>());
  if (columns >= 4) strip(std::integral_constant<int, 4>());
  if (columns >= 2) strip(std::integral_constant<int, 2>());
  if (columns >= 1) strip(std::integral_constant<int, 1>());
}

}  // namespace hardpan::solve::panel
