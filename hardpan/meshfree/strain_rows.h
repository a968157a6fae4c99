// Six rows per particle: how fast its strain changes (MESHFREE eqs. 24 to 27),
//
//     e = (F^T F - 1)/2,     F_i = sum_j x_j (x) Lambda_ij
//     e' = sym(F^T L),       L_i = sum_j v_j (x) Lambda_ij
//
// along six symmetric tensors T_a, orthonormal by T_a : T_b, that the caller chooses for each particle: the
// principal axes of its stiffness, so that Sigma is diagonal. The part of row a on particle j is F T_a
// Lambda. Products need F and Lambda alone; the parts are written down only for solvers that ask for them.
#pragma once

#include "hardpan/meshfree/gradient.h"
#include "hardpan/meshfree/particle_rows.h"
#include "hardpan/meshfree/sums.h"
#include "hardpan/meshfree/tangents.h"

namespace hardpan::meshfree {

class StrainRows final : public ParticleRows {
 public:
  StrainRows(const Gradient& gradient, const NeighbourSums& sums) : gradient_(gradient), sums_(sums) {}
  void place(const solve::Problem& problem, std::size_t first_block);

  // F, and T_a by columns (Mandel).
  void set_frame(std::size_t particle, const Mat3& deformation, const Mat6& axes);
  // After frame and rows of a particle have been set: what products and answers need.
  void complete(std::size_t particle);
  // These alone: F, and sum_a T_a (x) T_a/Sigma_a, sum_a T_a q_a/Sigma_a.
  void set_answer(std::size_t particle, const Mat3& deformation, const Mat6& stiffness, const Vec6& push);

  // Products and answers are then those of the particle's rows against ripples (ripple_rows.h), too, since
  // both have the same sums: g, 1/Sigma and q.
  void set_ripple(std::size_t particle, const Vec3& ripple, double stiffness, const Vec3& rhs);

  void apply(std::span<const double> v, std::span<double> out) const override;
  void apply_transpose(std::span<const double> lambda, std::span<double> out) const override;
  void assemble(std::size_t first_row, solve::MatrixSink& sink) const override;
  bool soft() const override { return true; }
  void add_product(std::span<const double> x, std::span<double> out) const override;
  void add_answer(std::span<const double> v, std::span<double> out) const override;
  void add_stiffness(const solve::Problem& problem, std::span<double> matrices) const override;

 private:
  // Of x, one vector after another, and of what pushes by itself.
  void add_stresses(const double* x, bool pushed, std::span<double> out) const;

  const Gradient& gradient_;
  std::vector<Mat3> deformation_;
  std::vector<Mat6> axes_;
  const NeighbourSums& sums_;
  std::vector<Mat6> stiffness_;             // sum_a T_a (x) T_a/Sigma_a
  std::vector<Mat3> push_;                  // F sum_a T_a q_a/Sigma_a
  std::vector<Vec3> ripple_, ripple_push_;  // g, q/Sigma
  std::vector<double> ripple_stiffness_;    // 1/Sigma
  mutable std::vector<Mat6> of_slopes_;     // diagonal blocks, as functions of slopes
  Tangents tangents_;
  mutable std::vector<double> backwards_;
  mutable WideRing tensors_;
  mutable std::vector<double> coefficients_;  // of the last assembly
};

}  // namespace hardpan::meshfree
