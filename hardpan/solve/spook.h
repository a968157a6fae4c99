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

// Rows of one compliance and relaxation time: what they have in common is divided out once.
class CompliantRows {
 public:
  CompliantRows(double h, double compliance, double relaxation_time)
      : over_(4.0 / h),
        upsilon_(1.0 / (1.0 + 4.0 * relaxation_time / h)),
        sigma_(4.0 / (h * h) * upsilon_ * compliance) {}
  RowTerms row(double violation, double rate) const {
    return {sigma_, upsilon_ * (rate - over_ * violation)};
  }

 private:
  double over_, upsilon_, sigma_;
};

inline RowTerms compliant_row(double h, double compliance, double relaxation_time, double violation,
                              double rate) {
  return CompliantRows(h, compliance, relaxation_time).row(violation, rate);
}

inline RowTerms damper_row(double h, double damping) { return {1.0 / (damping * h), 0.0}; }

}  // namespace hardpan::solve
