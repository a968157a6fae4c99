#include "hardpan/scenario/measure_kinds.h"

#include <algorithm>
#include <cmath>

#include "hardpan/core/error.h"
#include "hardpan/lab/direct_shear.h"
#include "hardpan/lab/pressure_sinkage.h"
#include "hardpan/lab/repose.h"
#include "hardpan/lab/silo.h"
#include "hardpan/lab/silo_pressure.h"
#include "hardpan/lab/single_wheel.h"
#include "hardpan/lab/triaxial.h"
#include "hardpan/scenario/ground.h"
#include "hardpan/scenario/numbers.h"

namespace hardpan::scenario {
namespace {

Field residual() {
  return field("residual", number().strictly_between(0, 1),
               "share of the way, at its end, over which residual values are means")
      .by_default(Value(0.25));
}

void needs_ground(const Value&, Complain& complain) {
  if (!complain.root().find("ground")) complain("", "there is no ground to measure");
}

void needs_penalty(const Value& keys, Complain& complain) {
  needs_ground(keys, complain);
  if (has_rigid_grains(complain.root())) complain("", "measures soil of model grains-penalty only");
}

MeasureEntry direct_shear_entry() {
  return {{.name = "direct-shear",
           .doc = "Stresses in the plane between the halves of a shear box.",
           .fields = {body("moving", "the lower half, which moves"),
                      field("upper", reference("bodies"), "the upper half, where the lid is not all of it"),
                      body("lid", "what presses"),
                      field("area", number("m^2").above(0), "of the box, inside").must(),
                      field("plane", number("m"), "height of the plane between the halves").must(),
                      field("height", number("m").above(0),
                            "of the soil where the lid stands as it is described under bodies")
                          .must(),
                      field("direction", vector(3).not_zero(), "in which the lower half moves")
                          .by_default(Value::numbers({1, 0, 0})),
                      residual(), every()},
           .check = needs_ground},
          [](const Value& keys, const multibody::Model& bodies) {
            lab::DirectShearSetup setup;
            setup.moving = body_of(keys.at("moving"), bodies);
            if (const Value* upper = keys.find("upper")) setup.upper = body_of(*upper, bodies);
            setup.lid = body_of(keys.at("lid"), bodies);
            setup.direction = vec3(keys.at("direction")).normalized();
            setup.area = keys.at("area").number();
            setup.plane = keys.at("plane").number();
            setup.height = keys.at("height").number();
            setup.residual = keys.at("residual").number();
            return lab::direct_shear(setup);
          }};
}

MeasureEntry pressure_sinkage_entry() {
  return {{.name = "pressure-sinkage",
           .doc = "Pressure below a plate that goes down into soil.",
           .fields = {body("plate", "what is pressed in"),
                      field("area", number("m^2").above(0), "of the plate").must(), every()},
           .check = needs_ground},
          [](const Value& keys, const multibody::Model& bodies) {
            return lab::pressure_sinkage({body_of(keys.at("plate"), bodies), keys.at("area").number()});
          }};
}

MeasureEntry single_wheel_entry() {
  return {{.name = "single-wheel",
           .doc = "What a wheel on soil pulls, what turns it, and how deep it sinks.",
           .fields = {body("wheel", "that rolls"),
                      field("spin", reference("motors"), "the motor that turns it").must(),
                      field("direction", vector(3).not_zero(), "in which it rolls")
                          .by_default(Value::numbers({1, 0, 0})),
                      field("from", number().between(0, 1), "share of the time from which metrics are means")
                          .by_default(Value(0.5)),
                      field("until", number().between(0, 1), "and to which they are").by_default(Value(1)),
                      field("rut_width", number("m").above(0),
                            "on a solid: width of the strip in the middle of the track over which the rut is "
                            "measured; default: no rut"),
                      field("radius", number("m").above(0),
                            "of the wheel: the rut is measured from so far beyond the start to half as far "
                            "behind the wheel"),
                      every()},
           .groups = {needs("rut_width", {"radius"})},
           .check =
               [](const Value& keys, Complain& complain) {
                 const bool solid = complain.root().find("solid");
                 if (keys.at("until").number() <= keys.at("from").number())
                   complain("until", "must be later than 'from'");
                 if (!solid) needs_ground(keys, complain);
                 if (!solid && keys.find("rut_width")) complain("rut_width", "there is no solid to measure");
               }},
          [](const Value& keys, const multibody::Model& bodies) {
            return lab::single_wheel({body_of(keys.at("wheel"), bodies), keys.at("spin").text(),
                                      vec3(keys.at("direction")).normalized(), keys.at("from").number(),
                                      keys.at("until").number(), number_or(keys, "rut_width", 0),
                                      number_or(keys, "radius", 0)});
          }};
}

MeasureEntry repose_entry() {
  return {
      {.name = "repose",
       .doc = "The slope of a heap of grains.",
       .fields =
           {field("floor", number("m"), "height of what it lies on").by_default(Value(0)),
            field("inner", number().between(0, 1), "share of its radius from which the slope is taken")
                .by_default(Value(0.2)),
            field("outer", number().between(0, 1), "to which").by_default(Value(0.8)),
            field("base", number("m").above(0),
                  "radius of a tray about the origin, whose heap is meant; default: all grains are one heap"),
            every()},
       .check = needs_penalty},
      [](const Value& keys, const multibody::Model&) {
        return lab::repose({keys.at("floor").number(), keys.at("inner").number(), keys.at("outer").number(),
                            number_or(keys, "base", 0.0)});
      }};
}

MeasureEntry silo_entry() {
  return {{.name = "silo-discharge",
           .doc = "The mass that has run out of a silo.",
           .fields = {field("outlet", number("m"), "height below which it is out").must(),
                      field("from", number().between(0, 1), "share of the time from which the rate is taken")
                          .by_default(Value(0.25)),
                      field("to", number().between(0, 1), "up to which").by_default(Value(1)), every()},
           .check = needs_ground},
          [](const Value& keys, const multibody::Model&) {
            return lab::silo_discharge({keys.at("outlet").number(), keys.at("every").number(),
                                        keys.at("from").number(), keys.at("to").number()});
          }};
}

MeasureEntry silo_pressure_entry() {
  return {
      {.name = "silo-pressure",
       .doc = "What soil in a silo with upright walls does to its floor and its walls.",
       .fields = {body("floor", "of the silo"), body("walls", "of the silo; their friction is taken"),
                  field("area", number("m^2").above(0), "of the floor").must(),
                  field("perimeter", number("m").above(0), "of the floor").must(),
                  field("top", number("m"), "height of the upper face of the floor above its centre of mass")
                      .must(),
                  field("from", number().between(0, 1), "share of the time from which metrics are means")
                      .by_default(Value(0.5)),
                  every()},
       .check = needs_penalty},
      [](const Value& keys, const multibody::Model& bodies) {
        return lab::silo_pressure({body_of(keys.at("floor"), bodies), body_of(keys.at("walls"), bodies),
                                   keys.at("area").number(), keys.at("perimeter").number(),
                                   keys.at("top").number(), keys.at("from").number()});
      }};
}

MeasureEntry triaxial_entry() {
  return {{.name = "triaxial",
           .doc = "Stresses and strains of soil between six flat walls, of which three stand.",
           .fields = {field("walls", list_of(reference("bodies"), 3, 3).all_distinct(),
                            "those that move, along x, y and z; the soil is on their negative side")
                          .must(),
                      field("size", vector(3, "m").above(0),
                            "inside, where walls stand as they are described under bodies")
                          .must(),
                      field("stress", number("Pa").above(0), "that walls at the sides shall exert").must(),
                      residual(), every()},
           .check = needs_ground},
          [](const Value& keys, const multibody::Model& bodies) {
            lab::TriaxialSetup setup;
            for (std::size_t k = 0; k < 3; ++k) setup.walls[k] = body_of(keys.at("walls").items()[k], bodies);
            setup.size = vec3(keys.at("size"));
            setup.stress = keys.at("stress").number();
            setup.residual = keys.at("residual").number();
            return lab::triaxial(setup);
          }};
}

const MeasureEntry& entry_of(const Value& measure) {
  const auto& all = measure_kinds();
  const auto found = std::ranges::find(all, measure.at("kind").text(),
                                       [](const MeasureEntry& entry) { return entry.description.name; });
  HARDPAN_CHECK(found != all.end(), "no kind of measurement " + measure.at("kind").text());
  return *found;
}

}  // namespace

Field body(const char* name, const char* doc) { return field(name, reference("bodies"), doc).must(); }

multibody::BodyId body_of(const Value& name, const multibody::Model& model) {
  for (std::size_t i = 0; i < model.bodies.size(); ++i)
    if (model.bodies[i].name == name.text()) return multibody::BodyId(i);
  HARDPAN_CHECK(false, "no body named " + name.text());
}

Field every() {
  return field("every", number("s").above(0), "simulated time over which a row of the table is the mean")
      .by_default(Value(0.01));
}

const std::vector<MeasureEntry>& measure_kinds() {
  static const std::vector<MeasureEntry> all = {
      direct_shear_entry(), pressure_sinkage_entry(), single_wheel_entry(),     repose_entry(),
      silo_entry(),         silo_pressure_entry(),    triaxial_entry(),         solid_block_entry(),
      footing_entry(),      beam_bending_entry(),     cone_penetrometer_entry()};
  return all;
}

Type measure_type() {
  std::vector<Object> descriptions;
  for (const MeasureEntry& entry : measure_kinds()) descriptions.push_back(entry.description);
  return kinds("measurement", std::move(descriptions));
}

std::vector<std::string> metric_names(const Value& scenario) {
  const Value* measure = scenario.find("measure");
  if (!measure) return {};
  multibody::Model nobody;  // names do not depend on who is measured
  for (const Value::Entry& body : scenario.at("bodies").entries()) {
    nobody.bodies.emplace_back();
    nobody.bodies.back().name = body.key;
  }
  return entry_of(*measure).build(*measure, nobody).metrics;
}

std::unique_ptr<lab::Recording> recording(const Value& scenario, const multibody::Model& bodies) {
  const Value* measure = scenario.find("measure");
  if (!measure) return nullptr;
  const double steps = measure->at("every").number() / scenario.at("time").at("step").number();
  return std::make_unique<lab::Recording>(entry_of(*measure).build(*measure, bodies),
                                          std::max<std::int64_t>(1, std::llround(std::min(steps, 1e15))));
}

}  // namespace hardpan::scenario
