#include "hardpan/meshfree/fill.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/core.h>

#include "hardpan/core/error.h"
#include "hardpan/core/parallel.h"
#include "hardpan/meshfree/neighbours.h"

namespace hardpan::meshfree {
namespace {

constexpr int samples = 6;       // of a cell, along each axis
constexpr double nearest = 0.5;  // of the spacing: particles are not closer

// To the surface: along the slope of the distance.
Vec3 projected(const Region& region, Vec3 x, double spacing) {
  const double step = 1e-5 * spacing;
  for (int k = 0; k < 8; ++k) {
    const double distance = region.distance(x);
    if (std::abs(distance) < 1e-9 * spacing) break;
    Vec3 slope;
    for (Eigen::Index a = 0; a < 3; ++a)
      slope[a] = (region.distance(x + step * Vec3::Unit(a)) - region.distance(x - step * Vec3::Unit(a))) /
                 (2 * step);
    if (!(slope.squaredNorm() > 0.01)) break;  // as far from one side as from another
    x -= distance / slope.squaredNorm() * slope;
  }
  return x;
}

// The cells of the lattice around its points, and what particles began in them.
class Lattice {
 public:
  Lattice(const geometry::Aabb& box, double spacing) : low_(box.low) {
    const auto counts = lattice_counts(box.high - box.low, spacing);
    for (std::size_t a = 0; a < 3; ++a) {
      count_[a] = static_cast<std::ptrdiff_t>(counts[a]);
      const auto axis = static_cast<Eigen::Index>(a);
      d_[axis] = (box.high - box.low)[axis] / static_cast<double>(counts[a] - 1);
    }
  }

  double spacing() const { return d_.maxCoeff(); }
  std::size_t cells() const { return static_cast<std::size_t>(count_[0] * count_[1] * count_[2]); }
  Vec3 point(std::size_t cell) const {
    const auto c = static_cast<std::ptrdiff_t>(cell);
    return low_ + Vec3(static_cast<double>(c % count_[0]), static_cast<double>(c / count_[0] % count_[1]),
                       static_cast<double>(c / (count_[0] * count_[1])))
                      .cwiseProduct(d_);
  }
  double cell_volume() const { return d_.prod(); }
  const Vec3& widths() const { return d_; }

  // visit(cell) for a cell and those up to two away.
  template <class Visit>
  void around(std::size_t cell, Visit&& visit) const {
    const auto c = static_cast<std::ptrdiff_t>(cell);
    const std::ptrdiff_t at[3] = {c % count_[0], c / count_[0] % count_[1], c / (count_[0] * count_[1])};
    std::ptrdiff_t from[3], to[3];
    for (int a = 0; a < 3; ++a) {
      from[a] = std::max<std::ptrdiff_t>(0, at[a] - 2);
      to[a] = std::min<std::ptrdiff_t>(count_[a] - 1, at[a] + 2);
    }
    for (std::ptrdiff_t z = from[2]; z <= to[2]; ++z)
      for (std::ptrdiff_t y = from[1]; y <= to[1]; ++y)
        for (std::ptrdiff_t x = from[0]; x <= to[0]; ++x)
          visit(static_cast<std::size_t>((z * count_[1] + y) * count_[0] + x));
  }

 private:
  Vec3 low_, d_;
  std::ptrdiff_t count_[3];
};

class Filler {
 public:
  Filler(const Region& region, double spacing) : region_(region), lattice_(region.box, spacing) {
    cloud_.spacing = lattice_.spacing();
    for (std::size_t cell = 0; cell < lattice_.cells(); ++cell) add(cell);
    drop_close_ones();
    if (cloud_.position.empty())
      throw InputError(fmt::format("a solid has no room for particles {:.4g} m apart", spacing));
  }

  Cloud build(int relaxations) {
    for (int k = 0; k < relaxations; ++k) {
      share_out();
      for (std::size_t i = 0; i < cloud_.size(); ++i) {
        if (!(cloud_.volume[i] > 0)) continue;
        cloud_.position[i] =
            cloud_.on_surface[i] ? projected(region_, centre_[i], cloud_.spacing) : centre_[i];
      }
    }
    share_out();
    return std::move(cloud_);
  }

 private:
  void add(std::size_t cell) {
    const Vec3 x = lattice_.point(cell);
    const double distance = region_.distance(x), half = 0.5 * lattice_.spacing();
    if (distance > half) return;
    const bool on_surface = distance >= -half;
    const Vec3 place = on_surface ? projected(region_, x, cloud_.spacing) : x;
    if (on_surface && std::abs(region_.distance(place)) > 1e-6 * cloud_.spacing) return;  // no way to it
    cloud_.position.push_back(place);
    cloud_.on_surface.push_back(on_surface ? 1 : 0);
    cell_.push_back(cell);
  }

  // Of two, the one that comes later; never one inside for one of the surface.
  void drop_close_ones() {
    const Neighbours near = neighbours_within(cloud_.position, nearest * cloud_.spacing);
    std::vector<std::uint8_t> gone(cloud_.size(), 0);
    for (const bool inside : {false, true})
      for (std::size_t i = 0; i < cloud_.size(); ++i) {
        if (gone[i] || inside == (cloud_.on_surface[i] != 0)) continue;
        for (std::size_t e = near.start[i]; e < near.start[i + 1]; ++e)
          if (const std::size_t j = near.index[e];
              j != i && !gone[j] && (inside ? cloud_.on_surface[j] != 0 : j < i))
            gone[i] = 1;
      }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < cloud_.size(); ++i) {
      if (gone[i]) continue;
      cloud_.position[kept] = cloud_.position[i];
      cloud_.on_surface[kept] = cloud_.on_surface[i];
      cell_[kept++] = cell_[i];
    }
    cloud_.position.resize(kept);
    cloud_.on_surface.resize(kept);
    cell_.resize(kept);
  }

  // Volumes, and their centres: each sample to the nearest particle.
  void share_out() {
    std::vector<std::uint32_t> of_cell(lattice_.cells(), none);
    for (std::size_t i = 0; i < cell_.size(); ++i) of_cell[cell_[i]] = static_cast<std::uint32_t>(i);
    cloud_.volume.assign(cloud_.size(), 0.0);
    centre_.assign(cloud_.size(), Vec3::Zero());
    const double share = lattice_.cell_volume() / std::pow(samples, 3);
    for (std::size_t cell = 0; cell < lattice_.cells(); ++cell) {
      std::vector<std::uint32_t> near;
      lattice_.around(cell, [&](std::size_t other) {
        if (of_cell[other] != none) near.push_back(of_cell[other]);
      });
      const Vec3 middle = lattice_.point(cell);
      std::erase_if(
          near, [&](std::uint32_t k) { return (cloud_.position[k] - middle).norm() > 2.2 * cloud_.spacing; });
      if (near.empty()) continue;
      const bool whole = region_.distance(middle) < -0.9 * cloud_.spacing;  // more than half a diagonal
      for (int s = 0; s < samples * samples * samples; ++s) {
        const Vec3 part(s % samples, s / samples % samples, s / (samples * samples));
        const Vec3 x =
            middle + ((part.array() + 0.5) / samples - 0.5).matrix().cwiseProduct(lattice_.widths());
        if (!whole && !is_inside(x)) continue;
        const std::uint32_t i = *std::ranges::min_element(
            near, {}, [&](std::uint32_t k) { return (cloud_.position[k] - x).squaredNorm(); });
        cloud_.volume[i] += share;
        centre_[i] += share * x;
      }
    }
    for (std::size_t i = 0; i < cloud_.size(); ++i)
      if (cloud_.volume[i] > 0) centre_[i] /= cloud_.volume[i];
  }

  bool is_inside(const Vec3& x) const {
    return (x.array() >= region_.box.low.array()).all() && (x.array() <= region_.box.high.array()).all() &&
           region_.distance(x) < 0;
  }

  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  const Region& region_;
  Lattice lattice_;
  Cloud cloud_;
  std::vector<std::size_t> cell_;  // where each particle began
  std::vector<Vec3> centre_;
};

}  // namespace

Region without(Region region, Region other) {
  return {region.box, [own = std::move(region.distance), less = std::move(other.distance)](const Vec3& x) {
            return std::max(own(x), -less(x));
          }};
}

Cloud filled(const Region& region, double spacing, int relaxations) {
  Cloud cloud = Filler(region, spacing).build(relaxations);
  // A particle without any volume has no mass.
  Cloud whole;
  whole.spacing = cloud.spacing;
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    if (!(cloud.volume[i] > 0)) continue;
    whole.position.push_back(cloud.position[i]);
    whole.volume.push_back(cloud.volume[i]);
    whole.on_surface.push_back(cloud.on_surface[i]);
  }
  return whole;
}

}  // namespace hardpan::meshfree
