// What contacts add up to between steps, and what is saved of them.
#include <algorithm>

#include "hardpan/core/error.h"
#include "hardpan/couple/body_contact.h"

namespace hardpan::couple {

void ContactBooks::add(const ContactBooks& other) {
  normal.add(other.normal);
  friction.add(other.friction);
  impacts.add(other.impacts);
  impulse += other.impulse;
  angular_impulse += other.angular_impulse;
  lift = std::max(lift, other.lift);
  adhesion += other.adhesion;
}

void ContactBooks::add_to(multibody::Ledger& ledger) const {
  ledger.contacts.add(normal);
  ledger.grains.work -= adhesion;  // where the bodies book what they are given
  ledger.friction.add(friction);
  ledger.impacts.add(impacts);
  ledger.impulse += impulse;
  ledger.angular_impulse += angular_impulse;
}

void ContactBooks::save(const std::string& of, Archive& archive) const {
  std::vector<double> books;
  for (const multibody::EnergyAccount* account : {&normal, &friction, &impacts})
    books.insert(books.end(), {account->work, account->stored, account->dissipated, account->lost});
  for (const Vec3* v : {&impulse, &angular_impulse}) books.insert(books.end(), v->begin(), v->end());
  books.insert(books.end(), {lift, adhesion});
  archive.put(of + "/books", books, {books.size()});
}

void ContactBooks::restore(const std::string& of, const Archive& archive) {
  std::vector<double> books(20);
  archive.get(of + "/books", std::span(books));
  const double* from = books.data();
  for (multibody::EnergyAccount* account : {&normal, &friction, &impacts}) {
    *account = {from[0], from[1], from[2], from[3]};
    from += 4;
  }
  impulse = Eigen::Map<const Vec3>(from);
  angular_impulse = Eigen::Map<const Vec3>(from + 3);
  lift = from[6];
  adhesion = from[7];
}

Vec3 BodyContact::force(multibody::BodyId b, multibody::BodyId a, double h) const {
  Vec3 sum = Vec3::Zero();
  for (const Touch& touch : touches_) {
    const auto [s, t] = surfaces_of(touch);
    const multibody::BodyId first = model_.surfaces[s].body, second = model_.surfaces[t].body;
    if (second == b && (!a.valid() || first == a)) sum += touch.total() / h;
    if (first == b && (!a.valid() || second == a)) sum -= touch.total() / h;
  }
  return sum;
}

// Grains are the later ones of a pair.
Vec3 BodyContact::force_of_grains(multibody::BodyId body, double h) const {
  Vec3 sum = Vec3::Zero();
  for (const Touch& touch : touches_) {
    const auto [s, t] = surfaces_of(touch);
    if (model_.surfaces[s].body == body && model_.is_grain(t)) sum -= touch.total() / h;
  }
  return sum;
}

double BodyContact::coordination() const {
  double ends = 0;
  for (const Touch& touch : touches_)
    if (touch.pressed())
      for (const std::size_t surface : surfaces_of(touch)) ends += model_.is_grain(surface) ? 1 : 0;
  return model_.grains > 0 ? ends / static_cast<double>(model_.grains) : 0;
}

void BodyContact::save(Archive& archive) const {
  save_touches(touches_, "contacts", archive);
  books_.save("contacts", archive);
}

void BodyContact::restore(const Archive& archive) {
  touches_ = restore_touches("contacts", archive);
  const std::uint64_t pairs = model_.surfaces.size() * model_.surfaces.size();
  if (!std::ranges::is_sorted(touches_, {}, &Touch::pair) ||
      (!touches_.empty() && touches_.back().pair >= pairs))
    throw IoError("saved state has contacts of another world");
  books_.restore("contacts", archive);
}

}  // namespace hardpan::couple
