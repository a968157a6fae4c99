#include "hardpan/scenario/solid_region.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "hardpan/core/error.h"
#include "hardpan/geometry/height_grid.h"
#include "hardpan/geometry/nearest_surface.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {
namespace {

using geometry::HeightGrid;
using meshfree::Region;

// Height and slope of the triangle above a place, in the frame of the grid.
struct Ground {
  double z, slope_x, slope_y;
};
Ground ground_at(const HeightGrid& grid, double x, double y) {
  const auto cell = [](double at, double width, std::size_t count) {
    return static_cast<std::size_t>(std::clamp(std::floor(at / width), 0.0, static_cast<double>(count - 2)));
  };
  const std::size_t i = cell(x, grid.dx, grid.nx), j = cell(y, grid.dy, grid.ny);
  const double u = x / grid.dx - static_cast<double>(i), v = y / grid.dy - static_cast<double>(j);
  const double low = grid.point(i, j).z(), high = grid.point(i + 1, j + 1).z();
  const double corner = u >= v ? grid.point(i + 1, j).z() : grid.point(i, j + 1).z();
  const double along_u = u >= v ? corner - low : high - corner,
               along_v = u >= v ? high - corner : corner - low;
  return {low + u * along_u + v * along_v, along_u / grid.dx, along_v / grid.dy};
}

// Under the heights, down to a floor; both in the frame of the grid.
Region under(const geometry::HeightField& field, const Pose& pose, double floor) {
  const auto grid = field.grid;
  const Vec3 end = grid->point(grid->nx - 1, grid->ny - 1);
  geometry::Aabb box;
  for (const double z : {floor, *std::ranges::max_element(grid->z)})
    for (const double x : {0.0, end.x()})
      for (const double y : {0.0, end.y()}) box = box.merged(pose.point(Vec3(x, y, z)));
  return {box, [grid, pose, floor, end](const Vec3& at) {
            const Vec3 p = pose.local_point(at);
            const Ground g = ground_at(*grid, p.x(), p.y());
            const double above = (p.z() - g.z) / std::sqrt(1 + g.slope_x * g.slope_x + g.slope_y * g.slope_y);
            return std::max({above, floor - p.z(), -p.x(), p.x() - end.x(), -p.y(), p.y() - end.y()});
          }};
}

Region region_of(const geometry::PlacedShape& placed, const Part& part, const Value& solid) {
  if (const auto* field = std::get_if<geometry::HeightField>(&placed.shape)) {
    const Value* floor = solid.find("floor");
    if (!floor) throw InputError(part.keys->mark(), part.path + ": a height field needs solid.floor");
    const double lowest = std::ranges::min(field->grid->z);
    if (!(floor->number() < lowest))
      throw InputError(floor->mark(),
                       fmt::format("solid.floor: must lie below the lowest height, {:.4g} m", lowest));
    return under(*field, placed.pose, floor->number());
  }
  if (!geometry::has_nearest_surface(placed.shape))
    throw InputError(part.keys->mark(), part.path +
                                            ": a solid needs a shape with an inside, and no hull: a box, a "
                                            "round shape, a closed mesh or a height field");
  return {geometry::bounds(placed.shape, placed.pose),
          [shape = placed.shape, pose = placed.pose](const Vec3& x) {
            return geometry::nearest_surface(shape, pose.local_point(x)).distance;
          }};
}

}  // namespace

std::vector<Part> solid_parts(const Value& solid) {
  std::vector<Part> parts;
  if (const Value* shape = solid.find("shape")) parts.push_back({shape, "solid.shape"});
  const auto& holes = solid.at("holes").items();
  for (std::size_t i = 0; i < holes.size(); ++i)
    parts.push_back({&holes[i], fmt::format("solid.holes.{}", i)});
  return parts;
}

meshfree::Region solid_region(const Value& scenario, const Value& solid) {
  ShapeBuilder shapes(scenario);
  const std::vector<Part> parts = solid_parts(solid);
  std::optional<Region> region;
  if (const Value* box = solid.find("box")) {
    const Vec3 low = vec3(box->at("low")), high = vec3(box->at("high"));
    region = Region{{low, high}, [middle = Vec3(0.5 * (low + high)), size = Vec3(high - low)](const Vec3& x) {
                      return geometry::nearest_surface(geometry::Box{size}, x - middle).distance;
                    }};
  }
  for (const Part& part : parts) {
    Region next = region_of(shapes.build(part), part, solid);
    region = region ? meshfree::without(std::move(*region), std::move(next)) : std::move(next);
  }
  return std::move(*region);
}

}  // namespace hardpan::scenario
