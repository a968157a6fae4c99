// What rows over the velocities of particles have in common: numbers without bounds, in columns, and how they
// are written to a file, as plain rows. Particle j has the velocity block first_block + j of the problem.
#pragma once

#include <cstdint>
#include <vector>

#include "hardpan/math/types.h"
#include "hardpan/solve/problem.h"

namespace hardpan::meshfree {

class ParticleRows : public solve::RowGroup {
 public:
  std::size_t rows() const override { return sigma_.size(); }
  std::span<const double> sigma() const override { return sigma_; }
  std::span<const double> rhs() const override { return rhs_; }
  std::span<const double> lower() const override { return lower_; }
  std::span<const double> upper() const override { return upper_; }
  std::span<const double> start() const override { return start_; }
  void write(std::ostream& out) const override;

  void set(std::size_t row, double sigma, double rhs) {
    sigma_[row] = sigma;
    rhs_[row] = rhs;
  }
  void set_start(std::span<const double> lambda) { start_.assign(lambda.begin(), lambda.end()); }

 protected:
  void place(const solve::Problem& problem, std::size_t first_block, std::size_t rows);
  std::size_t block(std::size_t particle) const { return first_block_ + particle; }
  Eigen::Map<const Vec3> velocity(std::span<const double> v, std::size_t particle) const {
    return Eigen::Map<const Vec3>(&v[first_column_ + 3 * particle]);
  }
  Eigen::Map<Vec3> velocity(std::span<double> v, std::size_t particle) const {
    return Eigen::Map<Vec3>(&v[first_column_ + 3 * particle]);
  }

 private:
  const solve::Problem* problem_ = nullptr;
  std::size_t first_block_ = 0, first_column_ = 0;
  std::vector<double> sigma_, rhs_, lower_, upper_, start_;
};

}  // namespace hardpan::meshfree
