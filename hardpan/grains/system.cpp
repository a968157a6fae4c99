#include "hardpan/grains/system.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <numbers>
#include <utility>

#include <fmt/core.h>

#include "hardpan/core/error.h"
#include "hardpan/core/parallel.h"

namespace hardpan::grains {
namespace {

using material::GrainLaw;

constexpr std::uint32_t no_clump = 0xffffffff;

bool finite(const Vec& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

void check_grain(const Grain& grain, std::size_t i, std::size_t materials) {
  if (!(grain.radius > 0) || !std::isfinite(grain.radius))
    throw InputError(fmt::format("grain {}: a radius of {} m, must be above 0", i, grain.radius));
  if (!(grain.density > 0) || !std::isfinite(grain.density))
    throw InputError(fmt::format("grain {}: a density of {} kg/m^3, must be above 0", i, grain.density));
  if (!finite(grain.position) || !finite(grain.velocity) || !finite(grain.spin))
    throw InputError(fmt::format("grain {}: its place or its motion is not finite", i));
  if (grain.material >= materials)
    throw InputError(fmt::format("grain {}: material {} of {}", i, grain.material, materials));
}

void check_laws(const Model& model) {
  if (model.laws.size() != model.materials * model.materials)
    throw InputError(fmt::format("{} contact laws for {} materials, must be {}", model.laws.size(),
                                 model.materials, model.materials * model.materials));
  for (const GrainLaw& law : model.laws) {
    if (law.normal != model.laws[0].normal || law.tangential != model.laws[0].tangential)
      throw InputError("all contacts of grains must have one kind of normal and of tangential force");
    if (!(law.stiffness_n > 0) || !(law.stiffness_t > 0))
      throw InputError(
          fmt::format("a contact stiffness of {} and {}, must be above 0", law.stiffness_n, law.stiffness_t));
    if (!(law.friction >= 0) || !(law.damping_n >= 0) || !(law.damping_t >= 0))
      throw InputError("friction and damping of grains must not be negative");
    if (!(law.rolling >= 0) || !(law.twisting >= 0) || !(law.turning_damping >= 0) || !(law.adhesion >= 0))
      throw InputError("rolling, twisting, their damping and adhesion of grains must not be negative");
  }
}

}  // namespace

System::System(Model model) : model_(std::move(model)) {
  check_laws(model_);
  singles_ = model_.grains.size();
  std::size_t spheres = singles_;
  for (const Clump& clump : model_.clumps) spheres += clump.members.size();
  state_.balls.reserve(spheres);
  state_.id.reserve(spheres);
  material_.reserve(spheres);
  for (std::size_t i = 0; i < model_.grains.size(); ++i) {
    const Grain& grain = model_.grains[i];
    check_grain(grain, i, model_.materials);
    const double r = grain.radius, mass = grain.density * (4.0 / 3.0 * std::numbers::pi) * r * r * r;
    add_ball(grain.position, grain.velocity, grain.spin, r, mass, grain.material, false);
    total_mass_ += mass;
  }
  model_.grains = std::vector<Grain>();  // balls have it
  for (std::size_t c = 0; c < model_.clumps.size(); ++c) check_clump(model_.clumps[c], c, model_.materials);
  clumps_ = Clumps(model_.clumps);
  std::size_t k = 0;
  for (const Clump& clump : model_.clumps) {
    total_mass_ += clump.mass;
    for (const Member& member : clump.members) {
      add_ball(clumps_.position_of(k), clumps_.velocity_of(k), clump.spin, member.radius, clump.mass,
               clump.material, true);
      ++k;
    }
  }
  contacts_ =
      Contacts(size(), model_.materials, std::ranges::any_of(model_.laws, &GrainLaw::resists_turning));
  of_chunks_.resize(contacts_.chunks());
  wall_memory_.resize(contacts_.chunks());
  note_motion();
  list_pairs(pace());
  look_for_contacts();
}

// A member is moved by its clump, and not by what pushes it.
void System::add_ball(const Vec& position, const Vec& velocity, const Vec& spin, double radius, double mass,
                      std::uint32_t material, bool member) {
  Ball ball;
  ball.position = position;
  ball.velocity = velocity;
  ball.spin = spin;
  ball.radius = radius;
  ball.mass = mass;
  ball.over_inertia = member ? 0 : 1 / (mass * ball.inertia_over_mass());
  largest_radius_ = std::max(largest_radius_, radius);
  state_.balls.push_back(ball);
  state_.id.push_back(static_cast<std::uint32_t>(state_.id.size()));
  material_.push_back(material);
}

// ---- who is near

// Of the present order.
void System::find_clumps() {
  if (clumps_.size() == 0) return;
  clumps_.find_members(state_.id, singles_);
  clump_.assign(size(), no_clump);
  for (std::size_t k = 0; k < clumps_.members(); ++k) clump_[clumps_.place(k)] = clumps_.clump_of(k);
}

// Into the order of the cells, and what contacts remember with them.
void System::sort_balls(std::span<const std::uint32_t> order) {
  std::vector<std::uint32_t> place(size());
  for (std::uint32_t k = 0; k < size(); ++k) place[order[k]] = k;
  contacts_.renumber(place);
  WallMemory::renumber(wall_memory_, place, [&](std::size_t i) { return contacts_.chunk_of(i); });
  std::vector<std::uint32_t> numbers;
  for (auto* column : {&state_.id, &material_}) reorder(*column, order, numbers);
  for (std::uint32_t k = 0; k < size(); ++k)  // in place, cycle by cycle
    while (place[k] != k) {
      std::swap(state_.balls[k], state_.balls[place[k]]);
      std::swap(place[k], place[place[k]]);
    }
}

// Three cells must fit into a period.
double System::widest_skin() const {
  if (model_.skin > 0) return model_.skin;
  double most = largest_radius_;
  for (const Axis& axis : model_.space.axes)
    if (axis.periodic) most = std::min(most, axis.length / 3 * (1 - 1e-9) - 2 * largest_radius_);
  return std::max(most, least_skin());
}

// Of the fastest in a step, m; where all are slow, an eighth of that of the fastest of all, who may strike.
double System::way(std::size_t chunk) const {
  return state_.step * std::sqrt(std::max(of_chunks_[chunk].moved.fastest_2, moved_.fastest_2 / 64));
}

// How many steps a look for contacts and a list are to last. Each costs as much whenever it comes, C, and
// what is near enough for n steps of s is there in every one of them: C/n + c n s for a step, least at n^2 =
// (C/c)/s. The lengths C/c are measured (docs/performance.md); s is the mean over chunks.
System::Pace System::pace() const {
  double ways = 0;
  for (std::size_t c = 0; c < chunks(); ++c) ways += way(c);
  const double mean = std::max(ways / static_cast<double>(chunks()), 1e-12 * largest_radius_);
  return {std::sqrt(2 * largest_radius_ / mean), std::sqrt(20 * largest_radius_ / mean)};
}

// Of one sphere, so half of what a pair has.
double System::wanted_margin(const Pace& pace, double way) const {
  return 0.5 * std::clamp(2 * pace.look * way, least_skin() / 64, 0.4 * widest_skin());
}

// Likewise; it has a margin for the last look.
double System::wanted_skin(const Pace& pace, double way) const {
  return 0.5 * std::clamp(2 * (wanted_margin(pace, way) + pace.list * way), least_skin(), widest_skin());
}

std::vector<double> System::wanted_margins(const Pace& pace) const {
  std::vector<double> margins(chunks());
  for (std::size_t c = 0; c < chunks(); ++c) margins[c] = wanted_margin(pace, way(c));
  return margins;
}

// Until spheres have gone their margins.
bool System::list_lasts() const {
  const auto& [length, used] = state_.skins;
  for (std::size_t c = 0; c < chunks(); ++c)
    if (!(used * length[c] + state_.margins.length[c] <= length[c])) return false;
  return true;
}

void System::list_pairs(const Pace& pace) {
  state_.skin = 2 * wanted_skin(pace, state_.step * std::sqrt(moved_.fastest_2));
  for (std::size_t i = 0; i < size(); ++i)
    state_.balls[i].position = model_.space.wrapped(state_[i].position);
  clumps_.wrap(model_.space);
  sort_balls(lay_grid());
  grid_order_.clear();
  note_motion();
  state_.skins = {std::vector<double>(chunks()), 0};
  for (std::size_t c = 0; c < chunks(); ++c) state_.skins.length[c] = wanted_skin(pace, way(c));
  fill_list();
}

// At the present places. Returns its order.
std::vector<std::uint32_t> System::lay_grid() {
  Columns at;
  at.assign(size(), {});
  for (std::size_t i = 0; i < size(); ++i) at.set(i, model_.space.wrapped(state_[i].position));
  return grid_.build(at, 2 * largest_radius_ + state_.skin, model_.space);
}

// For the present grid, which is that of the present places.
void System::fill_list() {
  find_clumps();
  PairList::Spheres spheres;
  spheres.at.assign(size(), {});
  spheres.reach.resize(size());
  spheres.clump.resize(clump_.size());
  for (std::size_t k = 0; k < size(); ++k) {
    const std::size_t i = grid_order_.empty() ? k : grid_order_[k];
    spheres.at.set(k, model_.space.wrapped(state_[i].position));
    spheres.reach[k] = state_[i].radius + state_.skins.length[chunk_of(i)];
    if (!clump_.empty()) spheres.clump[k] = clump_[i];
  }
  pairs_.build(grid_, spheres, model_.space);
  if (!grid_order_.empty()) pairs_.renumber(grid_order_);
}

void System::look_for_contacts() {
  const Pace now = pace();
  state_.margins = {wanted_margins(now), 0};
  if (!list_lasts()) {
    list_pairs(now);
    state_.margins.length = wanted_margins(now);  // chunks have other spheres
  }
  contacts_.look(pairs_, state_, model_.space, material_, state_.margins.length);
  make_room_for_step();
  ++looks_;
}

ComesNext System::comes_next(std::size_t chunk, std::size_t next, bool is_ready) {
  ComesNext comes;
  if (next < chunks()) comes = {balls_of(next), contacts_.places_of_guests(next), contacts_.of(next).groups};
  const auto& [spheres, from] = contacts_.copied(chunk);
  if (is_ready) comes.copies = std::as_writable_bytes(std::span(state_.balls).subspan(from, spheres.size()));
  comes.passed = std::as_writable_bytes(
      std::span(passed_).subspan(contacts_.passed_from(chunk), contacts_.guests(chunk).size()));
  return comes;
}

// What moves clumps does not know of copies.
void System::lay_copies() {
  copies_for_ = thread_count();
  contacts_.lay_copies(clumps_.size() > 0 ? 1 : static_cast<std::size_t>(copies_for_));
  const std::size_t all = size() + contacts_.copies();
  if (state_.balls.capacity() < all) state_.balls.reserve(all + contacts_.copies() / 4);  // and no more
  state_.balls.resize(all);
  for (std::size_t c = 0; c < chunks(); ++c) copy(c);
}

void System::copy(std::size_t chunk) {
  const auto& [spheres, from] = contacts_.copied(chunk);
  Ball* copy = state_.balls.data() + from;
  for (const std::uint32_t sphere : spheres) *copy++ = state_[sphere];
}

void System::make_room_for_step() {
  lay_copies();
  make_room(passed_, contacts_.passed());
  passed_.resize(contacts_.passed());
  for (OfChunk& chunk : of_chunks_) make_room(chunk.touches, chunk.touches.size() + chunk.touches.size() / 8);
}

// ---- forces

struct System::Work {
  Leap leap;
  PairWork pairs;
  WallWork walls;
  const FindTouches& find;
};

void System::push_from_walls(const Work& work, std::size_t chunk, const ChunkLoads& loads) {
  OfChunk& of = of_chunks_[chunk];
  of.touches.clear();
  of.walls.clear();
  if (work.find) work.find(chunk, of.touches);
  WallMemory& memory = wall_memory_[chunk];
  of.sums.friction += memory.recall(of.touches);
  if (of.touches.empty()) return;
  of.walls.resize(work.walls.walls.size());
  const auto turning = work.walls.resists_turning() ? memory.turning() : std::span<TurnMemory>{};
  of.sums.add(push_walls(work.walls, of.touches, memory.memory(), turning, loads, of.walls));
}

// What is for guests.
void System::pass_on(std::size_t chunk, const ChunkLoads& loads) {
  const std::size_t guests = contacts_.guests(chunk).size();
  Passed* passed = passed_.data() + contacts_.passed_from(chunk);
  for (const Load& load : loads.all.last(guests)) *passed++ = {load.force, load.torque};
}

// What others have for this chunk.
void System::take_passed(std::size_t chunk, const ChunkLoads& loads) const {
  for (const auto& [from, first, count] : contacts_.visitors_of(chunk)) {
    const auto guests = contacts_.guests(from).subspan(first, count);
    const Passed* passed = &passed_[contacts_.passed_from(from) + first];
    for (const std::uint32_t sphere : guests) {
      Load& load = loads.of(sphere);
      load.force = load.force + passed->force;
      load.torque = load.torque + passed->torque;
      ++passed;
    }
  }
}

void System::move(const Work& work, std::size_t chunk, const ChunkLoads& loads) {
  const std::size_t begin = contacts_.begin_of(chunk), end = contacts_.end_of(chunk);
  for (std::size_t i = begin; clumps_.size() > 0 && i < end; ++i)
    if (is_member(i)) clumps_.load(state_.id[i] - singles_, loads.of(i).force, loads.of(i).torque);
  of_chunks_[chunk].moved =
      leap(work.leap, std::span(state_.balls).subspan(begin, end - begin), loads.all.first(end - begin));
}

// For loads: of this thread, which has what its chunks mostly need at a time. When others keep it waiting it
// needs more, and gives that back.
static std::vector<std::vector<Load>>& free_room() {
  thread_local std::vector<std::vector<Load>> room;
  return room;
}
static std::vector<Load> take_room(std::size_t count) {
  std::vector<Load> room;
  if (!free_room().empty()) {
    room = std::move(free_room().back());
    free_room().pop_back();
  }
  if (room.size() < count) {
    room = {};
    room.reserve(count);  // and no more
    room.resize(count);
  }
  std::memset(static_cast<void*>(room.data()), 0, count * sizeof(Load));
  return room;
}
static void give_back(std::vector<Load> room, std::size_t enough) {
  if (free_room().size() < enough) free_room().push_back(std::move(room));
}

// Contacts of a chunk look at it and at later ones only. So its spheres may move on as soon as those earlier
// chunks have pushed whose guests they are, and mostly all that pushes them is still at hand.
void System::push_and_leap(const Work& work) {
  const auto loads_of = [&](std::size_t c) {
    return ChunkLoads{std::span(of_chunks_[c].loads).first(contacts_.loads(c)), contacts_.begin_of(c)};
  };
  const auto push = [&](std::size_t c, std::size_t next, bool is_ready) {
    OfChunk& of = of_chunks_[c];
    of.loads = take_room(contacts_.loads(c));
    const ChunkLoads loads = loads_of(c);
    of.sums = {};
    push_from_walls(work, c, loads);
    of.sums.add(push_pairs(work.pairs, contacts_.of(c), loads, comes_next(c, next, is_ready)));
    pass_on(c, loads);
  };
  const auto all_have_pushed = [&](std::size_t c, const Done& done) {
    return std::ranges::all_of(contacts_.visitors_of(c), [&](const auto& v) { return done(v.from); });
  };
  // As many as a thread has chunks, and not more than few: one that helped another gives back what it took.
  const std::size_t enough =
      std::clamp<std::size_t>(chunks() / static_cast<std::size_t>(thread_count()), 1, 4);
  const auto leap = [&](std::size_t c) {
    const ChunkLoads loads = loads_of(c);
    take_passed(c, loads);
    move(work, c, loads);
    copy(c);
    give_back(std::exchange(of_chunks_[c].loads, {}), enough);
  };
  parallel_stages(contacts_.chunks(), {std::cref(push), std::cref(all_have_pushed), std::cref(leap)});
}

// ---- step

void System::prepare() {
  if (!(state_.margins.used <= 1)) look_for_contacts();
  if (copies_for_ != thread_count()) lay_copies();
}

double System::step(double h, std::span<const Wall> walls, const FindTouches& find) {
  const double kick = 0.5 * (state_.step + h);
  const Vec before = momentum();
  const bool opens = !std::exchange(books_.open, true);
  if (opens) books_.initial = kinetic_energy(), books_.momentum = before;
  push_and_leap(
      {{h, kick, model_.gravity}, pair_work(h), {walls, state_.balls, material_, law_step(h)}, find});
  Sums sums;
  moved_ = {};
  wall_pushes_.assign(walls.size(), {});
  wall_contacts_ = 0;
  for (const OfChunk& chunk : of_chunks_) {
    sums.add(chunk.sums);
    moved_.add(chunk.moved);
    wall_contacts_ += chunk.touches.size();
    for (std::size_t k = 0; k < chunk.walls.size(); ++k) wall_pushes_[k].add(chunk.walls[k]);
  }
  pair_contacts_ = sums.contacts - wall_contacts_;
  if (clumps_.size() > 0) {
    clumps_.move(h, kick, model_.gravity, model_.space, state_);
    note_motion();
  }
  for (const WallPush& push : wall_pushes_) {
    books_.walls += kick * push.power;
    books_.outside = books_.outside - kick * push.force;
  }
  books_.viscous += sums.viscous;
  books_.friction += sums.friction;
  books_.stiffening += sums.stiffening;
  books_.stored = sums.stored;
  if (opens) books_.initial += books_.stored;
  state_.step = h;
  state_.kick = kick;
  use_up(state_.skins);
  use_up(state_.margins);
  books_.gravity += kick * dot(model_.gravity, 0.5 * (before + momentum()));
  books_.outside = books_.outside + (kick * total_mass_) * model_.gravity;
  return kick;
}

// By the last step.
void System::use_up(Leash& leash) const {
  double share_2 = 0;
  for (std::size_t c = 0; c < chunks(); ++c)
    share_2 = std::max(share_2, of_chunks_[c].moved.fastest_2 / (leash.length[c] * leash.length[c]));
  leash.used += state_.step * std::sqrt(share_2);
}

// As the last step left it.
void System::note_motion() {
  moved_ = {};
  for (std::size_t c = 0; c < chunks(); ++c) moved_.add(of_chunks_[c].moved = moved(balls_of(c)));
}

Gathered System::gather() const {
  Gathered all = parallel_reduce(
      chunks(), Gathered{}, [&](std::size_t chunk, std::size_t) { return gathered(balls_of(chunk)); },
      [](Gathered a, const Gathered& b) {
        a.add(b);
        return a;
      },
      1);
  all.kinetic += clumps_.kinetic_energy();
  return all;
}

double System::coordination() const {
  return static_cast<double>(2 * pair_contacts_ + wall_contacts_) /
         static_cast<double>(std::max<std::size_t>(1, size()));
}

std::vector<ContactForce> System::contact_forces() const {
  std::vector<ContactForce> forces;
  if (state_.step == 0) return forces;
  for (std::size_t c = 0; c < contacts_.chunks(); ++c)
    find_forces(pair_work(state_.step), contacts_.of(c), forces);
  return forces;
}

}  // namespace hardpan::grains
