#include "hardpan/solve/impulse_error.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "hardpan/core/parallel.h"
#include "hardpan/solve/block_cholesky.h"
#include "hardpan/solve/friction.h"

namespace hardpan::solve {
namespace {

// Of one contact, squared.
double square_error(const RowTable& rows, const RowTable::Contact& contact, Friction friction, double rho,
                    std::span<const double> lambda, std::span<const double> w) {
  const std::size_t n = contact.normal;
  const auto cones = rows.cones(contact);
  std::array<std::array<double, 3>, RowTable::most_cones> t{};
  std::array<ConeTerm, RowTable::most_cones> terms;
  double opening = 0;
  for (std::size_t c = 0; c < cones.size(); ++c) {
    const Cone& cone = cones[c];
    for (std::size_t k = 0; k < cone.count; ++k) t[c][k] = lambda[cone.first + k] - rho * w[cone.first + k];
    terms[c] = {cone.mu, norm(t[c].data(), cone.count), 1};
    if (friction == Friction::cone) opening += cone.mu * norm(&w[cone.first], cone.count);
  }
  double next = lambda[n] - rho * (w[n] + opening);
  if (friction != Friction::box) next = cone_balance(next, 1, std::span(terms).first(cones.size()));
  next = std::max(0.0, next);
  double sum = std::pow(next - lambda[n], 2);
  for (std::size_t c = 0; c < cones.size(); ++c) {
    const double radius = cones[c].mu * (friction == Friction::box ? lambda[n] : next);
    if (friction == Friction::box)
      for (double& x : t[c]) x = std::clamp(x, -radius, radius);
    else
      into_disc(t[c].data(), cones[c].count, radius);
    for (std::size_t k = 0; k < cones[c].count; ++k) sum += std::pow(t[c][k] - lambda[cones[c].first + k], 2);
  }
  return sum;
}

double largest_of(double a, double b) { return b <= a ? a : b; }  // NaN shows

}  // namespace

void impulse_steps(const Problem& problem, const RowTable& rows, std::vector<double>& rho) {
  rho.resize(rows.size());
  parallel_for(rows.size(), [&](std::size_t begin, std::size_t end) {
    std::array<double, 6> x;
    for (std::size_t i = begin; i < end; ++i) {
      double sum = rows.fixed(i) ? 1.0 : rows.sigma()[i];
      for (const RowTable::Term& term : rows.terms(i)) {
        const auto y = std::span(x).first(term.size);
        std::ranges::copy(rows.coefficients(term), y.begin());
        cholesky_forward(rows.factor(problem, term.block), y);
        for (const double v : y) sum += v * v;
      }
      rho[i] = 1 / sum;
    }
  });
  for (const RowTable::Contact& contact : rows.contacts()) {
    double trace = 1 / rho[contact.normal], count = 1;
    for (const Cone& cone : rows.cones(contact))
      for (std::size_t k = cone.first; k < cone.first + cone.count; ++k) trace += 1 / rho[k], count += 1;
    rho[contact.normal] = count / trace;
    for (const Cone& cone : rows.cones(contact))
      std::fill_n(rho.begin() + static_cast<std::ptrdiff_t>(cone.first), cone.count, count / trace);
  }
}

double impulse_error(const RowTable& rows, Friction friction, std::span<const double> rho,
                     std::span<const double> lambda, std::span<const double> w) {
  double plain = 0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!rows.in_cone(i) && !rows.is_friction(i) && !rows.fixed(i))
      plain = largest_of(plain, std::abs(rows.clamp(i, lambda[i] - rho[i] * w[i]) - lambda[i]));
  const auto contacts = rows.contacts();
  const double square = parallel_reduce(
      contacts.size(), 0.0,
      [&](std::size_t begin, std::size_t end) {
        double most = 0;
        for (std::size_t c = begin; c < end; ++c)
          most =
              largest_of(most, square_error(rows, contacts[c], friction, rho[contacts[c].normal], lambda, w));
        return most;
      },
      largest_of);
  return largest_of(plain, std::sqrt(square));
}

}  // namespace hardpan::solve
