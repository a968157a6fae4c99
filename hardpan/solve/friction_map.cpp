#include "hardpan/solve/friction_map.h"

#include <algorithm>

#include "hardpan/solve/block_product.h"

namespace hardpan::solve {
namespace {

// The unit vector along s and those across it, as rows.
struct Frame {
  std::array<std::array<double, 3>, 3> axis{};
};
Frame frame_of(const double* s, std::size_t count) {
  Frame f;
  const double size = norm(s, count);
  for (std::size_t k = 0; k < count; ++k) f.axis[0][k] = s[k] / size;
  const auto& e = f.axis[0];
  if (count == 2) f.axis[1] = {-e[1], e[0], 0};
  if (count == 3) {
    const Vec3 along(e[0], e[1], e[2]);
    const Vec3 across = along.unitOrthogonal(), third = along.cross(across);
    f.axis[1] = {across[0], across[1], across[2]};
    f.axis[2] = {third[0], third[1], third[2]};
  }
  return f;
}

constexpr double no_radius = 1e-200;
constexpr double softest = 1e60;  // across the sliding, over the Sigma of the stick: as good as free

// Beyond a rim that it can slide along.
bool slides(const Disc& disc, std::span<const double> s) {
  return disc.radius > no_radius && norm(&s[disc.first], disc.count) > disc.radius;
}

}  // namespace

// ---- rows of a piece

void PieceRows::copy(const RowTable& rows) {
  table_ = &rows;
  const auto assign = [](std::vector<double>& to, std::span<const double> from) {
    to.assign(from.begin(), from.end());
  };
  assign(sigma_, rows.sigma());
  assign(rhs_, rows.rhs());
  assign(lower_, rows.lower());
  assign(upper_, rows.upper());
  coefficients_.resize(rows.coefficient_count());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const RowTable::Term& term : rows.terms(i))
      std::ranges::copy(rows.coefficients(term), &coefficients_[term.first]);
}

void PieceRows::clear_row(std::size_t i) {
  rhs_[i] = 0;
  for (const RowTable::Term& term : table_->terms(i)) std::fill_n(&coefficients_[term.first], term.size, 0.0);
}

void PieceRows::add_row(std::size_t i, std::size_t k, double factor) {
  rhs_[i] += factor * table_->rhs()[k];
  for (std::size_t t = 0; t < table_->terms(i).size(); ++t) {
    const RowTable::Term &to = table_->terms(i)[t], &from = table_->terms(k)[t];
    add_scaled(factor, table_->coefficients(from).data(), &coefficients_[to.first], to.size);
  }
}

void PieceRows::apply(std::span<const double> v, std::span<double> out) const {
  for (std::size_t i = 0; i < rows(); ++i) {
    out[i] = 0;
    for (const RowTable::Term& term : table_->terms(i))
      out[i] += dot(&coefficients_[term.first], &v[term.column], term.size);
  }
}

void PieceRows::apply_transpose(std::span<const double> lambda, std::span<double> out) const {
  for (std::size_t i = 0; i < rows(); ++i)
    for (const RowTable::Term& term : table_->terms(i))
      add_scaled(lambda[i], &coefficients_[term.first], &out[term.column], term.size);
}

void PieceRows::assemble(std::size_t first_row, MatrixSink& sink) const {
  for (std::size_t i = 0; i < rows(); ++i)
    for (const RowTable::Term& term : table_->terms(i))
      sink.jacobian(first_row + i, term.block, {&coefficients_[term.first], term.size});
}

// ---- the map

void FrictionMap::cones(const RowTable& rows) {
  discs(rows, false);
  convex_ = true;
}

void FrictionMap::discs(const RowTable& rows, bool boxes) {
  convex_ = false;
  discs_.clear();
  for (const RowTable::Contact& contact : rows.contacts())
    for (const Cone& cone : rows.cones(contact))
      for (std::size_t k = 0; k < cone.count; k += boxes ? 1 : cone.count)
        discs_.push_back({cone.normal, cone.first + k, boxes ? 1 : cone.count, cone.mu, 0.0});
}

double FrictionMap::convex_normal(const RowTable& rows, const RowTable::Contact& contact,
                                  std::span<const double> s) const {
  std::array<ConeTerm, RowTable::most_cones> terms;
  const auto all = rows.cones(contact);
  for (std::size_t k = 0; k < all.size(); ++k)
    terms[k] = {all[k].mu, norm(&s[all[k].first], all[k].count), rows.sigma()[all[k].first]};
  return std::max(
      0.0, cone_balance(s[contact.normal], rows.sigma()[contact.normal], std::span(terms).first(all.size())));
}

void FrictionMap::project(const RowTable& rows, std::span<const double> s, std::span<double> lambda) const {
  for (std::size_t i = 0; i < rows.size(); ++i)
    lambda[i] = rows.fixed(i) ? rows.lower()[i] : rows.clamp(i, s[i]);
  if (convex_)
    for (const RowTable::Contact& contact : rows.contacts())
      lambda[contact.normal] = convex_normal(rows, contact, s);
  for (const Disc& disc : discs_)
    into_disc(&lambda[disc.first], disc.count, convex_ ? disc.mu * lambda[disc.normal] : disc.radius);
}

void FrictionMap::hold(std::size_t row, double lambda) {
  states_[row] = RowState::at_lower;
  held_[row] = lambda;
}

// The rows of a disc along and across s; held along it at a value.
void FrictionMap::rotate(const Disc& disc, std::span<const double> s, double value) {
  const Frame frame = frame_of(&s[disc.first], disc.count);
  for (std::size_t k = 0; k < disc.count; ++k) {
    piece_.clear_row(disc.first + k);
    for (std::size_t c = 0; c < disc.count; ++c)
      piece_.add_row(disc.first + k, disc.first + c, frame.axis[k][c]);
    if (k > 0)
      *piece_.sigma_of(disc.first + k) *= std::min(softest, norm(&s[disc.first], disc.count) / disc.radius);
  }
  hold(disc.first, value);
}

void FrictionMap::linearise(const RowTable& rows, std::span<const double> s) {
  piece_.copy(rows);
  at_.assign(s.begin(), s.end());
  states_.assign(rows.size(), RowState::free);
  held_.assign(rows.size(), 0.0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double lambda = rows.fixed(i) ? rows.lower()[i] : rows.clamp(i, s[i]);
    if (rows.fixed(i) || lambda != s[i]) hold(i, lambda);
  }
  if (convex_)
    for (const RowTable::Contact& contact : rows.contacts()) {
      const double x = convex_normal(rows, contact, s);
      states_[contact.normal] = x > 0 ? RowState::free : RowState::at_lower;
      held_[contact.normal] = 0;
      for (Disc& disc : std::span(discs_).subspan(contact.first_cone, contact.cone_count))
        disc.radius = disc.mu * x;
    }
  for (const Disc& disc : discs_) {
    if (!(disc.radius > no_radius)) {
      for (std::size_t k = 0; k < disc.count; ++k) hold(disc.first + k, 0.0);
    } else if (slides(disc, s)) {
      rotate(disc, s, convex_ ? 0.0 : disc.radius);
      if (!convex_) continue;
      const Frame frame = frame_of(&s[disc.first], disc.count);
      for (std::size_t c = 0; c < disc.count; ++c)
        piece_.add_row(disc.normal, disc.first + c, disc.mu * frame.axis[0][c]);
      *piece_.sigma_of(disc.normal) += disc.mu * disc.mu * rows.sigma()[disc.first];
    }
  }
}

void FrictionMap::bound_slides(std::span<const double> s) {
  for (const Disc& disc : discs_)
    for (std::size_t k = 0; k < disc.count; ++k)
      if (!(disc.radius > no_radius))
        piece_.set_bounds(disc.first + k, 0.0, 0.0);
      else if (k == 0 && slides(disc, s))
        piece_.set_bounds(disc.first, -disc.radius, disc.radius);
}

void FrictionMap::recover(const RowTable& rows, std::span<const double> lambda, std::span<const double> w,
                          std::span<double> s) const {
  // By rows of the piece: t . (q - G v)
  const auto y = [&](std::size_t i) { return piece_.sigma()[i] * lambda[i] - w[i]; };
  for (std::size_t i = 0; i < rows.size(); ++i)
    s[i] = rows.fixed(i)      ? lambda[i]
           : !rows.in_cone(i) ? lambda[i] - w[i] / rows.sigma()[i]
                              : y(i) / rows.sigma()[i];
  for (const Disc& disc : discs_) {
    if (!slides(disc, at_)) continue;
    const Frame frame = frame_of(&at_[disc.first], disc.count);
    if (convex_) s[disc.normal] -= disc.mu * y(disc.first) / rows.sigma()[disc.normal];
    for (std::size_t c = 0; c < disc.count; ++c) {
      double sum = 0;
      for (std::size_t k = 0; k < disc.count; ++k) sum += frame.axis[k][c] * y(disc.first + k);
      s[disc.first + c] = sum / rows.sigma()[disc.first];
    }
  }
}

}  // namespace hardpan::solve
