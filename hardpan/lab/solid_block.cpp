#include "hardpan/lab/solid_block.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hardpan/core/error.h"

namespace hardpan::lab {
namespace {

enum BlockColumn : std::size_t {
  stretch,
  axial_strain,
  lateral_strain,
  axial_stress,
  lateral_stress,
  nominal_stress,
  volume_strain,
  plastic_volume_strain,
  spread,
  block_columns,
  closed_form = block_columns  // where there is one
};

std::size_t hold_named(const meshfree::Solid& solid, const std::string& name) {
  const auto& holds = solid.model().holds;
  const auto found = std::ranges::find(holds, name, &meshfree::Hold::name);
  HARDPAN_CHECK(found != holds.end(), "no hold named " + name);
  return static_cast<std::size_t>(found - holds.begin());
}

// Mean way of a hold's particles along its direction since they were at their first places, m.
double way_of(const meshfree::Solid& solid, const meshfree::Hold& hold) {
  double sum = 0;
  for (const std::uint32_t i : hold.particles)
    sum += hold.direction.dot(solid.position(i) - solid.model().cloud.position[i]);
  return sum / static_cast<double>(hold.particles.size());
}

// Of soil that may yield there is no closed form.
double closed_form_of(const meshfree::Solid& solid, SolidBlockSetup::ClosedForm form, double L) {
  const material::SoilLaw& law = solid.model().materials[0].law;
  if (law.plastic) return std::numeric_limits<double>::quiet_NaN();
  const bool hydrostatic = form == SolidBlockSetup::ClosedForm::hydrostatic;
  const double c = hydrostatic ? 3 * law.bulk : law.young();
  return solid.model().strain_measure == meshfree::StrainMeasure::green ? 0.5 * c * L * (L * L - 1)
                                                                        : c * std::log(L) / L;
}

Row read_block(const meshfree::Solid& solid, const SolidBlockSetup& setup) {
  const std::size_t plate = hold_named(solid, setup.plate);
  const Vec3& axis = solid.model().holds[plate].direction;
  double volume = 0, least = std::numeric_limits<double>::infinity(), most = -least;
  Row row(block_columns, 0.0);
  for (std::size_t i = 0; i < solid.size(); ++i) {
    const double V = solid.model().cloud.volume[i];
    const Mat3 E = material::tensor(solid.strain(i)), S = material::tensor(solid.stress(i));
    const double along = axis.dot(E * axis), pressed = axis.dot(S * axis);
    volume += V;
    row[axial_strain] += V * along;
    row[lateral_strain] += 0.5 * V * (E.trace() - along);
    row[axial_stress] += V * pressed;
    row[lateral_stress] += 0.5 * V * (S.trace() - pressed);
    row[volume_strain] += V * E.trace();
    row[plastic_volume_strain] += V * material::trace(solid.plastic_strain(i));
    least = std::min(least, along);
    most = std::max(most, along);
  }
  for (double& x : row) x /= volume;
  const double L = row[stretch] = 1 + way_of(solid, solid.model().holds[plate]) / setup.length;
  row[nominal_stress] = solid.force_of_hold(plate) / setup.area;
  row[spread] = row[axial_strain] == 0 ? 0 : (most - least) / std::abs(row[axial_strain]);
  if (setup.closed_form != SolidBlockSetup::ClosedForm::none)
    row.push_back(closed_form_of(solid, setup.closed_form, L));
  return row;
}

Row reduce_block(const std::vector<Row>& table, SolidBlockSetup::ClosedForm form) {
  constexpr double from = 0.02;  // stretch: below, the error of a small number is large
  const bool judged = form != SolidBlockSetup::ClosedForm::none;
  double error = 0, yield = 0, largest = 0, spread_there = 0;
  for (const Row& row : table) {
    yield = std::max(yield, std::abs(row[axial_stress]));
    if (std::abs(row[axial_strain]) > largest)
      largest = std::abs(row[axial_strain]), spread_there = row[spread];
    if (!judged) continue;
    const double missed = std::abs(row[nominal_stress] / row[closed_form] - 1);
    if (std::abs(row[stretch] - 1) >= from && !(missed <= error)) error = missed;
  }
  if (!judged) error = std::numeric_limits<double>::quiet_NaN();
  return {error, spread_there, yield, table.back()[plastic_volume_strain]};
}

}  // namespace

Measurement solid_block(const SolidBlockSetup& setup) {
  std::vector<Column> columns = {
      {"stretch", ""},        {"axial_strain", ""},          {"lateral_strain", ""},
      {"axial_stress", "Pa"}, {"lateral_stress", "Pa"},      {"nominal_stress", "Pa"},
      {"volume_strain", ""},  {"plastic_volume_strain", ""}, {"spread", ""}};
  if (setup.closed_form != SolidBlockSetup::ClosedForm::none) columns.push_back({"closed_form", "Pa"});
  return {
      std::move(columns),
      [](const World&) { return Row{}; },
      [setup](const World& world, const Row&) { return read_block(*world.solid, setup); },
      {"max_relative_error", "strain_spread", "axial_yield_stress_Pa", "permanent_volume_strain"},
      [setup](const std::vector<Row>& table, const Row&) { return reduce_block(table, setup.closed_form); }};
}

Measurement footing(const FootingSetup& setup) {
  const auto strength = [](const meshfree::Solid& solid, std::size_t plate) {
    return solid.model().material_of(solid.model().holds[plate].particles[0]).law.surface.k;
  };
  return {{{"sinkage", "m"}, {"pressure", "Pa"}},
          [setup, strength](const World& world) {
            return Row{strength(*world.solid, hold_named(*world.solid, setup.plate))};
          },
          [setup](const World& world, const Row&) {
            const std::size_t plate = hold_named(*world.solid, setup.plate);
            return Row{-way_of(*world.solid, world.solid->model().holds[plate]),
                       -world.solid->force_of_hold(plate) / (setup.share * setup.area)};
          },
          {"bearing_capacity_Pa", "bearing_factor"},
          [](const std::vector<Row>& table, const Row& start) {
            double most = 0;
            for (const Row& row : table) most = std::max(most, row[1]);
            return Row{most, most / start[0]};
          }};
}

}  // namespace hardpan::lab
