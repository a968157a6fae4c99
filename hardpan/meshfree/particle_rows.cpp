#include "hardpan/meshfree/particle_rows.h"

#include <algorithm>

#include "hardpan/solve/block_rows.h"

namespace hardpan::meshfree {
namespace {

struct Terms final : solve::MatrixSink {
  explicit Terms(std::size_t rows) : of(rows) {}
  void jacobian(std::size_t row, std::size_t block, std::span<const double> values) override {
    of[row].push_back({block, values});
  }
  struct Term {
    std::size_t block;
    std::span<const double> values;
  };
  std::vector<std::vector<Term>> of;
};

}  // namespace

void ParticleRows::place(const solve::Problem& problem, std::size_t first_block, std::size_t rows) {
  problem_ = &problem;
  first_block_ = first_block;
  first_column_ = problem.blocks()[first_block].offset;
  for (auto* column : {&sigma_, &rhs_, &start_}) column->assign(rows, 0.0);
  lower_.assign(rows, -solve::unbounded);
  upper_.assign(rows, solve::unbounded);
}

void ParticleRows::write(std::ostream& out) const {
  Terms terms(rows());
  assemble(0, terms);
  solve::BlockRows plain;
  std::vector<std::size_t> blocks;
  for (std::size_t row = 0; row < rows(); ++row) {
    blocks.clear();
    for (const Terms::Term& term : terms.of[row]) blocks.push_back(term.block);
    plain.add_row(*problem_, blocks);
    for (std::size_t k = 0; k < blocks.size(); ++k)
      std::ranges::copy(terms.of[row][k].values, plain.jacobian(row, k).begin());
    plain.set(row, {.sigma = sigma_[row],
                    .rhs = rhs_[row],
                    .lower = lower_[row],
                    .upper = upper_[row],
                    .start = start_[row]});
  }
  plain.write(out);
}

}  // namespace hardpan::meshfree
