// Products of one row with one velocity block. Bodies are nearly all there is: a loop of known length for
// them. All groups use these, so that a problem has the same bits whichever group holds its rows.
#pragma once

#include <cstddef>

#include "hardpan/math/types.h"

namespace hardpan::solve {

inline double dot(const double* a, const double* b, std::size_t size) {
  if (size == 6) return Eigen::Map<const Vec6>(a).dot(Eigen::Map<const Vec6>(b));
  double sum = 0;
  for (std::size_t k = 0; k < size; ++k) sum += a[k] * b[k];
  return sum;
}

inline void add_scaled(double factor, const double* a, double* out, std::size_t size) {
  if (size == 6)
    Eigen::Map<Vec6>(out) += factor * Eigen::Map<const Vec6>(a);
  else
    for (std::size_t k = 0; k < size; ++k) out[k] += factor * a[k];
}

}  // namespace hardpan::solve
