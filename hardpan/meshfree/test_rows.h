// Rows as a dense matrix, for tests: each particle has a block of three.
#pragma once

#include "hardpan/math/types.h"
#include "hardpan/solve/problem.h"

namespace hardpan::meshfree {

struct Dense final : solve::MatrixSink {
  Dense(std::size_t rows, std::size_t columns)
      : matrix(Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns))) {}
  void jacobian(std::size_t row, std::size_t block, std::span<const double> values) override {
    for (std::size_t k = 0; k < values.size(); ++k)
      matrix(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(3 * block + k)) += values[k];
  }
  Eigen::MatrixXd matrix;
};

}  // namespace hardpan::meshfree
