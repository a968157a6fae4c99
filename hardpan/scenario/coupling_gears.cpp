// Rigid trains: gear, rack and pinion, differential, planetary set.
#include "hardpan/scenario/coordinate_names.h"
#include "hardpan/scenario/coupling_kinds.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {
namespace {

using multibody::Axis;
using multibody::Measure;
using multibody::Tie;

void add_tie(const CouplingSite& site, Axis axis, Measure measure, multibody::Model& model) {
  add(model, Tie{site.name, {std::move(axis)}, site.rigidity(measure)});
}

void build_gear(const CouplingSite& site, multibody::Model& model) {
  add_tie(site,
          {{{site.item("between", 0), 1.0}, {site.item("between", 1), -site.keys.at("ratio").number()}}},
          site.measure(site.keys.at("between").items()[0].text()), model);
}

void check_gear(const Value& gear, Complain& complain) {
  if (!check_coordinates(gear, "between", complain)) return;
  const auto& pair = gear.at("between").items();
  if (find_coordinate(complain.root(), pair[0].text()).measure !=
      find_coordinate(complain.root(), pair[1].text()).measure)
    complain("between", "one is an angle, the other a length: that is kind rack");
  check_distinct(gear, {"between"}, complain);
  if (gear.at("ratio").number() == 0) complain("ratio", "must not be 0");
}

void build_rack(const CouplingSite& site, multibody::Model& model) {
  add_tie(site, {{{site.at("rack"), 1.0}, {site.at("pinion"), -site.keys.at("radius").number()}}},
          Measure::length, model);
}

void check_rack(const Value& rack, Complain& complain) {
  check_coordinates(rack, "pinion", complain, Measure::angle);
  check_coordinates(rack, "rack", complain, Measure::length);
  if (rack.at("radius").number() == 0) complain("radius", "must not be 0");
}

void build_differential(const CouplingSite& site, multibody::Model& model) {
  const auto input = site.at("input"), left = site.item("outputs", 0), right = site.item("outputs", 1);
  const double ratio = site.keys.at("ratio").number();
  add_tie(site, {{{input, 1.0}, {left, -0.5 * ratio}, {right, -0.5 * ratio}}}, Measure::angle, model);
  const Axis difference = {{{left, 1.0}, {right, -1.0}}};
  if (site.keys.at("locked").boolean()) add_tie(site, difference, Measure::angle, model);
  const double slip = site.keys.at("slip_torque").number();
  if (slip > 0)
    add(model, multibody::Friction{
                   site.name, {difference}, Curve::constant(slip), 0, site.rigidity(Measure::angle)});
}

void check_differential(const Value& differential, Complain& complain) {
  check_coordinates(differential, "input", complain, Measure::angle);
  check_coordinates(differential, "outputs", complain, Measure::angle);
  check_distinct(differential, {"input", "outputs"}, complain);
  if (differential.at("ratio").number() == 0) complain("ratio", "must not be 0");
  if (differential.at("locked").boolean() && differential.at("slip_torque").number() > 0)
    complain("slip_torque", "the differential is locked: it would be ignored");
}

void build_planetary(const CouplingSite& site, multibody::Model& model) {
  const auto& teeth = site.keys.at("teeth").items();
  const double sun = teeth[0].number(), ring = teeth[1].number(), all = sun + ring;
  add_tie(site, {{{site.at("sun"), sun / all}, {site.at("ring"), ring / all}, {site.at("carrier"), -1.0}}},
          Measure::angle, model);
}

void check_planetary(const Value& planetary, Complain& complain) {
  for (const char* key : {"sun", "ring", "carrier"})
    check_coordinates(planetary, key, complain, Measure::angle);
  check_distinct(planetary, {"sun", "ring", "carrier"}, complain);
}

}  // namespace

CouplingEntry gear_entry() {
  using namespace coupling_fields;
  return {
      {.name = "gear",
       .doc = "Ties two coordinates: the first moves ratio times as far as the second. Ratio 1 joins a "
              "shaft to a hinge, -1 is a pair of equal wheels.",
       .fields =
           std::vector{between("first and second"),
                       field("ratio", number(), "of the first over the second, not 0").by_default(Value(1))} +
           rigid(),
       .check = check_gear},
      build_gear};
}

CouplingEntry rack_entry() {
  using namespace coupling_fields;
  return {{.name = "rack",
           .doc = "Rack and pinion: the rack moves by radius times the angle of the pinion.",
           .fields =
               std::vector{
                   coordinate_field("pinion", "the turning one"), coordinate_field("rack", "the sliding one"),
                   field("radius", number("m"), "of the pinion, not 0; its sign is the sense").must()} +
               rigid(),
           .check = check_rack},
          build_rack};
}

CouplingEntry differential_entry() {
  using namespace coupling_fields;
  return {
      {.name = "differential",
       .doc = "The input turns ratio times the mean of the two outputs, which share its torque equally.",
       .fields =
           std::vector{coordinate_field("input", "driven by the engine"),
                       field("outputs", list_of(text().not_empty(), 2, 2).all_distinct(),
                             "left and right; each a shaft, a joint, or joint.coordinate")
                           .must(),
                       field("ratio", number(), "of the final drive, not 0").by_default(Value(1)),
                       field("slip_torque", number("N m").at_least(0),
                             "limited slip: friction moves up to this from the faster output to the slower")
                           .by_default(Value(0)),
                       field("locked", boolean(), "true: both outputs turn alike").by_default(Value(false))} +
           rigid(),
       .check = check_differential},
      build_differential};
}

CouplingEntry planetary_entry() {
  using namespace coupling_fields;
  return {{.name = "planetary",
           .doc = "Planetary set: z_s w_sun + z_r w_ring = (z_s + z_r) w_carrier.",
           .fields = std::vector{coordinate_field("sun", "the inner wheel"),
                                 coordinate_field("ring", "the outer wheel"),
                                 coordinate_field("carrier", "that holds the planets"),
                                 field("teeth", vector(2).above(0), "[sun, ring]").must()} +
                     rigid(),
           .check = check_planetary},
          build_planetary};
}

}  // namespace hardpan::scenario
