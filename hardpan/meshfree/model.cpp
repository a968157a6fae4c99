#include "hardpan/meshfree/model.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "hardpan/meshfree/gradient.h"

namespace hardpan::meshfree {
namespace {

std::string fault_of_set(const char* what, const std::vector<std::uint32_t>& particles, const Vec3& direction,
                         std::size_t count) {
  if (particles.empty()) return fmt::format("a {} has no particles", what);
  if (std::ranges::max(particles) >= count) return fmt::format("a {} has particles that are not there", what);
  if (!(std::abs(direction.norm() - 1) < 1e-9))
    return fmt::format("the direction of a {} is not a unit vector", what);
  return {};
}

}  // namespace

double reach_of(const SolidModel& model) {
  if (model.reach != 0) return model.reach;
  return model.cloud.counts[0] > 0 && model.stabilisation == 0 ? Gradient::nearest : 2;
}

std::string fault_of(const SolidModel& model) {
  const std::size_t count = model.cloud.size();
  if (count == 0) return "a solid without particles";
  if (model.material.size() != count) return "a solid needs a material for each particle";
  if (std::ranges::max(model.material) >= model.materials.size())
    return "a particle of a material that is not there";
  for (const SolidMaterial& material : model.materials)
    if (!(material.density > 0) || !(material.law.shear > 0) || !(material.law.bulk > 0))
      return "density and stiffness of a solid must be above 0";
  if (model.reach == Gradient::nearest && model.cloud.counts[0] == 0)
    return "a reach of the nearest neighbours, which only a whole lattice can have";
  if (!(model.reach >= 1.5) && model.reach != 0 && model.reach != Gradient::nearest)
    return fmt::format("a reach of {} spacings, must be 1 (nearest neighbours) or at least 1.5", model.reach);
  if (!(model.stabilisation >= 0))
    return fmt::format("a stabilisation of {}, must not be below 0", model.stabilisation);
  if (!(model.ripple_stiffness >= 0) || !(model.ripple_strength >= 0))
    return "stiffness and strength of ripples must not be below 0";
  for (const Hold& hold : model.holds)
    if (std::string fault = fault_of_set("hold", hold.particles, hold.direction, count); !fault.empty())
      return fault;
  for (const Traction& traction : model.tractions)
    if (std::string fault = fault_of_set("traction", traction.particles, traction.normal, count);
        !fault.empty())
      return fault;
  return {};
}

}  // namespace hardpan::meshfree
