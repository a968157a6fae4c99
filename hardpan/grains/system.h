// Grains that push each other (material/grain_law.h), stepped by leapfrog: velocities stand half a step
// before positions,
//
//     v(t + h/2) = v(t - h/2) + h F(t)/m,     w likewise with (2/5) m r^2,     x(t + h) = x(t) + h v(t + h/2)
//
// Second order, symplectic, one evaluation of the forces (Hairer, Lubich & Wanner, Geometric Numerical
// Integration, 2nd ed., 2006, I.1.4). Forces that depend on velocities take them at the time of the force,
// which contacts find from the last two (LawStep): with those half a step behind, dampers would be of first
// order.
//
// Grains are spheres, or rigid clumps of them (clump_motion.h), whose members are among the spheres. They are
// put into the order of their cells whenever the list of pairs is made anew; `id` says who is who. What is
// saved decides what comes, and nothing else does: the order of the spheres, too, since sums depend on it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "hardpan/core/archive.h"
#include "hardpan/grains/clump_motion.h"
#include "hardpan/grains/contacts.h"
#include "hardpan/grains/leapfrog.h"
#include "hardpan/grains/pair_forces.h"
#include "hardpan/grains/pair_list.h"
#include "hardpan/grains/state.h"
#include "hardpan/grains/wall_forces.h"

namespace hardpan::grains {

struct Grain {
  Vec position{}, velocity{}, spin{};  // m, m/s, rad/s
  double radius = 0;                   // > 0, m
  double density = 0;                  // > 0, kg/m^3
  std::uint32_t material = 0;
};

struct Model {
  Vec gravity{0, 0, -9.81};
  Space space;
  std::vector<Grain> grains;
  std::vector<Clump> clumps;
  std::size_t materials = 1;
  std::vector<material::GrainLaw>
      laws;         // of each two materials, a * materials + b; one kind of forces for all
  double skin = 0;  // m; 0: what the speed of the grains asks for

  const material::GrainLaw& law(std::uint32_t a, std::uint32_t b) const { return laws[a * materials + b]; }
};

// Since the beginning, J, by the terms of the law; momentum in N s.
struct Books {
  double viscous = 0, friction = 0, stiffening = 0;  // taken from the motion
  double gravity = 0, walls = 0;                     // work done by them
  double stored = 0;                                 // now, in contacts
  Vec outside{};                                     // impulse of gravity and walls
  bool open = false;                                 // since the first step
  double initial = 0;                                // then, kinetic and stored
  Vec momentum{};                                    // likewise

  // Of `kinetic` now, what nobody accounts for: the error of the step, vanishing with it.
  double lost(double kinetic) const {
    return initial + gravity + walls - kinetic - stored - viscous - friction - stiffening;
  }
};

class System {
 public:
  // Throws InputError on grains without size or mass, and on laws that do not fit together.
  explicit System(Model model);

  // But for single grains, which state() has.
  const Model& model() const { return model_; }
  const State& state() const { return state_; }
  const Books& books() const { return books_; }
  const Clumps& clumps() const { return clumps_; }
  std::size_t size() const { return state_.size(); }  // spheres, members of clumps included
  std::size_t contacts() const { return pair_contacts_ + wall_contacts_; }  // of the last step
  double coordination() const;  // contacts of a sphere in the last step, mean
  double radius(std::size_t i) const { return state_[i].radius; }
  double mass(std::size_t i) const { return state_[i].mass; }  // of a member: that of its clump
  std::uint32_t material(std::size_t i) const { return material_[i]; }
  bool is_member(std::size_t i) const { return state_.id[i] >= singles_; }
  double total_mass() const { return total_mass_; }
  double skin() const { return state_.skin; }
  // How often contacts were looked for, and how far a sphere goes at most until they are again, m.
  std::size_t looks() const { return looks_; }
  double margin(std::size_t i) const { return state_.margins.length[chunk_of(i)]; }
  double widest_margin() const { return std::ranges::max(state_.margins.length); }

  // Makes the list anew if it is time, which may change the order: before touches of walls are looked for.
  void prepare();
  // Calls visit(i) for all grains, of the present order, that may reach into a box; and for some others.
  template <class Visit>
  void near(const Vec& low, const Vec& high, const Visit& visit) const;
  // Returns for how long forces act: from the middle of the step before to that of this one, so half of h in
  // the first of all.
  double step(double h, std::span<const Wall> walls = {}, const FindTouches& find = {});
  // Of the last step, for each of its walls.
  std::span<const WallPush> wall_pushes() const { return wall_pushes_; }
  // What walls did to grains in the last step; nothing before the first and after a restart. visit(touch).
  template <class Visit>
  void each_touch(const Visit& visit) const {
    for (const OfChunk& chunk : of_chunks_)
      for (const WallTouch& touch : chunk.touches) visit(touch);
  }

  // Spheres of the present order, as walls look for them (Contacts).
  std::size_t chunks() const { return contacts_.chunks(); }
  std::size_t chunk_of(std::size_t i) const { return contacts_.chunk_of(i); }

  // The present state becomes that of the beginning: the books are opened anew.
  void begin() { books_ = {.stored = books_.stored}; }

  // Of pairs, at the present places and velocities: those that the next step begins with.
  std::vector<ContactForce> contact_forces() const;

  // Calls visit(i, j, overlap) for all pairs of the list, whose overlap may be negative.
  template <class Visit>
  void each_near_pair(const Visit& visit) const;

  // Of velocities half a step back, J.
  double kinetic_energy() const { return gather().kinetic; }
  Vec momentum() const { return moved_.momentum + clumps_.momentum(); }
  // The same energy, and the box of all centres, by one look at all spheres.
  Gathered gather() const;

  void save(Archive& archive) const;
  void restore(const Archive& archive);

 private:
  void add_ball(const Vec& position, const Vec& velocity, const Vec& spin, double radius, double mass,
                std::uint32_t material, bool member);
  std::span<const Ball> balls_of(std::size_t chunk) const {
    return std::span(state_.balls).subspan(contacts_.begin_of(chunk), contacts_.spheres(chunk));
  }
  double way(std::size_t chunk) const;
  double least_skin() const { return model_.skin > 0 ? model_.skin : 0.2 * largest_radius_; }
  double widest_skin() const;
  struct Pace {
    double look, list;  // steps
  };
  Pace pace() const;
  double wanted_margin(const Pace& pace, double way) const;
  double wanted_skin(const Pace& pace, double way) const;
  std::vector<double> wanted_margins(const Pace& pace) const;
  bool list_lasts() const;
  void list_pairs(const Pace& pace);
  std::vector<std::uint32_t> lay_grid();
  void fill_list();
  void sort_balls(std::span<const std::uint32_t> order);
  void put_in_order(std::span<const std::int64_t> ids);
  void find_clumps();
  void make_room_for_step();
  void lay_copies();
  void copy(std::size_t chunk);
  void look_for_contacts();
  // Rates of the last kick lead on to the time of the forces.
  material::LawStep law_step(double h) const {
    return {h, state_.kick > 0 ? 0.5 * state_.step / state_.kick : 0};
  }
  PairWork pair_work(double h) const {
    return {model_.space, model_.laws, state_.balls, law_step(h), state_.margins.used};
  }
  ComesNext comes_next(std::size_t chunk, std::size_t next, bool is_ready);
  struct Work;
  void push_from_walls(const Work& work, std::size_t chunk, const ChunkLoads& loads);
  void pass_on(std::size_t chunk, const ChunkLoads& loads);
  void take_passed(std::size_t chunk, const ChunkLoads& loads) const;
  void move(const Work& work, std::size_t chunk, const ChunkLoads& loads);
  void push_and_leap(const Work& work);
  void note_motion();
  void use_up(Leash& leash) const;

  Model model_;
  State state_;
  Contacts contacts_;
  Clumps clumps_;
  Books books_;
  std::vector<WallMemory> wall_memory_;  // of each chunk
  std::size_t pair_contacts_ = 0, wall_contacts_ = 0;
  std::size_t looks_ = 0;
  int copies_for_ = 1;  // threads

  // Of the model.
  std::size_t singles_ = 0;  // grains that are no members of clumps
  double largest_radius_ = 0, total_mass_ = 0;

  // Follows from model and state.
  CellGrid grid_;
  std::vector<std::uint32_t> grid_order_;  // its spheres; empty: as they stand
  PairList pairs_;
  std::vector<std::uint32_t> material_;  // of each sphere
  std::vector<std::uint32_t> clump_;     // of each sphere, alone: no_clump; empty where there are none
  Moved moved_;                          // of balls, single ones

  // What a chunk did in the last step.
  struct OfChunk {
    Sums sums;
    Moved moved;
    std::vector<WallTouch> touches;
    std::vector<WallPush> walls;  // none without touches
    std::vector<Load> loads;      // between its push and its leap
  };
  std::vector<OfChunk> of_chunks_;
  std::vector<WallPush> wall_pushes_;
  struct Passed {
    Vec force, torque;
  };
  LargeTable<Passed> passed_;  // to guests, as contacts have them
};

template <class Visit>
void System::each_near_pair(const Visit& visit) const {
  for (std::uint32_t i = 0; i < size(); ++i)
    for (const std::uint32_t j : pairs_.after(i)) {
      const Vec way = model_.space.shortest(state_[j].position - state_[i].position);
      visit(i, j, state_[i].radius + state_[j].radius - norm(way));
    }
}

template <class Visit>
void System::near(const Vec& low, const Vec& high, const Visit& visit) const {
  const double reach = largest_radius_ + 0.5 * state_.skin;  // since the list was made, at most
  const Vec by{reach, reach, reach};
  grid_.within(low - by, high + by, [&](std::uint32_t from, std::uint32_t to) {
    for (std::uint32_t k = from; k < to; ++k) visit(grid_order_.empty() ? k : grid_order_[k]);
  });
}

}  // namespace hardpan::grains
