#include "hardpan/grains/leapfrog.h"

#include <algorithm>

#include "hardpan/grains/rows.h"
#include "hardpan/math/widest.h"

namespace hardpan::grains {
namespace {

// The velocity and the mass that moves with it: none of a member's own.
[[gnu::always_inline]] inline Pack motion_of(const Ball& ball) {
  Pack row = load_pack(&ball.velocity);
  if (!(ball.over_inertia > 0)) row.set(3, 0);
  return row;
}

[[gnu::always_inline]] inline Pack leap_one(const Leap& by, const Pack& fall, Ball& ball, const Load& load) {
  const double turns = by.kick * ball.over_inertia, moves = turns * ball.inertia_over_mass();
  const Pack position = load_pack(&ball.position), velocity = load_pack(&ball.velocity),
             spin = load_pack(&ball.spin);
  const Pack v = velocity + (moves * load_pack(&load.force) + fall);
  store_pack(with_fourth_of(velocity, v), &ball.velocity);
  store_pack(with_fourth_of(position, position + by.h * v), &ball.position);
  store_pack(with_fourth_of(spin, spin + turns * load_pack(&load.torque)), &ball.spin);
  return motion_of(ball);
}

// Sums and maxima by columns, so that they have one order.
template <std::size_t width>
struct MovedColumns {
  using P = PackOf<width>;
  PackVec<width> momentum{P(0.0), P(0.0), P(0.0)};
  P fastest_2{0.0};

  [[gnu::always_inline]] void add(const PackRows<width>& motions) {
    const PackColumns<width> columns = columns_of(motions);
    const PackVec<width> v = vector_of<width>(columns);
    momentum = momentum + columns[3] * v;
    fastest_2 = larger(dot(v, v), fastest_2);
  }
  [[gnu::always_inline]] Moved moved() const {
    Moved all{{sum(momentum.x), sum(momentum.y), sum(momentum.z)}};
    for (std::size_t k = 0; k < width; ++k) all.fastest_2 = larger(fastest_2[k], all.fastest_2);
    return all;
  }
};

// motion(i) of all spheres.
template <std::size_t width, class Motion>
[[gnu::always_inline]] inline Moved gather(std::size_t count, const Motion& motion) {
  constexpr std::size_t parts = group_width / width;
  MovedColumns<width> columns[parts];
  for (std::size_t first = 0; first < count; first += group_width)
    for (std::size_t part = 0; part < parts; ++part) {
      PackRows<width> motions;
      for (std::size_t k = 0; k < width; ++k) {
        const std::size_t i = first + part * width + k;
        motions[k] = i < count ? motion(i) : Pack(0.0);
      }
      columns[part].add(motions);
    }
  Moved all;
  for (const MovedColumns<width>& part : columns) all.add(part.moved());
  return all;
}

}  // namespace

Moved leap(const Leap& by, std::span<Ball> balls, std::span<const Load> loads) {
  Moved out;
  on_widest([&]<std::size_t width>() {
    const Pack fall = by.kick * Pack(Pack::Lanes{by.gravity.x, by.gravity.y, by.gravity.z, 0});
    const Leap own = by;  // so that nothing that is stored can change it
    out = gather<width>(
        balls.size(), [&](std::size_t i)
                          __attribute__((always_inline)) { return leap_one(own, fall, balls[i], loads[i]); });
  });
  return out;
}

Moved moved(std::span<const Ball> balls) {
  Moved out;
  on_widest([&]<std::size_t width>() {
    out = gather<width>(
        balls.size(), [&](std::size_t i) __attribute__((always_inline)) { return motion_of(balls[i]); });
  });
  return out;
}

void Gathered::add(const Gathered& other) {
  kinetic += other.kinetic;
  low = {std::min(low.x, other.low.x), std::min(low.y, other.low.y), std::min(low.z, other.low.z)};
  high = {std::max(high.x, other.high.x), std::max(high.y, other.high.y), std::max(high.z, other.high.z)};
}

// Row by row; of rows, three numbers count.
Gathered gathered(std::span<const Ball> balls) {
  Gathered out;
  on_widest([&] {
    Pack twice_kinetic(0.0), high(-Gathered::far), minus_low(-Gathered::far);
    for (const Ball& ball : balls) {
      const Pack position = load_pack(&ball.position), velocity = load_pack(&ball.velocity),
                 spin = load_pack(&ball.spin);
      const double mass = ball.own_mass(), inertia = mass * ball.inertia_over_mass();
      twice_kinetic = twice_kinetic + (mass * (velocity * velocity) + inertia * (spin * spin));
      high = larger(position, high);
      minus_low = larger(-position, minus_low);
    }
    out.kinetic = 0.5 * ((twice_kinetic[0] + twice_kinetic[1]) + twice_kinetic[2]);
    out.high = {high[0], high[1], high[2]};
    out.low = {-minus_low[0], -minus_low[1], -minus_low[2]};
  });
  return out;
}

}  // namespace hardpan::grains
