// The state of grains: how it is saved, restored, and taken for a beginning.
#include <algorithm>

#include "hardpan/core/error.h"
#include "hardpan/grains/system.h"

namespace hardpan::grains {

void System::begin() {
  for (std::size_t i = 0; i < size(); ++i) {
    const Vec v = velocity_now(i, state_.step), w = spin_now(i, state_.step);
    state_.velocity.set(i, v);
    state_.spin.set(i, w);
  }
  clumps_.follow_members(state_);
  state_.step = 0;
  books_ = {.stored = books_.stored};
}

void System::save(Archive& archive) const {
  const auto put = [&](const char* name, const Columns& columns, const char* unit) {
    std::vector<double> values;
    for (const auto* column : {&columns.x, &columns.y, &columns.z})
      values.insert(values.end(), column->begin(), column->end());
    archive.put(name, values, {3, columns.size()}, unit);
  };
  archive.put("grains/id", std::vector<std::int64_t>(state_.id.begin(), state_.id.end()), {size()});
  put("grains/position", state_.position, "m");
  put("grains/velocity", state_.velocity, "m/s");
  put("grains/spin", state_.spin, "rad/s");
  put("grains/acceleration", state_.acceleration, "m/s^2");
  put("grains/angular_acceleration", state_.angular_acceleration, "rad/s^2");
  put("grains/listed", state_.listed, "m");
  clumps_.save(archive);
  pairs_.save(state_.id, archive);
  const Books& b = books_;
  const std::vector<double> books = {b.viscous,    b.friction,   b.stiffening, b.gravity,   b.walls,
                                     b.stored,     b.outside.x,  b.outside.y,  b.outside.z, b.initial,
                                     b.momentum.x, b.momentum.y, b.momentum.z};
  archive.put("grains/step", state_.step, "s");
  wall_memory_.save(archive);
  archive.put("grains/books", books, {books.size()});
}

void System::restore(const Archive& archive) {
  const std::size_t count = size();
  const auto get = [&](const char* name, Columns& columns) {
    std::vector<double> values(3 * count);
    archive.get(name, std::span(values));
    for (std::size_t i = 0; i < count; ++i)
      columns.set(i, {values[i], values[count + i], values[2 * count + i]});
  };
  std::vector<std::int64_t> ids(count);
  archive.get("grains/id", std::span(ids));
  std::vector<bool> seen(count, false);
  for (std::size_t i = 0; i < count; ++i) {
    if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= count || seen[static_cast<std::size_t>(ids[i])])
      throw IoError("saved state has other grains than the model");
    seen[static_cast<std::size_t>(ids[i])] = true;
    state_.id[i] = static_cast<std::uint32_t>(ids[i]);
  }
  get("grains/position", state_.position);
  get("grains/velocity", state_.velocity);
  get("grains/spin", state_.spin);
  get("grains/acceleration", state_.acceleration);
  get("grains/angular_acceleration", state_.angular_acceleration);
  get("grains/listed", state_.listed);
  clumps_.restore(archive);
  std::vector<double> b(13);
  archive.get("grains/books", std::span(b));
  books_ = {b[0], b[1], b[2], b[3], b[4], b[5], {b[6], b[7], b[8]}, b[9], {b[10], b[11], b[12]}};
  state_.step = archive.real("grains/step");
  wall_memory_.restore(archive, count);
  pairs_.restore(archive, count);
  // The list is that of the places it was made for; their order is the one of the cells already, but in
  // states of older programs.
  grid_.build(state_.listed, 2 * largest_radius_ + skin_, model_.space);
  if (!std::ranges::is_sorted(grid_.order())) {
    sort_grains();
    for (auto* column : {&state_.listed.x, &state_.listed.y, &state_.listed.z})
      reorder(*column, grid_.order(), scratch_);
  }
  fill_constants();
  fill_list();
}

}  // namespace hardpan::grains
