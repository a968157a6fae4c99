#include "hardpan/solve/friction.h"

#include <algorithm>

namespace hardpan::solve {
namespace {

// Coulomb's: what remains of w_t where lambda_t cannot answer it.
void disc_error(const double* lambda, std::size_t count, double radius, double* w) {
  const double size = norm(lambda, count);
  if (!(radius > 0)) std::fill_n(w, count, 0.0);
  if (!(radius > 0) || !on_rim(size, radius)) return;
  double along = 0;
  for (std::size_t k = 0; k < count; ++k) along += w[k] * lambda[k] / size;
  for (std::size_t k = 0; k < count; ++k) w[k] -= std::min(along, 0.0) * lambda[k] / size;
}

void box_error(const double* lambda, std::size_t count, double radius, double* w) {
  for (std::size_t k = 0; k < count; ++k) w[k] = row_error(w[k], lambda[k], -radius, radius);
}

// A contact without impulse: w minus its nearest point of K*.
void convex_error_at_rest(const RowTable& rows, const RowTable::Contact& contact, std::span<double> w) {
  std::array<ConeTerm, RowTable::most_cones> terms;
  const auto cones = rows.cones(contact);
  for (std::size_t k = 0; k < cones.size(); ++k)
    terms[k] = {cones[k].mu, norm(&w[cones[k].first], cones[k].count), 1.0};
  // w_n + theta = sum mu (size - mu theta)+, theta >= 0: in x = theta, start = -w_n.
  const double theta =
      std::max(0.0, cone_balance(-w[contact.normal], 1.0, std::span(terms).first(cones.size())));
  w[contact.normal] = -theta;
  for (const Cone& cone : cones) {
    const double size = norm(&w[cone.first], cone.count);
    into_disc(&w[cone.first], cone.count, std::min(size, cone.mu * theta));
  }
}

void convex_error(const RowTable& rows, const RowTable::Contact& contact, std::span<const double> lambda,
                  std::span<double> w) {
  const double n = lambda[contact.normal];
  if (!(n > 0)) return convex_error_at_rest(rows, contact, w);
  std::array<ConeTerm, RowTable::most_cones> terms;
  std::size_t sliding = 0;
  const auto along = [&](const Cone& cone) {  // -w_k . lambda_k / |lambda_k|
    double sum = 0;
    for (std::size_t k = 0; k < cone.count; ++k) sum -= w[cone.first + k] * lambda[cone.first + k];
    return sum / norm(&lambda[cone.first], cone.count);
  };
  const auto slides = [&](const Cone& cone) {
    return cone.mu > 0 && on_rim(norm(&lambda[cone.first], cone.count), cone.mu * n);
  };
  for (const Cone& cone : rows.cones(contact))
    if (slides(cone)) terms[sliding++] = {cone.mu, along(cone), 1.0};
  const double theta = cone_balance(-w[contact.normal], 1.0, std::span(terms).first(sliding));
  w[contact.normal] = -theta;
  for (const Cone& cone : rows.cones(contact)) {
    if (!(cone.mu > 0)) std::fill_n(&w[cone.first], cone.count, 0.0);
    if (!slides(cone)) continue;
    const double s = std::max(0.0, along(cone) - theta * cone.mu);
    const double size = norm(&lambda[cone.first], cone.count);
    for (std::size_t k = 0; k < cone.count; ++k) w[cone.first + k] += s * lambda[cone.first + k] / size;
  }
}

}  // namespace

double cone_balance(double start, double weight, std::span<ConeTerm> terms) {
  std::sort(terms.begin(), terms.end(),
            [](const ConeTerm& a, const ConeTerm& b) { return a.size * b.mu > b.size * a.mu; });
  double x = start, right = weight * start, left = weight;
  for (const ConeTerm& term : terms) {
    if (!(term.size > term.mu * x)) break;
    right += term.weight * term.mu * term.size;
    left += term.weight * term.mu * term.mu;
    x = right / left;
  }
  return x;
}

void row_errors(const RowTable& rows, Friction friction, std::span<const double> lambda,
                std::span<double> w) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!rows.in_cone(i)) w[i] = row_error(w[i], lambda[i], rows.lower()[i], rows.upper()[i]);
  for (const RowTable::Contact& contact : rows.contacts()) {
    if (friction == Friction::convex) {
      convex_error(rows, contact, lambda, w);
      continue;
    }
    w[contact.normal] = row_error(w[contact.normal], lambda[contact.normal], 0.0, unbounded);
    for (const Cone& cone : rows.cones(contact))
      (friction == Friction::box ? box_error : disc_error)(&lambda[cone.first], cone.count,
                                                           cone.mu * lambda[contact.normal], &w[cone.first]);
  }
}

void admit(const RowTable& rows, Friction friction, std::span<double> lambda) {
  for (std::size_t i = 0; i < lambda.size(); ++i)
    lambda[i] = rows.clamp(i, std::isfinite(lambda[i]) ? lambda[i] : 0.0);
  for (const RowTable::Contact& contact : rows.contacts())
    for (const Cone& cone : rows.cones(contact)) {
      const double radius = cone.mu * lambda[contact.normal];
      if (friction != Friction::box)
        into_disc(&lambda[cone.first], cone.count, radius);
      else
        for (std::size_t k = 0; k < cone.count; ++k)
          lambda[cone.first + k] = std::clamp(lambda[cone.first + k], -radius, radius);
    }
}

}  // namespace hardpan::solve
