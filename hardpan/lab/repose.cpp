#include "hardpan/lab/repose.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace hardpan::lab {
namespace {

constexpr std::size_t sectors = 12;

struct Polar {
  double r, turn, top, mass;
};

// About the axis through the centre of mass of the spheres, or that of the tray, on which they must lie.
std::vector<Polar> polar(const grains::System& grains, double floor, double base) {
  double mass = 0, x = 0, y = 0;
  const grains::State& state = grains.state();
  const auto weight = [&](std::size_t i) { return std::pow(grains.radius(i), 3); };
  for (std::size_t i = 0; i < grains.size(); ++i) {
    mass += weight(i);
    x += weight(i) * state[i].position.x;
    y += weight(i) * state[i].position.y;
  }
  if (base > 0) x = y = 0;
  std::vector<Polar> all;
  for (std::size_t i = 0; i < grains.size(); ++i) {
    const grains::Vec at = state[i].position;
    const double dx = at.x - x / mass, dy = at.y - y / mass;
    if (base > 0 && std::hypot(dx, dy) > base) continue;
    all.push_back({std::hypot(dx, dy), std::atan2(dy, dx), at.z + grains.radius(i) - floor, weight(i)});
  }
  std::ranges::sort(all, {}, &Polar::r);
  return all;
}

// Of a cone the share 3 s^2 - 2 s^3 of the mass lies within the share s of its radius: half within half.
double cone_radius(const std::vector<Polar>& all) {
  double mass = 0, sum = 0;
  for (const Polar& grain : all) mass += grain.mass;
  for (const Polar& grain : all)
    if ((sum += grain.mass) >= 0.5 * mass) return 2 * grain.r;
  return 0;
}

}  // namespace

Heap heap_of(const grains::System& grains, const ReposeSetup& setup) {
  const std::vector<Polar> all = polar(grains, setup.floor, setup.base);
  Heap heap;
  if (all.empty()) return heap;
  heap.radius = setup.base > 0 ? setup.base : cone_radius(all);
  double width = 0;
  for (std::size_t i = 0; i < grains.size(); ++i) width = std::max(width, 2 * grains.radius(i));
  for (const Polar& grain : all) heap.height = std::max(heap.height, grain.top);
  const auto rings = static_cast<std::size_t>(std::max(1.0, std::floor(heap.radius / width)));
  std::vector<double> top(rings * sectors, 0.0);
  for (const Polar& grain : all) {
    const auto ring = static_cast<std::size_t>(grain.r / width);
    if (ring >= rings) break;
    const double turn = grain.turn / (2 * std::numbers::pi) + 0.5;
    const std::size_t sector = std::min(sectors - 1, static_cast<std::size_t>(turn * sectors));
    double& highest = top[ring * sectors + sector];
    highest = std::max(highest, grain.top);
  }
  double n = 0, r_sum = 0, z_sum = 0, rr = 0, rz = 0;
  for (std::size_t ring = 0; ring < rings; ++ring) {
    const double r = (static_cast<double>(ring) + 0.5) * width;
    if (r < setup.inner * heap.radius || r > setup.outer * heap.radius) continue;
    double z = 0, seen = 0;  // near the axis there are sectors without grains
    for (std::size_t sector = 0; sector < sectors; ++sector)
      if (top[ring * sectors + sector] > 0) z += top[ring * sectors + sector], seen += 1;
    if (seen == 0) continue;
    z /= seen;
    n += 1, r_sum += r, z_sum += z, rr += r * r, rz += r * z;
  }
  const double spread = n * rr - r_sum * r_sum;
  heap.angle = spread > 0 ? std::atan(-(n * rz - r_sum * z_sum) / spread) : 0;
  return heap;
}

Measurement repose(const ReposeSetup& setup) {
  return {{{"angle", "rad"}, {"height", "m"}, {"radius", "m"}},
          [](const World&) { return Row{}; },
          [setup](const World& world, const Row&) {
            const Heap heap = heap_of(world.grains->grains(), setup);
            return Row{heap.angle, heap.height, heap.radius};
          },
          {"repose_angle_deg", "heap_height_m", "heap_radius_m"},
          [](const std::vector<Row>& table, const Row&) {
            const Row& end = table.back();
            return Row{end[0] * 180 / std::numbers::pi, end[1], end[2]};
          }};
}

}  // namespace hardpan::lab
