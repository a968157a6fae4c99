// The state of grains: how it is saved and restored.
#include <algorithm>
#include <numeric>
#include <utility>

#include "hardpan/core/error.h"
#include "hardpan/grains/system.h"

namespace hardpan::grains {

// Three numbers of each sphere.
static constexpr struct {
  const char* name;
  Vec Ball::*what;
  const char* unit;
} saved_rows[] = {{"grains/position", &Ball::position, "m"},
                  {"grains/velocity", &Ball::velocity, "m/s"},
                  {"grains/spin", &Ball::spin, "rad/s"}};

void System::save(Archive& archive) const {
  archive.put("grains/id", std::vector<std::int64_t>(state_.id.begin(), state_.id.end()), {size()});
  const auto put = [&](const char* name, const char* unit, const auto& value) {
    std::vector<double> values(3 * size());
    for (std::size_t i = 0; i < size(); ++i) {
      const Vec v = value(i);
      values[i] = v.x, values[size() + i] = v.y, values[2 * size() + i] = v.z;
    }
    archive.put(name, std::move(values), {3, size()}, unit);
  };
  for (const auto& [name, what, unit] : saved_rows)
    put(name, unit, [&](std::size_t i) { return state_[i].*what; });
  clumps_.save(archive);
  contacts_.save(state_.id, archive);
  const Books& b = books_;
  const std::vector<double> books = {b.viscous,    b.friction,   b.stiffening, b.gravity,         b.walls,
                                     b.stored,     b.outside.x,  b.outside.y,  b.outside.z,       b.initial,
                                     b.momentum.x, b.momentum.y, b.momentum.z, b.open ? 1.0 : 0.0};
  archive.put("grains/step", state_.step, "s");
  archive.put("grains/kick", state_.kick, "s");
  archive.put("grains/skin", state_.skin, "m");
  archive.put("grains/skins", state_.skins.length, {chunks()}, "m");
  archive.put("grains/skins_used", state_.skins.used);
  archive.put("grains/margins", state_.margins.length, {chunks()}, "m");
  archive.put("grains/margins_used", state_.margins.used);
  WallMemory::save(wall_memory_, state_.id, archive);
  archive.put("grains/books", books, {books.size()});
  archive.put(
      "grains/touching",
      std::vector{static_cast<std::int64_t>(pair_contacts_), static_cast<std::int64_t>(wall_contacts_)}, {2});
}

void System::restore(const Archive& archive) {
  const std::size_t count = size();
  std::vector<std::int64_t> ids(count);
  archive.get("grains/id", std::span(ids));
  std::vector<bool> seen(count, false);
  for (std::size_t i = 0; i < count; ++i) {
    if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= count || seen[static_cast<std::size_t>(ids[i])])
      throw IoError("saved state has other grains than the model");
    seen[static_cast<std::size_t>(ids[i])] = true;
  }
  std::vector<double> values(3 * count);
  const auto get = [&](const char* name, const auto& set) {
    archive.get(name, std::span(values));
    for (std::size_t i = 0; i < count; ++i) set(i, {values[i], values[count + i], values[2 * count + i]});
  };
  put_in_order(ids);
  for (const auto& [name, what, unit] : saved_rows)
    get(name, [&](std::size_t i, const Vec& v) { state_.balls[i].*what = v; });
  clumps_.restore(archive);
  std::vector<double> b(14);
  archive.get("grains/books", std::span(b));
  books_ = {b[0], b[1], b[2], b[3], b[4], b[5], {b[6], b[7], b[8]}, b[13] > 0, b[9], {b[10], b[11], b[12]}};
  state_.step = archive.real("grains/step");
  state_.kick = archive.real("grains/kick");
  state_.skin = archive.real("grains/skin");
  archive.get("grains/skins", std::span(state_.skins.length));
  state_.skins.used = archive.real("grains/skins_used");
  archive.get("grains/margins", std::span(state_.margins.length));
  state_.margins.used = archive.real("grains/margins_used");
  std::vector<std::int64_t> touching(2);
  if (archive.find("grains/touching")) archive.get("grains/touching", std::span(touching));
  pair_contacts_ = static_cast<std::size_t>(touching[0]);
  wall_contacts_ = static_cast<std::size_t>(touching[1]);
  for (OfChunk& chunk : of_chunks_) chunk.touches.clear();
  wall_memory_.assign(chunks(), {});
  wall_memory_[0] = WallMemory::restored(archive, state_.id);
  std::vector<std::uint32_t> place(count);
  std::iota(place.begin(), place.end(), 0u);
  WallMemory::renumber(wall_memory_, place, [&](std::size_t i) { return chunk_of(i); });
  // A list of the present places has all pairs that are near enough until the next one is due, and others
  // than these are of no consequence. The order stays: sums depend on it.
  grid_order_ = lay_grid();
  if (std::ranges::is_sorted(grid_order_)) grid_order_.clear();
  fill_list();
  contacts_.restore(archive, state_, material_, state_.margins.length);
  make_room_for_step();
  ++looks_;
  note_motion();
}

// The constants of the spheres go with their identities.
void System::put_in_order(std::span<const std::int64_t> ids) {
  LargeTable<Ball> balls(size());
  std::vector<std::uint32_t> material(size());
  for (std::size_t i = 0; i < size(); ++i) {
    balls[state_.id[i]] = state_[i];
    material[state_.id[i]] = material_[i];
  }
  for (std::size_t i = 0; i < size(); ++i) {
    state_.id[i] = static_cast<std::uint32_t>(ids[i]);
    state_.balls[i] = balls[state_.id[i]];
    material_[i] = material[state_.id[i]];
  }
}

}  // namespace hardpan::grains
