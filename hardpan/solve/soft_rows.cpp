#include "hardpan/solve/soft_rows.h"

#include <algorithm>

#include "hardpan/core/parallel.h"
#include "hardpan/solve/block_product.h"

namespace hardpan::solve {

bool SoftRows::any(const Problem& problem) {
  return std::ranges::any_of(problem.groups(), [](const RowGroup* group) { return group->soft(); });
}

void SoftRows::gather(const Problem& problem) {
  problem_ = &problem;
  soft_.clear();
  others_.clear();
  diagonal_.assign(problem.matrices().begin(), problem.matrices().end());
  for (const RowGroup* group : problem.groups()) {
    (group->soft() ? soft_ : others_).push_back(group);
    if (group->soft()) group->add_stiffness(problem, diagonal_);
  }
  scale_.resize(problem.velocities());
  mixing_.clear();
  for (const Problem::Block& block : problem.blocks()) {
    bool mixes = false;
    for (std::size_t i = 0; i < block.size; ++i)
      for (std::size_t k = 0; k < block.size; ++k) {
        const double a = problem.matrices()[block.matrix + i * block.size + k];
        if (i == k) scale_[block.offset + i] = a;
        mixes = mixes || (i != k && a != 0);
      }
    if (mixes) mixing_.push_back(block);
  }
}

void SoftRows::multiply_masses(std::span<const double> v, std::span<double> out) const {
  const auto scale = [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) out[k] = scale_[k] * v[k];
  };
  parallel_for(v.size(), scale, long_chunk);
  parallel_for(mixing_.size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b) {
      const auto [offset, size, matrix] = mixing_[b];
      for (std::size_t i = 0; i < size; ++i)
        out[offset + i] = dot(&problem_->matrices()[matrix + i * size], &v[offset], size);
    }
  });
}

void SoftRows::multiply(std::span<const double> x, std::span<double> out) const {
  multiply_masses(x, out);
  for (const RowGroup* group : soft_) group->add_product(x, out);
}

void SoftRows::residual(std::span<const double> v, std::span<double> out) const {
  multiply_masses(v, out);
  const auto subtract = [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) out[k] = problem_->momentum()[k] - out[k];
  };
  parallel_for(out.size(), subtract, long_chunk);
  for (const RowGroup* group : soft_) group->add_answer(v, out);
}

void SoftRows::take_others(std::span<const double> all, std::vector<double>& others) const {
  others.clear();
  std::size_t first = 0;
  for (const RowGroup* group : problem_->groups()) {
    const auto part = all.subspan(first, group->rows());
    if (!group->soft()) others.insert(others.end(), part.begin(), part.end());
    first += group->rows();
  }
}

void SoftRows::give_back(std::span<const double> v, std::span<const double> others, std::span<double> all) {
  std::size_t first = 0, taken = 0;
  for (const RowGroup* group : problem_->groups()) {
    const auto part = all.subspan(first, group->rows());
    first += group->rows();
    if (group->soft()) {
      group->apply(v, part);
      for (std::size_t i = 0; i < part.size(); ++i) part[i] = (group->rhs()[i] - part[i]) / group->sigma()[i];
    } else {
      std::ranges::copy(others.subspan(taken, part.size()), part.begin());
      taken += part.size();
    }
  }
}

}  // namespace hardpan::solve
