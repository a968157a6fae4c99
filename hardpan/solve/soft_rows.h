// Rows that are taken into the velocities: those of a solid of particles, nine per particle over many
// neighbours, without bounds. With S for them,
//
//     lambda_S = Sigma^-1 (q - S v),     r(v) = p - A v + S^T lambda_S,     K = A + S^T Sigma^-1 S = -dr/dv
//
// leave a problem of the other rows alone, r(v) + G^T lambda = 0, whose K is known by its products and,
// about, by its diagonal blocks. Rows that bend (Problem::Bend) have another K around other velocities.
#pragma once

#include <span>
#include <vector>

#include "hardpan/solve/problem.h"

namespace hardpan::solve {

class SoftRows {
 public:
  static bool any(const Problem& problem);

  // The problem must outlive it.
  void gather(const Problem& problem);
  // Of other rows, in the order of the problem.
  const std::vector<const RowGroup*>& others() const { return others_; }

  std::span<const double> diagonal() const { return diagonal_; }  // blocks of K, as problem.matrices()
  void multiply(std::span<const double> x, std::span<double> out) const;  // K x
  void residual(std::span<const double> v, std::span<double> out) const;  // r(v)
  // Between impulses of all rows and those of the others alone; those of soft rows follow from v.
  void take_others(std::span<const double> all, std::vector<double>& others) const;
  void give_back(std::span<const double> v, std::span<const double> others, std::span<double> all);

 private:
  void multiply_masses(std::span<const double> v, std::span<double> out) const;  // A v

  const Problem* problem_ = nullptr;
  std::vector<const RowGroup*> soft_, others_;
  std::vector<double> diagonal_;
  // A in few bytes: its diagonal, which is all that points have, and the blocks that have more.
  std::vector<double> scale_;
  std::vector<Problem::Block> mixing_;
};

}  // namespace hardpan::solve
