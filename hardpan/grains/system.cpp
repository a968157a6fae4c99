#include "hardpan/grains/system.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include "hardpan/core/error.h"
#include "hardpan/core/parallel.h"

namespace hardpan::grains {
namespace {

using material::GrainLaw;
using material::NormalForce;
using material::TangentialForce;

constexpr double sphere_inertia = 0.4;  // over m r^2
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
  turning_ = std::ranges::any_of(model_.laws, &GrainLaw::resists_turning);
  pairs_ = PairList(turning_);
  for (std::size_t i = 0; i < model_.grains.size(); ++i) {
    const Grain& grain = model_.grains[i];
    check_grain(grain, i, model_.materials);
    add_sphere(grain.position, grain.velocity, grain.spin, grain.radius);
  }
  for (std::size_t c = 0; c < model_.clumps.size(); ++c) check_clump(model_.clumps[c], c, model_.materials);
  clumps_ = Clumps(model_.clumps);
  std::size_t k = 0;
  for (const Clump& clump : model_.clumps)
    for (const Member& member : clump.members) {
      add_sphere(clumps_.position_of(k), clumps_.velocity_of(k), clump.spin, member.radius);
      ++k;
    }
  state_.acceleration.assign(size(), model_.gravity);
  state_.angular_acceleration.assign(size(), {});
  skin_ = model_.skin > 0 ? model_.skin : 0.1 * largest_radius_;
  list_pairs();
}

void System::add_sphere(const Vec& position, const Vec& velocity, const Vec& spin, double radius) {
  largest_radius_ = std::max(largest_radius_, radius);
  state_.position.push_back(position);
  state_.velocity.push_back(velocity);
  state_.spin.push_back(spin);
  state_.id.push_back(static_cast<std::uint32_t>(state_.id.size()));
}

// ---- who is near

void System::fill_constants() {
  const std::size_t count = size();
  radius_.resize(count);
  mass_.resize(count);
  own_mass_.resize(count);
  material_.resize(count);
  total_mass_ = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (is_member(i)) continue;
    const Grain& grain = model_.grains[state_.id[i]];
    radius_[i] = grain.radius;
    mass_[i] = grain.density * (4.0 / 3.0 * std::numbers::pi) * grain.radius * grain.radius * grain.radius;
    material_[i] = grain.material;
    own_mass_[i] = mass_[i];
    total_mass_ += mass_[i];
  }
  if (clumps_.size() == 0) return;
  clumps_.find_members(state_.id, singles_);
  clump_.assign(count, no_clump);
  std::size_t k = 0;
  for (std::size_t c = 0; c < clumps_.size(); ++c) {
    const Clump& clump = model_.clumps[c];
    total_mass_ += clump.mass;
    for (const Member& member : clump.members) {
      const std::uint32_t i = clumps_.place(k++);
      radius_[i] = member.radius;
      mass_[i] = clump.mass;
      own_mass_[i] = 0;
      material_[i] = clump.material;
      clump_[i] = static_cast<std::uint32_t>(c);
    }
  }
}

void System::sort_grains() {
  const std::span<const std::uint32_t> order = grid_.order();
  for (Columns* columns :
       {&state_.position, &state_.velocity, &state_.spin, &state_.acceleration, &state_.angular_acceleration})
    for (auto* column : {&columns->x, &columns->y, &columns->z}) reorder(*column, order, scratch_);
  reorder(state_.id, order, scratch_ids_);
}

void System::list_pairs() {
  const Space& space = model_.space;
  for (auto [column, axis] : {std::pair{&state_.position.x, &space.axes[0]},
                              {&state_.position.y, &space.axes[1]},
                              {&state_.position.z, &space.axes[2]}})
    for (double& x : *column) x = axis->wrapped(x);
  clumps_.wrap(space);
  grid_.build(state_.position, 2 * largest_radius_ + skin_, space);
  sort_grains();
  fill_constants();
  state_.listed = state_.position;
  fill_list();
}

// Of the places for which it is made.
void System::fill_list() {
  pairs_.build(grid_, state_.listed, radius_, state_.id, model_.space, skin_, clump_);
  forces_.assign(pairs_.size(), {});
  if (turning_) moments_.assign(pairs_.size(), {});
  noted_step_ = 0;
}

bool System::list_is_good() const {
  const double most = 0.25 * skin_ * skin_;
  return parallel_reduce(
      size(), true,
      [&](std::size_t begin, std::size_t end) {
        bool good = true;
        for (std::size_t i = begin; i < end; ++i) {
          const Vec way = state_.position[i] - state_.listed[i];
          good = good && dot(way, way) <= most;
        }
        return good;
      },
      [](bool a, bool b) { return a && b; });
}

// ---- forces

// At the time of the positions.
Vec System::velocity_now(std::size_t i, double h) const {
  return state_.step > 0 ? state_.velocity[i] + (0.5 * h) * state_.acceleration[i] : state_.velocity[i];
}
Vec System::spin_now(std::size_t i, double h) const {
  return state_.step > 0 ? state_.spin[i] + (0.5 * h) * state_.angular_acceleration[i] : state_.spin[i];
}

Sums System::turn_at_wall(WallTouch& touch, const Meeting& meeting, const Force& force, double h,
                          TurnMemory& memory) {
  const std::size_t j = touch.grain;
  const material::TurnMeeting<double> turn{h * (state_.spin[j] - touch.spin), spin_now(j, h) - touch.spin,
                                           1.4 * touch.mass * touch.radius * touch.radius};
  const auto m = material::grain_moment(*touch.law, meeting, force, turn, h, memory);
  touch.moment = m.moment;
  return {m.viscous, m.friction, m.stiffening, m.stored, 0};
}

void System::note_motion(double h) {
  if (noted_step_ == h) return;  // at the end of the last step
  motion_.resize(size());
  parallel_for(size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      motion_[i] = {state_.position[i], radius_[i], velocity_now(i, h),     mass_[i],
                    spin_now(i, h),     radius_[i], h * state_.velocity[i], 0,
                    h * state_.spin[i], 0};
  });
}

// In their order, so that sums have one, too.
template <NormalForce normal, TangentialForce tangential>
Sums System::push_walls(double h, std::span<WallTouch> walls) {
  Sums sums;
  sums.friction = wall_memory_.recall(walls, state_.id, at_walls_);
  for (std::size_t k = 0; k < walls.size(); ++k) {
    WallTouch& touch = walls[k];
    const std::size_t j = touch.grain;
    const double arm = radius_[j] - 0.5 * touch.overlap;
    Meeting meeting;
    meeting.overlap = touch.overlap;
    meeting.radius = touch.radius;
    meeting.mass = touch.mass;
    meeting.normal = touch.normal;
    const Vec u = velocity_now(j, h) - arm * cross(spin_now(j, h), touch.normal) - touch.velocity;
    meeting.v_n = dot(u, touch.normal);
    meeting.v_t = u - meeting.v_n * touch.normal;
    const Vec moved = h * (state_.velocity[j] - arm * cross(state_.spin[j], touch.normal) - touch.velocity);
    meeting.slip = moved - dot(moved, touch.normal) * touch.normal;
    meeting.spin = 0.5 * dot(touch.normal, state_.spin[j] + touch.spin);
    auto& [memory, turning] = at_walls_[k];
    const auto force = material::grain_force<normal, tangential>(*touch.law, meeting, h, memory);
    touch.force = force.normal * touch.normal + force.tangential;
    Load& load = loads_[j];
    load.force = load.force + touch.force;
    load.torque = load.torque - arm * cross(touch.normal, force.tangential);
    sums.add({force.viscous, force.friction, force.stiffening, force.stored, 1});
    if (!touch.law->resists_turning()) continue;
    sums.add(turn_at_wall(touch, meeting, force, h, turning));
    load.torque = load.torque + touch.moment;
  }
  wall_memory_.remember(walls, state_.id, at_walls_);
  return sums;
}

template <NormalForce normal>
Sums System::push_walls_by_kind(double h, std::span<WallTouch> walls) {
  switch (model_.laws[0].tangential) {
    case TangentialForce::none:
      return push_walls<normal, TangentialForce::none>(h, walls);
    case TangentialForce::pseudo:
      return push_walls<normal, TangentialForce::pseudo>(h, walls);
    case TangentialForce::displacement:
      return push_walls<normal, TangentialForce::displacement>(h, walls);
    default:
      return push_walls<normal, TangentialForce::incremental>(h, walls);
  }
}

Sums System::push(double h, std::span<WallTouch> walls) {
  note_motion(h);
  loads_.resize(size());
  const PairWork work{model_.space, model_.laws, model_.materials, motion_,  material_,
                      pairs_,       forces_,     loads_,           moments_, h};
  Sums sums = parallel_reduce(
      size(), Sums{}, [&](std::size_t begin, std::size_t end) { return push_pairs(work, begin, end); },
      [](Sums x, const Sums& y) {
        x.add(y);
        return x;
      });
  parallel_for(size(), [&](std::size_t begin, std::size_t end) { add_seconds(work, begin, end); });
  sums.add(model_.laws[0].normal == NormalForce::hertz ? push_walls_by_kind<NormalForce::hertz>(h, walls)
                                                       : push_walls_by_kind<NormalForce::hooke>(h, walls));
  return sums;
}

// ---- step

Vec System::turning_torque(std::size_t i) const {
  Vec torque{};
  for (const std::uint32_t pair : pairs_.pairs_as_second(i)) torque = torque + moments_[pair];
  for (std::uint32_t pair = pairs_.first_pair(i); pair < pairs_.first_pair(i + 1); ++pair)
    torque = torque - moments_[pair];
  return torque;
}

// Plain: no clumps, and no pairs that resist turning.
template <bool plain>
void System::kick_and_drift(double h, double kick) {
  parallel_for(size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Vec force = loads_[i].force, torque = loads_[i].torque;
      if constexpr (!plain) {
        if (turning_) torque = torque + turning_torque(i);
        if (is_member(i)) {
          clumps_.load(state_.id[i] - singles_, force, torque);
          continue;
        }
      }
      const double inertia = sphere_inertia * mass_[i] * radius_[i] * radius_[i];
      const Vec a = (1 / mass_[i]) * force + model_.gravity, b = (1 / inertia) * torque;
      const Vec v = state_.velocity[i] + kick * a, w = state_.spin[i] + kick * b;
      const Vec x = state_.position[i] + h * v;
      state_.acceleration.set(i, a);
      state_.angular_acceleration.set(i, b);
      state_.velocity.set(i, v);
      state_.spin.set(i, w);
      state_.position.set(i, x);
      if constexpr (plain)  // as note_motion does
        motion_[i] = {x,     radius_[i], v + (0.5 * h) * a, mass_[i], w + (0.5 * h) * b, radius_[i], h * v, 0,
                      h * w, 0};
    }
  });
  noted_step_ = plain && state_.step > 0 ? h : 0;
  clumps_.move(h, kick, model_.gravity, model_.space, state_);
}

void System::prepare() {
  if (!list_is_good()) list_pairs();
}

double System::step(double h, std::span<WallTouch> walls) {
  const Sums sums = push(h, walls);
  contacts_ = sums.contacts;
  books_.viscous += sums.viscous;
  books_.friction += sums.friction;
  books_.stiffening += sums.stiffening;
  books_.stored = sums.stored;
  // The first kick leads from the start to the middle of the step.
  const double kick = state_.step > 0 ? h : 0.5 * h;
  const Vec before = momentum();
  if (state_.step == 0) books_.initial = kinetic_energy() + books_.stored, books_.momentum = before;
  if (turning_ || clumps_.size() > 0)
    kick_and_drift<false>(h, kick);
  else
    kick_and_drift<true>(h, kick);
  state_.step = h;
  book_outside(kick, before, walls);
  return kick;
}

void System::book_outside(double kick, const Vec& before, std::span<const WallTouch> walls) {
  const Vec mean = 0.5 * (before + momentum());
  books_.gravity += kick * dot(model_.gravity, mean);
  books_.outside = books_.outside + (kick * total_mass_) * model_.gravity;
  for (const WallTouch& touch : walls) {
    books_.walls += kick * (dot(touch.force, touch.velocity) + dot(touch.moment, touch.spin));
    books_.outside = books_.outside + kick * touch.force;
  }
}

double System::kinetic_energy() const {
  const double singles = parallel_reduce(
      size(), 0.0,
      [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i) {
          const Vec v = state_.velocity[i], w = state_.spin[i];
          sum += 0.5 * own_mass_[i] * (dot(v, v) + sphere_inertia * radius_[i] * radius_[i] * dot(w, w));
        }
        return sum;
      },
      [](double a, double b) { return a + b; });
  return singles + clumps_.kinetic_energy();
}

Vec System::momentum() const {
  const Vec singles = parallel_reduce(
      size(), Vec{},
      [&](std::size_t begin, std::size_t end) {
        Vec sum{};
        for (std::size_t i = begin; i < end; ++i) sum = sum + own_mass_[i] * state_.velocity[i];
        return sum;
      },
      [](const Vec& a, const Vec& b) { return a + b; });
  return singles + clumps_.momentum();
}

double System::coordination() const {
  std::size_t pairs = 0;
  each_contact([&](auto&&...) { ++pairs; });
  const std::size_t walls = contacts_ - pairs;
  return static_cast<double>(2 * pairs + walls) / static_cast<double>(std::max<std::size_t>(1, size()));
}

}  // namespace hardpan::grains
