#include "hardpan/solve/contact_rows.h"

#include <algorithm>
#include <ostream>

#include <fmt/core.h>
#include <fmt/ostream.h>

#include "hardpan/core/error.h"
#include "hardpan/solve/block_product.h"
#include "hardpan/solve/stored_text.h"

namespace hardpan::solve {

ContactRows::ContactRows(std::size_t rows_per_contact) : per_contact_(rows_per_contact) {
  HARDPAN_CHECK(rows_per_contact == 3 || rows_per_contact == 6, "a contact has 3 or 6 rows");
}

void ContactRows::resize(std::size_t contacts) {
  const std::size_t old = pairs_.size(), rows = contacts * per_contact_;
  pairs_.resize(contacts);
  jacobian_.resize(12 * rows);
  for (auto* column : {&sigma_, &rhs_, &start_}) column->resize(rows);
  lower_.resize(rows, -unbounded);
  upper_.resize(rows, unbounded);
  for (std::size_t c = old; c < contacts; ++c) lower_[c * per_contact_] = 0;
  cones_.resize(contacts * (per_contact_ == 3 ? 1 : 3));
}

void ContactRows::begin(std::size_t contact, const Problem& problem, std::size_t block_a,
                        std::size_t block_b) {
  const auto side_of = [&](std::size_t block) {
    if (block == ground) return Side{ground, 0, 0};
    const Problem::Block& b = problem.blocks()[block];
    return Side{block, b.offset, b.size};
  };
  pairs_[contact] = {side_of(block_a), side_of(block_b)};
}

void ContactRows::set_friction(std::size_t contact, double mu, double mu_rolling, double mu_twisting) {
  const std::size_t n = contact * per_contact_;
  if (per_contact_ == 3) {
    cones_[contact] = {n, n + sliding, 2, mu};
    return;
  }
  cones_[3 * contact] = {n, n + sliding, 2, mu};
  cones_[3 * contact + 1] = {n, n + rolling, 2, mu_rolling};
  cones_[3 * contact + 2] = {n, n + twisting, 1, mu_twisting};
}

void ContactRows::apply(std::span<const double> v, std::span<double> out) const {
  for (std::size_t c = 0; c < contacts(); ++c) {
    const auto& [a, b] = pairs_[c];
    for (std::size_t i = c * per_contact_; i < (c + 1) * per_contact_; ++i) {
      const double of_a = a.size > 0 ? dot(jacobian(i, 0), &v[a.column], a.size) : 0.0;
      out[i] = b.size > 0 ? of_a + dot(jacobian(i, 1), &v[b.column], b.size) : of_a;
    }
  }
}

void ContactRows::apply_transpose(std::span<const double> lambda, std::span<double> out) const {
  for (std::size_t c = 0; c < contacts(); ++c) {
    const std::size_t first = c * per_contact_;
    for (std::size_t s = 0; s < 2; ++s) {
      const Side& side = pairs_[c][s];
      if (side.size == 6) {  // in registers, not to wait for memory after every row
        Eigen::Map<Vec6> to(&out[side.column]);
        Vec6 sum = to;
        for (std::size_t i = first; i < first + per_contact_; ++i)
          sum += lambda[i] * Eigen::Map<const Vec6>(jacobian(i, s));
        to = sum;
      } else if (side.size > 0) {
        for (std::size_t i = first; i < first + per_contact_; ++i)
          add_scaled(lambda[i], jacobian(i, s), &out[side.column], side.size);
      }
    }
  }
}

void ContactRows::assemble(std::size_t first_row, MatrixSink& sink) const {
  for (std::size_t c = 0; c < contacts(); ++c) {
    const std::size_t first = c * per_contact_;
    if (const auto& [a, b] = pairs_[c]; a.size == 6 && b.size == 6) {
      sink.jacobians(first_row + first, a.block, b.block, {jacobian(first, 0), 12 * per_contact_});
      continue;
    }
    for (std::size_t i = first; i < first + per_contact_; ++i)
      for (std::size_t s = 0; s < 2; ++s)
        if (const Side& side = pairs_[c][s]; side.size > 0)
          sink.jacobian(first_row + i, side.block, {jacobian(i, s), side.size});
  }
}

void ContactRows::write(std::ostream& out) const {
  fmt::print(out, "block-rows {}\n", rows());
  for (std::size_t i = 0; i < rows(); ++i) {
    const Pair& pair = pairs_[i / per_contact_];
    const auto terms = std::ranges::count_if(pair, [](const Side& side) { return side.size > 0; });
    fmt::print(out, "{:a} {:a} {:a} {:a} {:a} {}", sigma_[i], rhs_[i], lower_[i], upper_[i], start_[i],
               terms);
    for (std::size_t s = 0; s < 2; ++s) {
      if (pair[s].size == 0) continue;
      fmt::print(out, " {}", pair[s].block);
      for (std::size_t k = 0; k < pair[s].size; ++k) fmt::print(out, " {:a}", jacobian(i, s)[k]);
    }
    fmt::print(out, "\n");
  }
  write_cones(out, cones_);
}

}  // namespace hardpan::solve
