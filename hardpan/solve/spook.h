// Compliant rows of the SPOOK step (Lacoursiere; MESHFREE section 2.2; the misprinted Sigma is corrected).
//
// A row with violation g(q), Jacobian G, compliance eps and relaxation time tau obeys
//     G v+ + Sigma lambda = -(4/h) Y g + Y G v-,   Y = 1/(1 + 4 tau/h),   Sigma = (4/h^2) Y eps
// with the impulse lambda. Multiplied out, the force f = lambda/h is
//     f = -(1/eps) [ g + tau G v+ + (h/4)(G v+ - G v-) ]
// that is a spring 1/eps with a damper tau/eps, taken implicitly. A damper c alone (Pfaffian row) is the
// limit of infinite eps and tau: G v+ + lambda/(c h) = 0.
#pragma once

namespace hardpan::solve {

struct RowTerms {
  double sigma;  // regularisation on the diagonal
  double rhs;    // right-hand side of G v + sigma lambda = rhs
};

inline RowTerms compliant_row(double h, double compliance, double relaxation_time, double violation,
                              double rate) {
  const double upsilon = 1.0 / (1.0 + 4.0 * relaxation_time / h);
  return {4.0 / (h * h) * upsilon * compliance, upsilon * (rate - 4.0 / h * violation)};
}

inline RowTerms damper_row(double h, double damping) { return {1.0 / (damping * h), 0.0}; }

}  // namespace hardpan::solve
