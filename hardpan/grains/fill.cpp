#include "hardpan/grains/fill.h"

#include <cmath>

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

}  // namespace

std::vector<Sphere> filled(const Fill& fill) {
  const double cell = fill.spacing * fill.sizes.largest();
  const Row x(fill.low.x, fill.high.x, cell), y(fill.low.y, fill.high.y, cell);
  Row z(fill.low.z, fill.high.z, cell);
  z.step = cell;  // what is left over stays above
  const CounterRandom random(fill.seed, 1);
  const Vec middle = 0.5 * (fill.low + fill.high);
  const double wide = 0.5 * (fill.high.x - fill.low.x);
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
            std::hypot(x.centre(i) - middle.x, y.centre(j) - middle.y) + 0.5 * std::hypot(x.step, y.step) >
                wide)
          continue;
        spheres.push_back({centre, 0.5 * d});
      }
  return spheres;
}

}  // namespace hardpan::grains
