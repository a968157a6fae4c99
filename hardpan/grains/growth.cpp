#include "hardpan/grains/growth.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "hardpan/core/random.h"
#include "hardpan/grains/cell_grid.h"

namespace hardpan::grains {
namespace {

constexpr double scattered_share = 0.2, growth = 0.01, skin = 0.1;  // of the volume; of sizes; likewise
constexpr int most_sweeps = 20000, sweeps_while_growing = 8;

double volume_of(const Fill& fill) {
  const Vec size = fill.high - fill.low;
  return fill.region == Fill::Region::box ? size.x * size.y * size.z
                                          : std::numbers::pi / 4 * size.x * size.x * size.z;
}

double solid_of(double diameter) { return std::numbers::pi / 6 * diameter * diameter * diameter; }

class Crowd {
 public:
  // Neighbours in space shall be neighbours in memory: by cells of the largest diameter.
  Crowd(const Fill& fill, const std::vector<Sphere>& spheres) : fill_(fill) {
    Columns centres;
    for (const Sphere& sphere : spheres) centres.push_back(sphere.centre);
    CellGrid grid;
    for (const std::uint32_t i : grid.build(centres, fill.sizes.largest(), Space{})) {
      spheres_.push_back(spheres[i]);
      at_.push_back(spheres[i].centre);
    }
  }

  // Pushes all pairs apart once, with radii `scale` times theirs; the largest overlap before that, over the
  // sum of radii.
  double sweep(double scale) {
    keep_list(scale);
    double largest = 0, step = 0;
    for (const auto& [i, j] : pairs_) {
      const Vec way = at_[j] - at_[i];
      const double reach = scale * (spheres_[i].radius + spheres_[j].radius);
      if (dot(way, way) >= reach * reach) continue;
      const double distance = norm(way);
      largest = std::max(largest, 1 - distance / reach);
      const Vec push = (0.5 * (reach - distance) / distance) * way;
      at_.set(i, at_[i] - push);
      at_.set(j, at_[j] + push);
    }
    for (std::size_t i = 0; i < at_.size(); ++i) {
      at_.set(i, held(at_[i], scale * spheres_[i].radius));
      step = std::max(step, norm(at_[i] - listed_[i]));
    }
    moved_ = step;
    return largest;
  }

  // The largest overlap of all as they are, likewise.
  double overlap(double scale) {
    keep_list(scale);
    double largest = 0;
    for (const auto& [i, j] : pairs_)
      largest =
          std::max(largest, 1 - norm(at_[j] - at_[i]) / (scale * (spheres_[i].radius + spheres_[j].radius)));
    return largest;
  }

  std::vector<Sphere> take() {
    for (std::size_t i = 0; i < spheres_.size(); ++i) spheres_[i].centre = at_[i];
    return std::move(spheres_);
  }

 private:
  double smallest() const { return 2 * std::ranges::min(spheres_, {}, &Sphere::radius).radius; }

  void keep_list(double scale) {
    if (pairs_.empty() || 2 * moved_ > skin * smallest() || scale > list_scale_) list(scale);
  }

  // Pairs that may touch until something has moved by half the skin, or has outgrown the list.
  void list(double scale) {
    list_scale_ = scale * (1 + growth * (1 + 1e-9));
    const double margin = skin * smallest();
    double largest = 0;
    for (const Sphere& sphere : spheres_) largest = std::max(largest, 2 * sphere.radius);
    CellGrid grid;
    const std::vector<std::uint32_t> order = grid.build(at_, list_scale_ * largest + margin, Space{});
    pairs_.clear();
    for (std::uint32_t i = 0; i < at_.size(); ++i)
      grid.neighbours(at_[i], [&](std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t k = begin; k < end; ++k) {
          const std::uint32_t j = order[k];
          if (j > i &&
              norm(at_[j] - at_[i]) < list_scale_ * (spheres_[i].radius + spheres_[j].radius) + margin)
            pairs_.emplace_back(i, j);
        }
      });
    listed_ = at_;
    moved_ = 0;
  }

  Vec held(Vec at, double r) const {
    at.z = std::clamp(at.z, fill_.low.z + r, fill_.high.z - r);
    if (fill_.region == Fill::Region::box)
      return {std::clamp(at.x, fill_.low.x + r, fill_.high.x - r),
              std::clamp(at.y, fill_.low.y + r, fill_.high.y - r), at.z};
    const Vec middle = 0.5 * (fill_.low + fill_.high);
    const double room = 0.5 * (fill_.high.x - fill_.low.x) - r;
    const double out = std::hypot(at.x - middle.x, at.y - middle.y);
    if (out <= room) return at;
    return {middle.x + room / out * (at.x - middle.x), middle.y + room / out * (at.y - middle.y), at.z};
  }

  const Fill& fill_;
  std::vector<Sphere> spheres_;
  Columns at_, listed_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;
  double list_scale_ = 0, moved_ = 0;
};

}  // namespace

Growth grown(const Fill& fill, double void_ratio) {
  const double wanted = volume_of(fill) / (1 + void_ratio);
  const CounterRandom size(fill.seed, 1);
  std::vector<double> diameters;
  double solid = 0;
  for (std::uint64_t k = 0;; ++k) {
    const double d = fill.sizes.diameter(size.uniform(k));
    if (solid + 0.5 * solid_of(d) > wanted) break;  // the nearest number
    solid += solid_of(d);
    diameters.push_back(d);
  }
  const Vec room = fill.high - fill.low;
  if (diameters.empty() || std::min({room.x, room.y, room.z}) < fill.sizes.largest()) return {};
  const double small = std::min(1.0, std::cbrt(scattered_share * volume_of(fill) / solid));
  for (double& d : diameters) d *= small;
  const std::size_t count = diameters.size();
  std::vector<Sphere> spheres = scattered(fill, std::move(diameters));
  if (spheres.size() < count) return {std::move(spheres), 1.0};
  for (Sphere& sphere : spheres) sphere.radius /= small;
  Crowd crowd(fill, spheres);
  double overlap = 1;
  for (double scale = small; scale < 1;) {
    scale = std::min(1.0, scale * (1 + growth));
    for (int k = 0; k < sweeps_while_growing && overlap > Growth::tolerance; ++k)
      overlap = crowd.sweep(scale);
    overlap = 1;
  }
  for (int k = 0; k < most_sweeps && overlap > Growth::tolerance; ++k) {
    overlap = crowd.sweep(1);
    // Those who were pushed may have met others.
    if (overlap <= Growth::tolerance) overlap = crowd.overlap(1);
  }
  return {crowd.take(), overlap};
}

}  // namespace hardpan::grains
