// Where energy and momentum of a step went.
#include "hardpan/meshfree/solid.h"

namespace hardpan::meshfree {

void Solid::book(double h, std::span<const double> lambda) {
  SolidBooks& books = next_.books;
  const auto mean = [&](std::size_t i) { return Vec3(0.5 * (state_.velocity[i] + next_.velocity[i])); };
  const auto work_of = [&](const solve::RowGroup& group, std::span<const double> of) {
    std::ranges::fill(column_, 0.0);
    group.apply_transpose(of, column_);
    double sum = 0;
    for (std::size_t i = 0; i < size(); ++i)
      sum += Eigen::Map<const Vec3>(&column_[first_column_ + 3 * i]).dot(mean(i));
    return sum;
  };
  const std::size_t strains = strain_rows_.rows();
  books.stress += work_of(strain_rows_, lambda.first(strains));
  if (balances() > 0) books.balance += work_of(residual_rows_, lambda.subspan(strains, balances()));
  if (ripples() > 0) books.balance += work_of(ripple_rows_, lambda.subspan(strains + balances(), ripples()));
  std::size_t row = strains + balances() + ripples();
  books.outside += work_of(hold_rows_, lambda.subspan(row));
  for (const Hold& hold : model_.holds)
    for (const std::uint32_t i : hold.particles) {
      const Vec3 impulse = lambda[row++] * hold.direction;
      books.impulse += impulse;
      books.angular_impulse += state_.position[i].cross(impulse);
    }
  for (std::size_t i = 0; i < size(); ++i) {
    books.impulse += h * force_[i];
    books.angular_impulse += h * state_.position[i].cross(force_[i]);
    books.gravity += h * weight_[i].dot(mean(i));
    books.outside += h * (force_[i] - weight_[i]).dot(mean(i));
    books.plastic += model_.cloud.volume[i] * next_.stress[i].dot(next_.plastic[i] - state_.plastic[i]);
  }
  books.viscous += viscous_loss(h);
  books.stored = stored_energy(next_, next_shape_);
  if (ripples() > 0) book_ripples(h);
}

// In this step, by the viscous part of the stress, tau C : e'_+ with the rate of the elastic strain, along
// the mean rate, with which all work is booked; and likewise in the rows of balance, tau alpha V E g'_+. The
// law's points are those of the step's end, the rows' those of lambda.
double Solid::viscous_loss(double h) {
  double sum = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    const Point& point = points_[i];
    const Vec6 yields = (next_.plastic[i] - state_.plastic[i]) / h;
    const Vec6 viscous = model_.material_of(i).law.elastic_stress(point.rate_after - yields);
    sum += model_.cloud.volume[i] * viscous.dot(0.5 * (point.rate_before + point.rate_after) - yields);
  }
  if (model_.stabilisation > 0) {
    const auto rates = [&](const std::vector<Vec3>& velocity) {
      for (std::size_t i = 0; i < size(); ++i)
        Eigen::Map<Vec3>{&column_[first_column_ + 3 * i]} = velocity[i];
      residual_rows_.apply(column_, product_);
    };
    rates(state_.velocity);
    const std::vector<double> before = product_;
    rates(next_.velocity);
    for (std::size_t i = 0; i < size(); ++i) {
      const Vec3 after = Eigen::Map<const Vec3>(&product_[3 * i]);
      sum += model_.stabilisation * model_.cloud.volume[i] * young(i) *
             after.dot(0.5 * (Eigen::Map<const Vec3>(&before[3 * i]) + after));
    }
  }
  return h * relaxation(h) * sum;
}

}  // namespace hardpan::meshfree
