#include "hardpan/scenario/language.h"

#include <algorithm>

#include "hardpan/scenario/contact_materials.h"
#include "hardpan/scenario/coupling_kinds.h"
#include "hardpan/scenario/experiment_kinds.h"
#include "hardpan/scenario/ground.h"
#include "hardpan/scenario/initial.h"
#include "hardpan/scenario/joint_kinds.h"
#include "hardpan/scenario/language_checks.h"
#include "hardpan/scenario/measure_kinds.h"
#include "hardpan/scenario/placement.h"
#include "hardpan/scenario/shape_kinds.h"
#include "hardpan/scenario/solid.h"

namespace hardpan::scenario {
namespace {

Value zero() { return Value::numbers({0, 0, 0}); }

Object time_object() {
  return {.name = "time",
          .doc = "How long and how finely to simulate.",
          .fields = {field("end", number("s").above(0), "simulated time at which the run ends").must(),
                     field("step", number("s").above(0), "length of a time step").by_default(Value(1e-3))},
          .check = check_time};
}

Object solver_object() {
  return {
      .name = "solver",
      .doc = "How the equations of a step are solved, and how stiff rigid joints are.",
      .fields =
          {
              field(
                  "kind", choice({"direct", "newton", "pgs", "split", "apgd"}),
                  "direct: factorisation and pivoting, exact; newton: descent on the convex primal function, "
                  "exact; pgs: projected Gauss-Seidel, for many rows that need not be exact; split: friction "
                  "by pgs and all else directly, in turn; apgd: accelerated projected gradients, for very "
                  "many contacts. With rigid grains the default is pgs; with bodies and a solid it is "
                  "newton, matrix_free, "
                  "with a tolerance of 1e-5")
                  .by_default(Value("direct")),
              field("friction", choice({"cone", "box", "convex"}),
                    "law of friction in contacts. cone: Coulomb's; box: each tangent by itself; convex: a "
                    "relaxation with one solution (newton, pgs, apgd), in which sliding contacts open")
                  .by_default(Value("cone")),
              field(
                  "tolerance", number().above(0),
                  "of newton when matrix-free, of pgs, split and apgd, and of all with friction in contacts: "
                  "largest "
                  "error of a row, m/s or rad/s")
                  .by_default(Value(1e-10)),
              field(
                  "force_tolerance", number("N").at_least(0),
                  "of pgs and apgd, instead of tolerance: what a step of projected descent would still "
                  "change in the force of a contact or row (DEM-C, eq. 24); 0: tolerance counts. Default: a "
                  "twentieth of the weight of the lightest rigid grain, 0 where there are none"),
              field("max_iterations", integer().at_least(0),
                    "per solve; 0: 500 (direct), 200 (newton), 2000 (pgs), 200 (split), 10000 (apgd). "
                    "Default where pgs was "
                    "chosen for rigid grains: 10000")
                  .by_default(Value(0)),
              field("matrix_free", boolean(), "newton: conjugate gradients instead of a factorisation")
                  .by_default(Value(false)),
              field("compliance", number("m/N").at_least(1e-14), "of rigid joint rows, translation")
                  .by_default(Value(1e-10)),
              field("angular_compliance", number("rad/(N m)").at_least(1e-14),
                    "of rigid joint rows, rotation")
                  .by_default(Value(1e-10)),
              field("damping_steps", number().at_least(0), "relaxation time of rigid joint rows, in steps")
                  .by_default(Value(2)),
              field("refinement", integer().between(0, 5), "steps of iterative refinement per solve")
                  .by_default(Value(1)),
              field("max_energy_growth", number().above(0),
                    "the run is called off when the step has created this multiple of the energy that went "
                    "round: the initial one plus the work of gravity and loads")
                  .by_default(Value(1.0)),
              field("max_violation", number("m").above(0),
                    "likewise when a rigid joint has come apart by more than this beyond its compliance; "
                    "default: a tenth of the extent of the jointed bodies"),
          },
      .check = check_solver};
}

Value identity() {
  Value orientation = Value::map();
  orientation.set("quaternion", Value::numbers({1, 0, 0, 0}));
  return orientation;
}

Object body_object() {
  return {
      .name = "body",
      .doc =
          "A rigid body. Its frame is the one its shapes are placed in; the centre of mass may lie "
          "elsewhere.",
      .fields =
          std::vector<Field>{
              field("mass", number("kg").above(0), "mass; a fixed body needs none"),
              field("density", number("kg/m^3").above(0), "mass follows from the volume of the shapes"),
              field("shape", shape_type(), "outline; gives the inertia unless inertia is given"),
              field("shapes", list_of(part_type(), 1),
                    "several outlines that make one body, each with a density of its own if need be; where "
                    "they "
                    "overlap, both count")
                  .as_in("bodies.shape"),
              field("inertia", vector_of({3, 6}, "kg m^2"),
                    "about the centre of mass in body axes: [Ixx, Iyy, Izz], or with the off-diagonal tensor "
                    "entries [Ixx, Iyy, Izz, Ixy, Ixz, Iyz], Ixy = -sum m x y"),
              field("centre_of_mass", vector(3, "m"),
                    "goes with inertia, body frame; default: its origin. Without inertia it follows from the "
                    "shapes"),
              field("position", vector(3, "m"), "origin of the body frame at the start, world frame")
                  .by_default(zero()),
              field("orientation", object(orientation_object()),
                    "at the start; default: body axes = world axes")
                  .by_default(identity()),
              field("velocity", vector(3, "m/s"), "of the origin of the body frame at the start")
                  .by_default(zero()),
              field("angular_velocity", vector(3, "rad/s"), "at the start, world frame").by_default(zero()),
              field("fixed", boolean(),
                    "true: the body never moves; only such a body may be a ground (plane, "
                    "height-field, open mesh)")
                  .by_default(Value(false)),
              field("appearance", choice({"solid", "glass"}), "in pictures: glass can be seen through")
                  .by_default(Value("solid"))} +
          contact_fields_of_body(),
      .groups = {exactly_one({{"mass"}, {"density"}}).unless({"fixed", "shapes"}),
                 at_most_one({{"shape"}, {"shapes"}}),
                 needs("density", {"shape"}, "a density alone has no volume").unless({"shapes"}),
                 needs("centre_of_mass", {"inertia"}),
                 at_least_one({"inertia", "shape", "shapes"},
                              "a rigid body needs one of them to have an inertia")
                     .unless({"fixed"})},
      .check = check_body};
}

Type joint_type() {
  std::vector<Object> descriptions;
  for (const JointEntry& kind : joint_kinds()) {
    descriptions.push_back(kind.description);
    descriptions.back().check = [own = kind.description.check](const Value& joint, Complain& complain) {
      check_joint(joint, complain);
      if (own) own(joint, complain);
    };
  }
  return kinds("joint", std::move(descriptions));
}

Object shaft_object() {
  return {
      .name = "shaft",
      .doc = "Something that only turns about its own axis: one speed in the same equations as the bodies.",
      .fields = {field("inertia", number("kg m^2").above(0), "moment of inertia about its axis").must(),
                 field("speed", number("rad/s"), "at the start").by_default(Value(0)),
                 field("angle", angle(), "at the start").by_default(Value(0))}};
}

Type coupling_type(const char* noun, const std::vector<CouplingEntry>& entries) {
  std::vector<Object> descriptions;
  for (const CouplingEntry& entry : entries) descriptions.push_back(entry.description);
  return kinds(noun, std::move(descriptions));
}

Type load_type() {
  const Field on = field("body", reference("bodies"), "body it acts on").must();
  const std::vector<Field> window = {
      field("from", number("s").at_least(0), "begins to act; default: the start"),
      field("until", number("s").above(0), "ceases to act; default: the end")};
  return kinds(
      "load",
      {{.name = "force",
        .doc = "A constant force on a point of a body.",
        .fields =
            std::vector<Field>{
                on, field("force", vector(3, "N"), "world frame").must(),
                field("at", vector(3, "m"), "point of application, body frame").by_default(zero())} +
            window,
        .check = check_load},
       {.name = "torque",
        .doc = "A constant torque on a body.",
        .fields = std::vector<Field>{on, field("torque", vector(3, "N m"), "world frame").must()} + window,
        .check = check_load}});
}

void add_new(std::vector<std::string>& words, const std::string& word) {
  if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
}

std::vector<std::string> field_names() {
  std::vector<std::string> words;
  for (const FieldInfo& info : field_table()) add_new(words, info.name);
  return words;
}

// With components; the bare names are there so that check_expectation can say which component to add.
std::vector<std::string> field_and_component_names() {
  std::vector<std::string> words = field_names();
  for (const FieldInfo& info : field_table())
    for (const Component& component : info.components)
      if (!component.name.empty()) add_new(words, info.name + "." + component.name);
  return words;
}

Field of() {
  return field("of", text().not_empty(),
               "body, joint, shaft, coupling or motor; none for fields of the whole system");
}

Field against() {
  return field("against", reference("bodies", {"grains", "solid"}),
               "of contact_force: what this other body, the grains or the solid exert, and no other");
}

Object output_object() {
  return {
      .name = "output",
      .doc = "Something to record.",
      .fields = {field("field", choice(field_names()), "what to record").must(), of(), against(),
                 field("every", number("s").above(0), "simulated time between records; all curves share one")
                     .by_default(Value(0.01))
                     .by_default_when("field", "checkpoint", Value(1.0))},
      .check = check_output};
}

Object expectation_object() {
  return {
      .name = "expectation",
      .doc = "A result the run must reproduce: it makes the scenario a test.",
      .fields = {field("name", text().not_empty(), "of the metric in the results"),
                 field("field", choice(field_and_component_names()),
                       "what to look at, with its component: position.x"),
                 field("metric", text().not_empty(), "one of the metrics of measure, instead of field"), of(),
                 against(),
                 field("reduce",
                       choice({"at", "final", "max", "min", "mean", "rms", "range", "period", "max_abs"}),
                       "how the series becomes one number")
                     .by_default(Value("final"))
                     .by_default_when("at", Value("at")),
                 field("at", number("s").at_least(0), "time of 'reduce: at'"),
                 field("between", vector(2), "[lowest, highest] accepted value, in the unit of the field"),
                 field("equals", number(), "expected value, in the unit of the field"),
                 field("tolerance", number().at_least(0), "largest accepted |value - equals|"),
                 field("halvings", integer().between(0, 8), "runs repeated with the step halved this often")
                     .by_default(Value(0)),
                 field("order", number().above(0), "least observed order of convergence over the halvings"),
                 field("source", text().not_empty(), "where the expected value comes from").must()},
      .groups = {exactly_one({{"field"}, {"metric"}}), exactly_one({{"between"}, {"equals", "tolerance"}}),
                 needs("equals", {"tolerance"}), needs("tolerance", {"equals"})},
      .check = check_expectation};
}

Object make_language() {
  const std::vector<std::string> reserved = {"world", "system", "grains", "solid"};
  return {
      .name = "scenario",
      .doc =
          "One simulation: what there is, how it is computed, what to record and what to expect. SI units; "
          "angles carry their unit in the key (_deg or _rad); vectors are [x, y, z] with z up. A file can "
          "build on others: "
          "'include: other.yaml', or a list of them, relative to the file; maps merge key by key, the "
          "including "
          "file wins, lists are replaced. On the command line --set a.b.0=value changes one value.",
      .fields =
          {field("hardpan", integer().between(1, 1), "version of the scenario format").must(),
           field("title", text(), "one line for reports").by_default(Value("")),
           field("seed", integer().at_least(0), "of all random numbers: where grains lie at the start")
               .by_default(Value(0)),
           field("gravity", vector(3, "m/s^2"), "acceleration of free fall")
               .by_default(Value::numbers({0, 0, -9.81})),
           field("time", object(time_object()), "how long and how finely to simulate").must(),
           field("solver", object(solver_object()), "how a step is solved").by_default(Value::map()),
           field("bodies", map_of(object(body_object())).reserving(reserved), "rigid bodies by name")
               .by_default(Value::map()),
           field("materials", map_of(object(material_object())).reserving(reserved),
                 "surfaces, by name: bodies with a material touch each other")
               .by_default(Value::map()),
           field("contacts", list_of(object(contact_object())), "pairs of materials that differ")
               .by_default(Value::list()),
           field("ground", object(ground_object()), "soil"),
           field("solid", object(solid_object()), "a block that deforms"),
           field("joints", map_of(joint_type()).reserving(reserved), "what holds bodies together, by name")
               .by_default(Value::map()),
           field("shafts", map_of(object(shaft_object())).reserving(reserved),
                 "one-dimensional inertias, by name")
               .by_default(Value::map()),
           field("couplings", map_of(coupling_type("coupling", coupling_kinds())).reserving(reserved),
                 "gears, clutches and springs between shafts and joints, by name")
               .by_default(Value::map()),
           field("motors", map_of(coupling_type("motor", motor_kinds())).reserving(reserved),
                 "what drives shafts and joints, by name")
               .by_default(Value::map()),
           field("loads", map_of(load_type()).reserving(reserved), "forces and torques, by name")
               .by_default(Value::map()),
           field("experiment", experiment_type(),
                 "short for a whole scenario: it becomes bodies, ground, measure and all the rest, on which "
                 "the "
                 "other keys lie (describe --expanded shows it)"),
           field("initial", object(initial_object()), "where the run begins"),
           field("measure", measure_type(), "what is read off the run, and the metrics that follow"),
           field("outputs", list_of(object(output_object())), "what to record").by_default(Value::list()),
           field("expect", list_of(object(expectation_object())), "what must come out")
               .by_default(Value::list())},
      .check = check_scenario,
      .later = {"vehicle"}};
}

}  // namespace

const Object& language() {
  static const Object description = make_language();
  return description;
}

}  // namespace hardpan::scenario
