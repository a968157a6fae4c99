// Strain of a deformation F, in the material's frame, Mandel's notation:
//
//     green        e = (F^T F - 1)/2         (Green & Lagrange; S is the second stress of Piola & Kirchhoff)
//     logarithmic  e = ln(F^T F)/2           (Hencky; its stress T has the principal values of Kirchhoff's)
//
// Stresses that do the same work: S = Q T with Q = d e/d e_green, which is symmetric. In the axes n_a of F^T
// F, with its principal values c_a,
//
//     Q = sum_ab q_ab N_ab (x) N_ab,   q_ab = (ln c_a - ln c_b)/(c_a - c_b),   q_aa = 1/c_a
//
// N_ab = sym(n_a (x) n_b), normalised (C. Miehe, N. Apel & M. Lambrecht, Comput. Methods Appl. Mech. Eng. 191
// (2002) 5383-5425).
#pragma once

#include "hardpan/math/types.h"

namespace hardpan::meshfree {

enum class StrainMeasure { green, logarithmic };

Vec6 strain_of(StrainMeasure measure, const Mat3& F);
// The same, with Q.
Vec6 strain_of(StrainMeasure measure, const Mat3& F, Mat6& Q);

}  // namespace hardpan::meshfree
