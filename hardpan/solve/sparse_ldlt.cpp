#include "hardpan/solve/sparse_ldlt.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

#include "hardpan/core/error.h"

namespace hardpan::solve {
namespace {

constexpr int none = -1;
constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

void SparseLdlt::analyse(int size, std::span<const Place> places) {
  size_ = size;
  order(places);
  compress(places);
  plan_factor();
}

void SparseLdlt::order(std::span<const Place> places) {
  std::vector<Eigen::Triplet<double, int>> pattern;
  pattern.reserve(2 * places.size());
  for (const Place& p : places) {
    HARDPAN_CHECK(p.row <= p.column && p.row >= 0 && p.column < size_, "place outside the upper triangle");
    pattern.emplace_back(p.row, p.column, 1.0);
    pattern.emplace_back(p.column, p.row, 1.0);
  }
  Eigen::SparseMatrix<double> symmetric(size_, size_);
  symmetric.setFromTriplets(pattern.begin(), pattern.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation(size_);
  if (size_ > 0) Eigen::AMDOrdering<int>()(symmetric, permutation);
  // Eigen's AMD returns, at each place of the order, the unknown that stands there.
  position_.resize(at(size_));
  for (int k = 0; k < size_; ++k) position_[at(permutation.indices()[k])] = k;
}

void SparseLdlt::compress(std::span<const Place> places) {
  std::vector<Place> moved(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const int a = position_[at(places[i].row)], b = position_[at(places[i].column)];
    moved[i] = {std::min(a, b), std::max(a, b)};
  }
  Ints by_place(places.size());
  std::iota(by_place.begin(), by_place.end(), 0);
  const auto before = [](const Place& a, const Place& b) {
    return a.column != b.column ? a.column < b.column : a.row < b.row;
  };
  std::sort(by_place.begin(), by_place.end(),
            [&](int a, int b) { return before(moved[at(a)], moved[at(b)]); });

  slot_.resize(places.size());
  row_index_.clear();
  column_start_.assign(at(size_) + 1, 0);
  Place last{none, none};
  for (int i : by_place) {
    const Place& p = moved[at(i)];
    if (p.row != last.row || p.column != last.column) {
      row_index_.push_back(p.row);
      ++column_start_[at(p.column) + 1];
      last = p;
    }
    slot_[at(i)] = static_cast<int>(row_index_.size()) - 1;
  }
  std::partial_sum(column_start_.begin(), column_start_.end(), column_start_.begin());
  upper_.resize(row_index_.size());
}

// The elimination tree, and from it the number of entries in each column of L.
void SparseLdlt::plan_factor() {
  const std::size_t n = at(size_);
  parent_.assign(n, none);
  mark_.assign(n, none);
  Ints count(n, 0);
  for (int k = 0; k < size_; ++k) {
    mark_[at(k)] = k;
    for (int p = column_start_[at(k)]; p < column_start_[at(k) + 1]; ++p)
      for (int i = row_index_[at(p)]; mark_[at(i)] != k; i = parent_[at(i)]) {
        if (parent_[at(i)] == none) parent_[at(i)] = k;
        ++count[at(i)];
        mark_[at(i)] = k;
      }
  }
  start_.assign(n + 1, 0);
  std::partial_sum(count.begin(), count.end(), start_.begin() + 1);
  row_.resize(at(start_[n]));
  lower_.resize(at(start_[n]));
  pivot_.resize(n);
  filled_.resize(n);
  work_.assign(n, 0.0);
  path_.resize(n);
  permuted_.resize(n);
}

bool SparseLdlt::factor(std::span<const double> values) {
  HARDPAN_ASSUME(values.size() == slot_.size());
  std::fill(upper_.begin(), upper_.end(), 0.0);
  for (std::size_t i = 0; i < values.size(); ++i) upper_[at(slot_[i])] += values[i];
  std::fill(mark_.begin(), mark_.end(), none);
  std::copy(start_.begin(), start_.end() - 1, filled_.begin());

  for (int k = 0; k < size_; ++k) {
    // Row k of L has the pattern reached from column k of the triangle by climbing the tree.
    int top = size_;
    mark_[at(k)] = k;
    for (int p = column_start_[at(k)]; p < column_start_[at(k) + 1]; ++p) {
      int i = row_index_[at(p)];
      work_[at(i)] = upper_[at(p)];
      int length = 0;
      for (; mark_[at(i)] != k; i = parent_[at(i)]) {
        path_[at(length++)] = i;
        mark_[at(i)] = k;
      }
      while (length > 0) path_[at(--top)] = path_[at(--length)];
    }
    double pivot = std::exchange(work_[at(k)], 0.0);
    for (; top < size_; ++top) {
      const int i = path_[at(top)];
      const double y = std::exchange(work_[at(i)], 0.0);
      for (int p = start_[at(i)]; p < filled_[at(i)]; ++p) work_[at(row_[at(p)])] -= lower_[at(p)] * y;
      const double l = y / pivot_[at(i)];
      pivot -= l * y;
      row_[at(filled_[at(i)])] = k;
      lower_[at(filled_[at(i)]++)] = l;
    }
    pivot_[at(k)] = pivot;
    if (pivot == 0.0 || !std::isfinite(pivot)) {
      std::fill(work_.begin(), work_.end(), 0.0);
      return false;
    }
  }
  return true;
}

void SparseLdlt::solve(std::span<double> x) const {
  for (int i = 0; i < size_; ++i) permuted_[at(position_[at(i)])] = x[at(i)];
  for (int k = 0; k < size_; ++k)
    for (int p = start_[at(k)]; p < start_[at(k) + 1]; ++p)
      permuted_[at(row_[at(p)])] -= lower_[at(p)] * permuted_[at(k)];
  for (int k = 0; k < size_; ++k) permuted_[at(k)] /= pivot_[at(k)];
  for (int k = size_ - 1; k >= 0; --k)
    for (int p = start_[at(k)]; p < start_[at(k) + 1]; ++p)
      permuted_[at(k)] -= lower_[at(p)] * permuted_[at(row_[at(p)])];
  for (int i = 0; i < size_; ++i) x[at(i)] = permuted_[at(position_[at(i)])];
}

}  // namespace hardpan::solve
