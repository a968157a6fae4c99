// Spheres in time: one step of leapfrog, row by row of their numbers (state.h).
//
//     v(t + h/2) = v(t - h/2) + h F(t)/m,     w likewise,     x(t + h) = x(t) + h v(t + h/2)
#pragma once

#include <limits>
#include <span>

#include "hardpan/grains/pair_forces.h"
#include "hardpan/grains/state.h"

namespace hardpan::grains {

struct Moved {
  Vec momentum{};        // of half a step back, N s
  double fastest_2 = 0;  // largest velocity of all, squared

  void add(const Moved& other) {
    momentum = momentum + other.momentum;
    fastest_2 = std::max(fastest_2, other.fastest_2);
  }
};

struct Leap {
  double h, kick;  // kick: h, but half of it in the first step of all
  Vec gravity;
};

Moved leap(const Leap& by, std::span<Ball> balls, std::span<const Load> loads);
// As it was after the last leap.
Moved moved(std::span<const Ball> balls);

// Not known from the leap, since it is seldom asked for.
struct Gathered {
  static constexpr double far = std::numeric_limits<double>::infinity();

  double kinetic = 0;                              // of single spheres, J
  Vec low{far, far, far}, high{-far, -far, -far};  // of the box that holds all centres

  void add(const Gathered& other);
};
Gathered gathered(std::span<const Ball> balls);

}  // namespace hardpan::grains
