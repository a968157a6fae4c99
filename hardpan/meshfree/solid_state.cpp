// A solid's state in an archive.
#include "hardpan/meshfree/solid.h"

namespace hardpan::meshfree {

void Solid::save(Archive& archive) const {
  const auto vectors = [&](std::string_view name, const auto& values, std::string_view unit) {
    std::vector<double> plain;
    for (const auto& v : values) plain.insert(plain.end(), v.begin(), v.end());
    archive.put(name, plain, {values.size(), values.empty() ? 0 : static_cast<std::size_t>(values[0].size())},
                unit);
  };
  vectors("solid/position", state_.position, "m");
  vectors("solid/velocity", state_.velocity, "m/s");
  vectors("solid/plastic_strain", state_.plastic, "");
  vectors("solid/stress", state_.stress, "Pa");
  vectors("solid/ripple", state_.ripple, "");
  archive.put("solid/impulse", state_.impulse, {state_.impulse.size()});
  archive.put("solid/hold_force", state_.hold_force, {state_.hold_force.size()}, "N");
  archive.put("solid/hold_origin", state_.hold_origin, {state_.hold_origin.size()}, "m");
  const SolidBooks& b = state_.books;
  std::vector<double> books = {b.gravity, b.outside, b.stress, b.balance,
                               b.plastic, b.viscous, b.stored, b.first_stored};
  for (const Vec3* v : {&b.impulse, &b.angular_impulse}) books.insert(books.end(), v->begin(), v->end());
  archive.put("solid/books", books, {books.size()}, "J");
}

void Solid::restore(const Archive& archive) {
  const auto vectors = [&](std::string_view name, auto& values) {
    using Vector = std::remove_reference_t<decltype(values[0])>;
    std::vector<double> plain(values.size() * static_cast<std::size_t>(Vector::RowsAtCompileTime));
    archive.get(name, std::span(plain));
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = Eigen::Map<const Vector>(&plain[i * static_cast<std::size_t>(Vector::RowsAtCompileTime)]);
  };
  vectors("solid/position", state_.position);
  shaped_ = false;
  vectors("solid/velocity", state_.velocity);
  vectors("solid/plastic_strain", state_.plastic);
  vectors("solid/stress", state_.stress);
  vectors("solid/ripple", state_.ripple);
  // A preparation may have had other holds: its rows tell nothing about these.
  const auto same_shape = [&](std::string_view name, std::vector<double>& values) {
    const Archive::Entry* entry = archive.find(name);
    if (entry && entry->shape == std::vector<std::size_t>{values.size()})
      archive.get(name, std::span(values));
    else
      std::ranges::fill(values, 0.0);
  };
  same_shape("solid/impulse", state_.impulse);
  same_shape("solid/hold_force", state_.hold_force);
  same_shape("solid/hold_origin", state_.hold_origin);
  double b[14];
  archive.get("solid/books", std::span(b));
  state_.books = {
      b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], Vec3(b[8], b[9], b[10]), Vec3(b[11], b[12], b[13])};
}

}  // namespace hardpan::meshfree
