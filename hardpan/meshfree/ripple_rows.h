// Three rows per particle that keep ripples away. Inside a lattice MLS strains are central differences: they
// do not see particles that move to and fro in turn. What they leave out is how a particle lies beside the
// affine fit of its neighbours,
//
//     g_i = (1/d) sum_j w_ij (x_j - x_i - F_i (X_j - X_i)) = sum_j c_ij x_j
//
// with the weights of the fit, scaled so that sum_j w_ij (X_j - X_i) (x) (X_j - X_i) is d^2 inside. c is
// constant, and zero for every affine field. Rows are those of the ripple in the frame of the material,
//
//     r = F^T g,     r' = F^T sum_j c_ij v_j + L^T g,     L = sum_j v_j (x) Lambda_ij
//
// which is the same in every frame, so that momentum and its moment are kept whatever the rows answer.
//
// Along a wave of a lattice, s = sin(k d/2), strains have the stiffness M (4 s^2 - 4 s^4)/d^2 in the place of
// M k^2, and |g|^2 is 4 s^4/d^2. So a stiffness M of ripples makes central differences compact ones, 4
// s^2/d^2, and (4/3) M makes up for their error, too (M: modulus of the wave).
#pragma once

#include "hardpan/meshfree/gradient.h"
#include "hardpan/meshfree/particle_rows.h"

namespace hardpan::meshfree {

class RippleRows final : public ParticleRows {
 public:
  RippleRows(const Cloud& cloud, const Gradient& gradient);
  void place(const solve::Problem& problem, std::size_t first_block);

  std::span<const double> coefficients() const { return coefficient_; }  // c by entries of the gradient, 1/m
  // g of places, or of velocities.
  template <class Field>
  Vec3 of(std::size_t i, const Field& field) const {
    Vec3 sum = Vec3::Zero();
    for (std::size_t e = gradient_.begin(i); e < gradient_.end(i); ++e)
      sum.noalias() += coefficient_[e] * field(gradient_.neighbour(e));
    return sum;
  }

  // F and g.
  void set_point(std::size_t particle, const Mat3& deformation, const Vec3& ripple) {
    points_[particle] = {deformation, ripple};
  }

  void apply(std::span<const double> v, std::span<double> out) const override;
  void apply_transpose(std::span<const double> lambda, std::span<double> out) const override;
  void assemble(std::size_t first_row, solve::MatrixSink& sink) const override;
  // Their products and answers are part of those of the strains (StrainRows::set_ripple).
  bool soft() const override { return true; }

 private:
  struct Point {
    Mat3 deformation = Mat3::Identity();
    Vec3 ripple = Vec3::Zero();
  };

  const Gradient& gradient_;
  std::vector<double> coefficient_;
  std::vector<Point> points_;
  mutable std::vector<double> assembled_;  // of the last assembly
};

}  // namespace hardpan::meshfree
