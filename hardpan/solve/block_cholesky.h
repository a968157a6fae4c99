// Cholesky factors L L^T of the small diagonal blocks (1, 3 or 6 unknowns) of A, in place.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <type_traits>

namespace hardpan::solve {

namespace detail {

template <class Size>
inline bool cholesky(double* a, Size size) {
  constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
  for (std::size_t j = 0; j < size; ++j) {
    double pivot = a[j * size + j];
    const double least = rounding * pivot;
    for (std::size_t k = 0; k < j; ++k) pivot -= a[j * size + k] * a[j * size + k];
    if (!(pivot > least) || !std::isfinite(pivot)) return false;
    const double root = std::sqrt(pivot);
    const double over = 1 / root;
    a[j * size + j] = root;
    for (std::size_t i = j + 1; i < size; ++i) {
      double sum = a[i * size + j];
      for (std::size_t k = 0; k < j; ++k) sum -= a[i * size + k] * a[j * size + k];
      a[i * size + j] = sum * over;
    }
  }
  return true;
}

}  // namespace detail

// a (row-major, size x size): its lower triangle becomes L; the rest is left alone. False unless a is
// positive definite beyond rounding. Bodies are nearly all there is: loops of known length for them.
inline bool cholesky(std::span<double> a, std::size_t size) {
  if (size == 6) return detail::cholesky(a.data(), std::integral_constant<std::size_t, 6>{});
  return detail::cholesky(a.data(), size);
}

// x := L^-1 x
inline void cholesky_forward(std::span<const double> l, std::span<double> x) {
  const std::size_t size = x.size();
  if (size == 6) {
    for (std::size_t i = 0; i < 6; ++i) {
      double sum = x[i];
      for (std::size_t k = 0; k < i; ++k) sum -= l[i * 6 + k] * x[k];
      x[i] = sum / l[i * 7];
    }
    return;
  }
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t k = 0; k < i; ++k) x[i] -= l[i * size + k] * x[k];
    x[i] /= l[i * size + i];
  }
}

// x := L^-T x
inline void cholesky_backward(std::span<const double> l, std::span<double> x) {
  const std::size_t size = x.size();
  if (size == 6) {
    for (std::size_t i = 6; i-- > 0;) {
      double sum = x[i];
      for (std::size_t k = i + 1; k < 6; ++k) sum -= l[k * 6 + i] * x[k];
      x[i] = sum / l[i * 7];
    }
    return;
  }
  for (std::size_t i = size; i-- > 0;) {
    for (std::size_t k = i + 1; k < size; ++k) x[i] -= l[k * size + i] * x[k];
    x[i] /= l[i * size + i];
  }
}

// x := (L L^T)^-1 x
inline void cholesky_solve(std::span<const double> l, std::span<double> x) {
  cholesky_forward(l, x);
  cholesky_backward(l, x);
}

}  // namespace hardpan::solve
