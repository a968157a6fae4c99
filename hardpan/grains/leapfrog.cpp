#include "hardpan/grains/leapfrog.h"

#include "hardpan/math/pack.h"
#include "hardpan/math/widest.h"

namespace hardpan::grains {
namespace {

// The fourth of `row` and three of `v`.
[[gnu::always_inline]] inline Pack with(const Pack& row, const Pack& v) {
  return __builtin_shuffle(row.lanes, v.lanes, PackMask::Lanes{4, 5, 6, 3});
}

// Sums and maxima over rows, in the order of the spheres.
struct Gathered {
  Pack momentum{0.0};
  double fastest_2 = 0;

  [[gnu::always_inline]] void add(const Pack& velocity, double own_mass) {
    momentum = momentum + own_mass * velocity;
    const Pack squares = velocity * velocity;
    const double speed_2 = squares[0] + squares[1] + squares[2];
    fastest_2 = speed_2 > fastest_2 ? speed_2 : fastest_2;
  }
  [[gnu::always_inline]] Moved moved() const { return {{momentum[0], momentum[1], momentum[2]}, fastest_2}; }
};

}  // namespace

Moved leap(const Leap& by, std::span<Ball> balls, std::span<const Load> loads) {
  Moved out;
  on_widest([&] {
    const Pack h(by.h), kick(by.kick), gravity(Pack::Lanes{by.gravity.x, by.gravity.y, by.gravity.z, 0});
    Gathered gathered;
    for (std::size_t i = 0; i < balls.size(); ++i) {
      Ball& ball = balls[i];
      const Load& load = loads[i];
      const double over_mass = ball.inertia_over_mass() * ball.over_inertia;
      const Pack a = over_mass * load_pack(&load.force) + gravity,
                 b = ball.over_inertia * load_pack(&load.torque);
      const Pack x = load_pack(&ball.position), v = load_pack(&ball.velocity) + kick * a,
                 w = load_pack(&ball.spin) + kick * b;
      gathered.add(v, ball.own_mass());
      store_pack(with(x, x + h * v), &ball.position);
      store_pack(with(load_pack(&ball.velocity), v), &ball.velocity);
      store_pack(with(load_pack(&ball.spin), w), &ball.spin);
    }
    out = gathered.moved();
  });
  return out;
}

Moved moved(std::span<const Ball> balls) {
  Gathered gathered;
  for (const Ball& ball : balls) gathered.add(load_pack(&ball.velocity), ball.own_mass());
  return gathered.moved();
}

}  // namespace hardpan::grains
