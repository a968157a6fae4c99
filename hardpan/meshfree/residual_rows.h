// Three rows per particle that keep modes away which strains do not see: MLS strains of short waves are too
// small, those of particles that move to and fro in turn are zero. Where stress and body force b do not
// balance,
//
//     g = (l/E) (sum_j P_j Lambda_ij + b),     P = F S
//
// is a violation like another, with the compliance 1/(alpha V E) (MESHFREE eqs. 28 to 31, with the force that
// its text names and its equation lacks, and with the first Piola-Kirchhoff stress P, whose divergence the
// balance asks for, where the paper has S). With the stiffness C,
//
//     dP = A(dF) = dF S + F C : sym(F^T dF)
//
// and A is symmetric: a product with G is that of MLS, A and MLS again, and so is one with its transpose.
// The part of row i on particle k is
//
//     (l/E) sum_j [ (Lambda_jk . S Lambda_ij) 1 + B_ij^T C B_jk ],     B_ij v = sym(F^T v (x) Lambda_ij)
//
// for all neighbours of neighbours.
#pragma once

#include "hardpan/meshfree/gradient.h"
#include "hardpan/meshfree/particle_rows.h"
#include "hardpan/meshfree/sums.h"
#include "hardpan/meshfree/tangents.h"

namespace hardpan::meshfree {

class ResidualRows final : public ParticleRows {
 public:
  ResidualRows(const Gradient& gradient, const NeighbourSums& sums) : gradient_(gradient), sums_(sums) {}
  void place(const solve::Problem& problem, std::size_t first_block);

  struct Point {
    Mat3 deformation = Mat3::Identity();  // F
    Mat3 stress = Mat3::Zero();           // S, Pa
    Mat6 stiffness = Mat6::Zero();        // C, Mandel, symmetric, Pa
    double scale = 0;                     // l/E, m/Pa
  };
  void set_point(std::size_t particle, const Point& point) { points_[particle] = point; }
  // After all points and rows have been set: what products need.
  void complete();

  // g, for the stresses of all particles as they were set.
  Vec3 violation(std::size_t particle, const Vec3& body_force) const;

  void apply(std::span<const double> v, std::span<double> out) const override;
  void apply_transpose(std::span<const double> lambda, std::span<double> out) const override;
  void assemble(std::size_t first_row, solve::MatrixSink& sink) const override;
  void add_product(std::span<const double> x, std::span<double> out) const override;
  void add_answer(std::span<const double> v, std::span<double> out) const override;
  bool soft() const override { return true; }  // its stiffness is left out of diagonals: it is little

 private:
  static Mat3 change_of_stress(const Point& point, const Mat3& dF);
  void add_stresses(const double* x, bool pushed, std::span<double> out) const;
  void list_seconds() const;
  void write_parts(std::size_t i) const;

  const Gradient& gradient_;
  std::vector<Point> points_;
  mutable std::vector<Mat3> stress_;  // between both products
  const NeighbourSums& sums_;
  Tangents tangents_;
  std::vector<double> answers_;  // scale^2/Sigma, of rows
  std::vector<double> pushes_;   // scale q/Sigma
  mutable std::vector<double> vectors_;
  mutable WideRing tensors_;
  // Neighbours of neighbours, and the parts of the last assembly.
  mutable std::vector<std::size_t> second_start_;
  mutable std::vector<std::uint32_t> second_;
  mutable std::vector<double> coefficients_;
};

}  // namespace hardpan::meshfree
