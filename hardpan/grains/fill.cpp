#include "hardpan/grains/fill.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "hardpan/core/random.h"

namespace hardpan::grains {
namespace {

// Cells along an axis, spread evenly.
struct Row {
  double low, step;
  std::size_t cells;

  Row(double from, double to, double cell) : low(from), step(cell), cells(0) {
    const double room = to - from;
    if (room < cell * (1 - 1e-9)) return;
    cells = static_cast<std::size_t>(room / cell * (1 + 1e-9));
    step = room / static_cast<double>(cells);
  }
  double centre(std::size_t k) const { return low + (static_cast<double>(k) + 0.5) * step; }
};

// Spheres that are there already, by cells of at least the largest diameter.
class Occupied {
 public:
  Occupied(const Fill& fill) : low_(fill.low), width_(fill.sizes.largest()) {
    const Vec room = fill.high - fill.low;
    for (const double length : {room.x, room.y, room.z})
      cells_.push_back(static_cast<std::size_t>(length / width_) + 1);
    heads_.resize(cells_[0] * cells_[1] * cells_[2]);
  }

  bool free(const Sphere& sphere) const {
    const auto [i, j, k] = cell(sphere.centre);
    const auto from = [](std::size_t at) { return at == 0 ? 0 : at - 1; };
    const auto to = [this](std::size_t at, std::size_t axis) { return std::min(at + 1, cells_[axis] - 1); };
    for (std::size_t c = from(k); c <= to(k, 2); ++c)
      for (std::size_t b = from(j); b <= to(j, 1); ++b)
        for (std::size_t a = from(i); a <= to(i, 0); ++a)
          for (const Sphere& other : heads_[(c * cells_[1] + b) * cells_[0] + a])
            if (norm(other.centre - sphere.centre) < other.radius + sphere.radius) return false;
    return true;
  }
  void add(const Sphere& sphere) {
    const auto [i, j, k] = cell(sphere.centre);
    heads_[(k * cells_[1] + j) * cells_[0] + i].push_back(sphere);
  }

 private:
  std::array<std::size_t, 3> cell(const Vec& at) const {
    const Vec way = (1 / width_) * (at - low_);
    const auto index = [&](double x, std::size_t axis) {
      return std::min(static_cast<std::size_t>(std::max(0.0, x)), cells_[axis] - 1);
    };
    return {index(way.x, 0), index(way.y, 1), index(way.z, 2)};
  }

  Vec low_;
  double width_;
  std::vector<std::size_t> cells_;
  std::vector<std::vector<Sphere>> heads_;
};

bool within_circle(const Fill& fill, double x, double y, double radius) {
  const Vec middle = 0.5 * (fill.low + fill.high);
  return std::hypot(x - middle.x, y - middle.y) + radius <= 0.5 * (fill.high.x - fill.low.x);
}

}  // namespace

std::vector<Sphere> scattered(const Fill& fill, std::vector<double> diameters) {
  constexpr std::uint64_t tries = 2000;
  const CounterRandom place(fill.seed, 2);
  std::ranges::sort(diameters, std::greater());
  Occupied occupied(fill);
  std::vector<Sphere> spheres;
  for (const double d : diameters) {
    const double r = 0.5 * d;
    Sphere sphere{{}, r};
    bool found = false;
    for (std::uint64_t k = 0; k < tries && !found; ++k) {
      const std::uint64_t draw = 3 * (tries * spheres.size() + k);
      const auto within = [&](double low, double high, std::uint64_t axis) {
        return place.uniform(draw + axis, low + r, high - r);
      };
      sphere.centre = {within(fill.low.x, fill.high.x, 0), within(fill.low.y, fill.high.y, 1),
                       within(fill.low.z, fill.high.z, 2)};
      found = occupied.free(sphere) &&
              (fill.region == Fill::Region::box || within_circle(fill, sphere.centre.x, sphere.centre.y, r));
    }
    if (!found) return spheres;
    occupied.add(sphere);
    spheres.push_back(sphere);
  }
  return spheres;
}

std::vector<Sphere> filled(const Fill& fill) {
  if (fill.method == Fill::Method::random) {
    const CounterRandom size(fill.seed, 1);
    std::vector<double> diameters;
    for (std::size_t k = 0; k < fill.count; ++k) diameters.push_back(fill.sizes.diameter(size.uniform(k)));
    return scattered(fill, std::move(diameters));
  }
  const double cell = fill.spacing * fill.sizes.largest();
  const Row x(fill.low.x, fill.high.x, cell), y(fill.low.y, fill.high.y, cell);
  Row z(fill.low.z, fill.high.z, cell);
  z.step = cell;  // what is left over stays above
  const CounterRandom random(fill.seed, 1);
  std::vector<Sphere> spheres;
  for (std::size_t k = 0; k < z.cells; ++k)
    for (std::size_t j = 0; j < y.cells; ++j)
      for (std::size_t i = 0; i < x.cells; ++i) {
        if (fill.count > 0 && spheres.size() == fill.count) return spheres;
        const std::uint64_t draw = 4 * spheres.size();
        const double d = fill.sizes.diameter(random.uniform(draw));
        const auto shifted = [&](const Row& row, std::size_t at, std::uint64_t axis) {
          return row.centre(at) + fill.jitter * (row.step - d) * (random.uniform(draw + axis) - 0.5);
        };
        const Vec centre = {shifted(x, i, 1), shifted(y, j, 2), shifted(z, k, 3)};
        if (fill.region == Fill::Region::cylinder &&
            !within_circle(fill, x.centre(i), y.centre(j), 0.5 * std::hypot(x.step, y.step)))
          continue;
        spheres.push_back({centre, 0.5 * d});
      }
  return spheres;
}

}  // namespace hardpan::grains
