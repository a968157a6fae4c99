#include "hardpan/scenario/ground_fill.h"

#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include "hardpan/core/error.h"
#include "hardpan/grains/fill.h"
#include "hardpan/grains/growth.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {
namespace {

grains::Vec columns(const Value& list) {
  const Vec3 v = vec3(list);
  return {v.x(), v.y(), v.z()};
}

grains::Sizes sizes_of(const Value& ground) {
  if (const Value* diameter = ground.find("diameter")) return grains::Sizes::equal(diameter->number());
  const Value& sizes = ground.at("sizes");
  const std::string& kind = sizes.at("kind").text();
  if (kind == "table") {
    std::vector<double> diameter, share;
    for (const Value& row : sizes.at("passing").items()) {
      diameter.push_back(row.items()[0].number());
      share.push_back(row.items()[1].number());
    }
    return grains::Sizes::passing(diameter, share);
  }
  const double smallest = sizes.at("smallest").number(), largest = sizes.at("largest").number();
  if (kind == "uniform") return grains::Sizes::uniform(smallest, largest);
  return grains::Sizes::log_normal(sizes.at("median").number(),
                                   grains::deviation_of_uniformity(sizes.at("uniformity").number()), smallest,
                                   largest);
}

std::vector<grains::Sphere> grown(const grains::Fill& fill, const Value& void_ratio) {
  grains::Growth growth = grains::grown(fill, void_ratio.number());
  if (!growth.reached())
    throw InputError(void_ratio.mark(),
                     fmt::format("ground.fill.void_ratio: grains of these sizes do not reach {} in this "
                                 "region: they still overlap by {:.2g} of their radii (equal spheres reach "
                                 "about 0.6, near walls less dense)",
                                 void_ratio.number_text(), growth.overlap));
  return std::move(growth.spheres);
}

std::vector<grains::Sphere> filled(const Value& scenario, const Value& keys) {
  grains::Fill fill;
  fill.method =
      keys.at("method").text() == "random" ? grains::Fill::Method::random : grains::Fill::Method::lattice;
  fill.region =
      keys.at("region").text() == "box" ? grains::Fill::Region::box : grains::Fill::Region::cylinder;
  fill.low = columns(keys.at("low"));
  fill.high = columns(keys.at("high"));
  fill.sizes = sizes_of(scenario.at("ground"));
  fill.count = keys.find("count") ? static_cast<std::size_t>(keys.at("count").integer()) : 0;
  fill.spacing = keys.at("spacing").number();
  fill.jitter = keys.at("jitter").number();
  fill.seed = static_cast<std::uint64_t>(scenario.at("seed").integer());
  std::vector<grains::Sphere> spheres =
      keys.find("void_ratio") ? grown(fill, keys.at("void_ratio")) : grains::filled(fill);
  if (spheres.empty())
    throw InputError(
        keys.mark(),
        fmt::format("ground.fill: there is no room for a single grain: the largest are {:.3g} m wide{}",
                    fill.sizes.largest(), keys.find("void_ratio") ? "" : ", times spacing on a lattice"));
  if (spheres.size() < fill.count)
    throw InputError(keys.at("count").mark(),
                     fmt::format("ground.fill.count: there is room for {} grains, not for {}: make the "
                                 "region higher",
                                 spheres.size(), fill.count));
  return spheres;
}

}  // namespace

std::vector<PlacedGrain> placed_grains(const Value& scenario) {
  const Value& ground = scenario.at("ground");
  std::vector<PlacedGrain> all;
  if (const Value* placed = ground.find("grains"))
    for (const Value& grain : placed->items())
      all.push_back({vec3(grain), 0.5 * grain.items()[3].number(), Vec3::Zero()});
  const Value* keys = ground.find("fill");
  if (!keys) return all;
  for (const grains::Sphere& sphere : filled(scenario, *keys))
    all.push_back(
        {{sphere.centre.x, sphere.centre.y, sphere.centre.z}, sphere.radius, vec3(keys->at("velocity"))});
  return all;
}

RandomTurns::RandomTurns(const Value& scenario)
    : random_(static_cast<std::uint64_t>(scenario.at("seed").integer()), 3) {}

// Shoemake, in Graphics Gems III, 1992, 124-132.
Quat RandomTurns::operator()() {
  const std::uint64_t first = 3 * number_++;
  const double u = random_.uniform(first), v = 2 * std::numbers::pi * random_.uniform(first + 1),
               w = 2 * std::numbers::pi * random_.uniform(first + 2);
  return {std::sqrt(1 - u) * std::sin(v), std::sqrt(1 - u) * std::cos(v), std::sqrt(u) * std::sin(w),
          std::sqrt(u) * std::cos(w)};
}

void complain_of_overlap(const Value& ground, std::size_t grain, const Vec3& at, double radius, double by,
                         const std::string& what) {
  throw InputError(
      ground.mark(),
      fmt::format("ground: grain {} at ({:.4g}, {:.4g}, {:.4g}) m reaches {:.2g} m into {} at the start; at "
                  "most {:g} of its radius, {:.2g} m, is allowed",
                  grain, at.x(), at.y(), at.z(), by, what, allowed_overlap, allowed_overlap * radius));
}

}  // namespace hardpan::scenario
