// How far impulses are from those that obey their laws, in N s: what a step of projected descent would
// change,
//
//     max_i |lambda_i - P(lambda_i - rho_i (w_i + mu |w_t| n))|,     rho_i = 3 / tr N_ii
//
// over contacts i, N = G A^-1 G^T + Sigma, P the projection on the cone; the convex law goes without the
// shift mu |w_t| of normals (De Saxce & Feng, Math. Comput. Model. 28 (1998) 225-245). Rows of no contact
// have rho = 1/N_ii and their bounds. Over the length of a step it is a force: the residual of DEM-C, eq. 24,
// as its tolerance of 5e-2 N is meant.
#pragma once

#include <span>
#include <vector>

#include "hardpan/solve/row_table.h"

namespace hardpan::solve {

// rho of all rows; the same for all rows of a contact.
void impulse_steps(const Problem& problem, const RowTable& rows, std::vector<double>& rho);

double impulse_error(const RowTable& rows, Friction friction, std::span<const double> rho,
                     std::span<const double> lambda, std::span<const double> w);

}  // namespace hardpan::solve
