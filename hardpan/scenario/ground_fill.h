// Where the grains of a ground lie at the start, whatever they are made of later.
#pragma once

#include <vector>

#include "hardpan/core/random.h"
#include "hardpan/math/pose.h"
#include "hardpan/scenario/value.h"

namespace hardpan::scenario {

struct PlacedGrain {
  Vec3 centre;
  double radius;  // of the ball around it, m
  Vec3 velocity;
};

// Those given one by one, then those of `fill`. InputError where there is no room.
std::vector<PlacedGrain> placed_grains(const Value& scenario);

// One rotation after another, uniform over all of them.
class RandomTurns {
 public:
  explicit RandomTurns(const Value& scenario);
  Quat operator()();

 private:
  CounterRandom random_;
  std::uint64_t number_ = 0;
};

// Of its radius, by which a grain may reach into something at the start.
constexpr double allowed_overlap = 0.05;
[[noreturn]] void complain_of_overlap(const Value& ground, std::size_t grain, const Vec3& at, double radius,
                                      double by, const std::string& what);

}  // namespace hardpan::scenario
