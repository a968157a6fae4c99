// Gradients of a field that is known at particles, by moving least squares (Lancaster & Salkauskas 1981;
// MESHFREE 3.2): around each particle i a polynomial is fitted to the values of its neighbours,
//
//     u(x) = sum_j Psi_j(x) u_j,     grad u(x_i) = sum_j u_j (x) Lambda_ij,     Lambda_ij = grad Psi_j(x_i)
//
// of all within l, with the weight (1 - r^2/l^2)^3. Lambda depends on the first places of the particles only.
//
// The polynomial is quadratic as far as the neighbours can tell: on a lattice with l = 2 d, a particle of a
// face sees two layers, which do not tell x from x^2. So the coefficients of its quadratic part cost a
// little, and are zero where they explain nothing; the linear part is free. Every affine field then has its
// exact gradient, everywhere.
//
// That is half of what a uniform strain needs; the other half is that a uniform stress leaves no force inside
// and the right one at the surface:
//
//     sum_i V_i Lambda_ij = A_j n_j       (0 inside)
//
// MLS misses that by 0.13 d^2 next to edges and corners, and by d^2 in clouds without order. So Lambda gets
// the smallest correction that makes it exact and keeps affine fields exact (as in Chen, Hillman & Rueter,
// Int. J. Numer. Meth. Engng 95 (2013) 387-418, but by least squares):
//
//     min sum_ij V_i |D_ij|^2/w_ij,     sum_j D_ij = 0,  sum_j X_j D_ij = 0,  sum_i V_i (Lambda + D)_ij = A_j
//     n_j
//
//     D_ij = w_ij (mu_j - a_i . p_ij),  p_ij = (1, X_j - X_i),  a_i: the weighted affine fit of mu around i
//
// for each direction of the gradient on its own; mu follows by conjugate gradients. Where areas are not
// known, particles of the surface are left out, and what comes out there is their share of the surface.
//
// Nearest neighbours alone are enough in a whole lattice: differences along its axes, central ones inside and
// one-sided ones on faces, are exact for affine fields and for the bilinear ones of bending, and balanced as
// they are: V_i Lambda_ij, half at the ends, sums up to 0 inside and to the area of a cell on a face. That is
// where MLS leads as l shrinks to sqrt2 d. MLS with l = 2 d has 27 in the place of 7 entries, is no more
// exact, and its correction reaches all through the lattice.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hardpan/meshfree/cloud.h"
#include "hardpan/meshfree/neighbours.h"

namespace hardpan::meshfree {

class Gradient {
 public:
  // `reach`: l over the spacing; `nearest`: differences, in a whole lattice. Throws InputError where
  // neighbours are too few to tell a gradient.
  static constexpr double nearest = 1;
  Gradient(const Cloud& cloud, double reach);

  std::size_t size() const { return pairs_.start.size() - 1; }
  double radius() const { return radius_; }  // l, m; of nearest neighbours 2 d
  // Entries of particle i: neighbours in order, itself among them.
  std::size_t begin(std::size_t i) const { return pairs_.start[i]; }
  std::size_t end(std::size_t i) const { return pairs_.start[i + 1]; }
  std::uint32_t neighbour(std::size_t entry) const { return pairs_.index[entry]; }
  const Vec3& slope(std::size_t entry) const { return slope_[entry]; }  // Lambda_ij, 1/m
  // The entry of i at j, for that of j at i.
  std::uint32_t mirror(std::size_t entry) const { return pairs_.mirror[entry]; }
  const Vec3& area(std::size_t j) const { return area_[j]; }  // sum_i V_i Lambda_ij, m^2

  // grad u(x_i), row by row of u.
  template <class Field>
  Mat3 of(std::size_t i, const Field& field) const {
    Mat3 sum = Mat3::Zero();
    for (std::size_t e = begin(i); e < end(i); ++e)
      sum.noalias() += field(neighbour(e)) * slope_[e].transpose();
    return sum;
  }

  // Its transpose: sum_i T_i Lambda_ij of a field of tensors.
  template <class Field>
  Vec3 gathered(std::size_t j, const Field& field) const {
    Vec3 sum = Vec3::Zero();
    for (std::size_t e = begin(j); e < end(j); ++e) sum.noalias() += field(neighbour(e)) * slope_[mirror(e)];
    return sum;
  }

 private:
  void take_differences(const Cloud& cloud);
  void check(const Cloud& cloud, std::size_t i) const;
  void fit(const Cloud& cloud, std::size_t i);
  void balance(const Cloud& cloud);
  void sum_areas(const Cloud& cloud);
  // From i to the neighbour of an entry, over l.
  Vec3 offset(const Cloud& cloud, std::size_t i, std::size_t entry) const {
    return (cloud.position[neighbour(entry)] - cloud.position[i]) / radius_;
  }

  double radius_;
  Neighbours pairs_;
  std::vector<Vec3> slope_;
  std::vector<Vec3> area_;
};

}  // namespace hardpan::meshfree
