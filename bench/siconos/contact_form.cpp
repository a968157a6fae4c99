#include "bench/siconos/contact_form.h"

#include <algorithm>
#include <array>

#include <Eigen/Core>
#include <fmt/core.h>

#include "hardpan/core/error.h"
#include "hardpan/solve/friction.h"

namespace hardpan::bench {
namespace {

using solve::Problem;
using solve::RowTable;
using Rows3 = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor, 3, 6>;

// G of a contact on one velocity block, and G A^-1.
struct Part {
  std::size_t contact, block;
  Rows3 g, scaled;
};

void take_contacts(const RowTable& rows, ContactForm& form) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!rows.in_cone(i))
      throw InputError(
          fmt::format("row {} is no contact's with friction (a joint, a motor, a stop or a "
                      "contact without friction): only problems of contacts alone can be "
                      "compared",
                      i));
  for (const RowTable::Contact& contact : rows.contacts()) {
    const auto cones = rows.cones(contact);
    if (cones.size() != 1 || cones[0].count != 2)
      throw InputError(
          fmt::format("the contact of row {} has rolling, twisting or a single tangent: only "
                      "those of a normal and two tangents can be compared",
                      contact.normal));
    form.rows.insert(form.rows.end(), {contact.normal, cones[0].first, cones[0].first + 1});
    form.mu.push_back(cones[0].mu);
  }
}

std::vector<Part> parts_of(const Problem& problem, const RowTable& rows, const ContactForm& form) {
  std::vector<Part> parts;
  for (std::size_t c = 0; c < form.contacts(); ++c) {
    const auto normal = rows.terms(form.rows[3 * c]);
    for (std::size_t t = 0; t < normal.size(); ++t) {
      Part part{c, normal[t].block, Rows3(3, normal[t].size), Rows3(3, normal[t].size)};
      for (int k = 0; k < 3; ++k) {
        const RowTable::Term& term = rows.terms(form.rows[3 * c + k])[t];
        HARDPAN_CHECK(term.block == part.block, "the rows of a contact touch the same blocks");
        std::ranges::copy(rows.coefficients(term), part.g.row(k).data());
        std::ranges::copy(rows.coefficients(term), part.scaled.row(k).data());
        rows.solve_block(problem, part.block, {part.scaled.row(k).data(), term.size});
      }
      parts.push_back(std::move(part));
    }
  }
  return parts;
}

// w without impulses.
std::vector<double> free_rates(const Problem& problem, const RowTable& rows, const ContactForm& form) {
  std::vector<double> v(problem.momentum().begin(), problem.momentum().end());
  rows.solve_blocks(problem, v);
  std::vector<double> momentum(v.size()), w(rows.size()), b;
  problem.residual(v, std::vector<double>(rows.size(), 0.0), momentum, w);
  for (const std::size_t row : form.rows) b.push_back(w[row]);
  return b;
}

void assemble(const Problem& problem, const RowTable& rows, ContactForm& form) {
  const std::vector<Part> parts = parts_of(problem, rows, form);
  std::vector<std::vector<std::size_t>> touching(problem.blocks().size());
  for (std::size_t k = 0; k < parts.size(); ++k) touching[parts[k].block].push_back(k);

  form.start = {0};
  std::vector<std::size_t> place(form.contacts());
  for (std::size_t c = 0, k = 0; c < form.contacts(); ++c) {
    const std::size_t first_part = k, first = form.column.size();
    for (; k < parts.size() && parts[k].contact == c; ++k)
      for (const std::size_t other : touching[parts[k].block]) form.column.push_back(parts[other].contact);
    const auto begin = form.column.begin() + static_cast<std::ptrdiff_t>(first);
    std::sort(begin, form.column.end());
    form.column.erase(std::unique(begin, form.column.end()), form.column.end());
    for (std::size_t i = first; i < form.column.size(); ++i) place[form.column[i]] = i;
    form.start.push_back(form.column.size());
    form.blocks.resize(9 * form.column.size(), 0.0);
    const auto at = [&](std::size_t other) { return Eigen::Map<Mat3>(&form.blocks[9 * place[other]]); };
    for (std::size_t part = first_part; part < k; ++part)
      for (const std::size_t other : touching[parts[part].block])
        at(parts[other].contact) += parts[part].scaled * parts[other].g.transpose();
    for (int i = 0; i < 3; ++i) at(c)(i, i) += rows.sigma()[form.rows[3 * c + static_cast<std::size_t>(i)]];
  }
}

// The nearest point of |x_t| <= mu x_n.
Vec3 into_cone(const Vec3& x, double mu) {
  const double t = x.tail<2>().norm();
  if (t <= mu * x[0]) return x;
  if (mu * t <= -x[0]) return Vec3::Zero();
  const double n = (x[0] + mu * t) / (1 + mu * mu);
  return {n, mu * n * x[1] / t, mu * n * x[2] / t};
}

}  // namespace

double ContactForm::stiffness(std::size_t contact) const {
  for (std::size_t i = start[contact]; i < start[contact + 1]; ++i)
    if (column[i] == contact) return 3 / (blocks[9 * i] + blocks[9 * i + 4] + blocks[9 * i + 8]);
  HARDPAN_CHECK(false, "a contact without a block of its own");
  return 0;
}

ContactForm contact_form(const Problem& problem, const RowTable& rows) {
  ContactForm form;
  take_contacts(rows, form);
  assemble(problem, rows, form);
  form.b = free_rates(problem, rows, form);
  return form;
}

Miss miss(const Problem& problem, const RowTable& rows, const ContactForm& form,
          std::span<const double> lambda) {
  std::vector<double> v(problem.velocities(), 0.0), momentum(v.size()), w(lambda.size());
  problem.residual(v, lambda, momentum, w);
  v = momentum;
  rows.solve_blocks(problem, v);
  problem.residual(v, lambda, momentum, w);

  Miss result;
  for (std::size_t c = 0; c < form.contacts(); ++c) {
    const std::size_t* row = &form.rows[3 * c];
    const Vec3 r(lambda[row[0]], lambda[row[1]], lambda[row[2]]);
    Vec3 rate(w[row[0]], w[row[1]], w[row[2]]);
    rate[0] += form.mu[c] * rate.tail<2>().norm();
    result.impulse =
        std::max(result.impulse, (r - into_cone(r - form.stiffness(c) * rate, form.mu[c])).norm());
  }
  solve::row_errors(rows, solve::Friction::cone, lambda, w);
  result.velocity = solve::largest(w);
  return result;
}

}  // namespace hardpan::bench
