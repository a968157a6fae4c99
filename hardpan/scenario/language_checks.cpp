#include "hardpan/scenario/language_checks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <Eigen/Eigenvalues>
#include <fmt/core.h>

#include "hardpan/core/text.h"
#include "hardpan/scenario/contact_materials.h"
#include "hardpan/scenario/field_table.h"
#include "hardpan/scenario/ground.h"
#include "hardpan/scenario/measure_kinds.h"
#include "hardpan/scenario/numbers.h"
#include "hardpan/scenario/report.h"

namespace hardpan::scenario {
namespace {

// Room for the rounding of inertias that were computed elsewhere and written with limited digits.
constexpr double inertia_tolerance = 1e-9;

// Entries Ixx Iyy Izz [Ixy Ixz Iyz], divided by the largest so that nothing overflows.
Eigen::Matrix3d scaled_inertia(const std::vector<Value>& entries) {
  double largest = 0;
  for (const Value& entry : entries) largest = std::max(largest, std::abs(entry.number()));
  const auto at = [&](std::size_t i) { return i < entries.size() ? entries[i].number() / largest : 0.0; };
  Eigen::Matrix3d inertia;
  inertia << at(0), at(3), at(4), at(3), at(1), at(5), at(4), at(5), at(2);
  return inertia;
}

// Positive, and the two smaller principal values add up to at least the largest: I1 + I2 - I3 is twice the
// second moment of mass along axis 3.
std::string inertia_fault(const std::vector<Value>& entries) {
  const bool zero =
      std::all_of(entries.begin(), entries.end(), [](const Value& entry) { return entry.number() == 0; });
  if (zero) return "must be positive, got zero";
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(scaled_inertia(entries),
                                                              Eigen::EigenvaluesOnly);
  const Eigen::Vector3d principal = solver.eigenvalues();  // ascending
  if (!(principal[0] > 0)) return "must be positive about every axis";
  if (principal[0] + principal[1] < principal[2] * (1 - inertia_tolerance))
    return fmt::format(
        "no body has it: the largest principal value may not exceed the sum of the others (they stand as "
        "{:.6g} : {:.6g} : {:.6g})",
        principal[0], principal[1], principal[2]);
  return {};
}

std::vector<std::string> names_of(const Value& map) {
  std::vector<std::string> names;
  for (const Value::Entry& entry : map.entries()) names.push_back(entry.key);
  return names;
}

// Recorded apart from the curves of series.csv, each with an `every` of its own.
bool is_curve(const Value& output) {
  const std::string& field = output.at("field").text();
  return field != "frames" && field != "checkpoint";
}

bool never_moves(const Value& scenario, const std::string& body) {
  return body == "world" || scenario.at("bodies").at(body).at("fixed").boolean();
}

struct Section {
  const char* key;
  Subject subject;
};
constexpr Section sections[] = {{"bodies", Subject::body},
                                {"joints", Subject::joint},
                                {"shafts", Subject::shaft},
                                {"couplings", Subject::coupling},
                                {"motors", Subject::coupling}};

// The table entry an output or expectation means, or nothing after a complaint.
const FieldInfo* observed_of_system(const std::string& name, Complain& complain) {
  if (const FieldInfo* info = find_field(name, Subject::system)) return info;
  std::vector<std::string> nouns;
  for (const Subject subject : {Subject::body, Subject::joint, Subject::shaft, Subject::coupling})
    if (find_field(name, subject)) nouns.emplace_back(noun(subject));
  complain("field", fmt::format("'{}' needs 'of': the name of a {}", name, join(nouns, " or a ")));
  return nullptr;
}

// What may be said of a field whose `of` is unknown: names of things that have it.
void complain_unknown(const std::string& name, const std::string& of, Complain& complain) {
  std::vector<std::string> nouns, names;
  for (const Section& section : sections) {
    if (!find_field(name, section.subject)) continue;
    const std::string word(noun(section.subject));
    if (nouns.empty() || nouns.back() != word) nouns.push_back(word);
    for (const std::string& known : names_of(complain.root().at(section.key))) names.push_back(known);
  }
  if (nouns.empty())
    complain("of", fmt::format("'{}' belongs to the whole system: 'of' would be ignored", name));
  else
    complain("of", unknown_name(join(nouns, " or "), of, names));
}

const FieldInfo* observed_of_thing(const std::string& name, const std::string& of, Complain& complain) {
  for (const Section& section : sections) {
    const Value* thing = complain.root().at(section.key).find(of);
    if (!thing) continue;
    const FieldInfo* info = find_field(name, section.subject);
    if (!info) break;
    if (info->kinds.empty()) return info;
    const std::string& kind = thing->at("kind").text();
    if (std::find(info->kinds.begin(), info->kinds.end(), kind) != info->kinds.end()) return info;
    complain("field", fmt::format("'{}' belongs to {}s of kind {}; '{}' is of kind {}", name,
                                  section.key == std::string("motors")   ? "motor"
                                  : section.subject == Subject::coupling ? "coupling"
                                                                         : noun(section.subject),
                                  join(info->kinds, " and "), of, kind));
    return nullptr;
  }
  complain_unknown(name, of, complain);
  return nullptr;
}

const FieldInfo* observed(const std::string& name, const Value& object, Complain& complain) {
  const Value *of = object.find("of"), *against = object.find("against");
  if (against && name != "contact_force")
    complain("against", "'against' belongs to contact_force: it would be ignored");
  else if (against && against->text() == "grains" && !complain.root().find("ground"))
    complain("against", "there are no grains in this scenario");
  else if (against && against->text() == "solid" && !complain.root().find("solid"))
    complain("against", "there is no solid in this scenario");
  else if (against && of && against->text() == of->text())
    complain("against", "a body does not touch itself: give another one");
  if ((name == "coordination" || name == "grain_energy") && !complain.root().find("ground")) {
    complain("field", fmt::format("'{}' belongs to grains, and there is no ground in this scenario", name));
    return nullptr;
  }
  if (name == "grain_energy" && has_rigid_grains(complain.root())) {
    complain("field", "'grain_energy' belongs to model grains-penalty; 'energy' has that of rigid grains");
    return nullptr;
  }
  return of ? observed_of_thing(name, of->text(), complain) : observed_of_system(name, complain);
}

void check_component(const FieldInfo& info, const std::string& component, Complain& complain) {
  if (info.components.empty()) {
    complain("field", fmt::format("'{}' is no number that could be expected", info.name));
    return;
  }
  if (info.component(component)) return;
  std::vector<std::string> allowed;
  for (const Component& c : info.components)
    allowed.push_back(info.name + (c.name.empty() ? "" : "." + c.name));
  complain("field", fmt::format("expected one number: write {}", join(allowed, ", ")));
}

void check_reduction(const Value& expectation, Complain& complain) {
  const bool at_a_time = expectation.at("reduce").text() == "at";
  const Value* at = expectation.find("at");
  if (at_a_time && !at) complain("reduce", "'reduce: at' needs 'at', a time in s");
  if (!at_a_time && at) complain("at", "'at' belongs to 'reduce: at': it would be ignored");
  const double end = complain.root().at("time").at("end").number();
  if (at && at->number() > end)
    complain("at",
             fmt::format("must not be later than time.end, {} s; got {}", shortest(end), at->number_text()));
}

void check_metric(const Value& expectation, const std::string& metric, Complain& complain) {
  const std::vector<std::string> known = metric_names(complain.root());
  if (known.empty()) return complain("metric", "there is no 'measure' in this scenario");
  if (std::ranges::find(known, metric) == known.end())
    complain("metric", unknown_name("metric", metric, known));
  for (const char* key : {"of", "against", "at"})
    if (expectation.find(key)) complain(key, "belongs to 'field': it would be ignored");
  if (expectation.at("reduce").text() != "final")
    complain("reduce", "belongs to 'field': it would be ignored");
}

// Densities and grounds.
void check_part(const Value& body, const Value& part, Complain complain) {
  const std::string& kind = part.at("kind").text();
  if ((kind == "plane" || kind == "height-field") && !body.at("fixed").boolean())
    complain("kind", fmt::format("a {} is a ground: only a fixed body can be one (fixed: true)", kind));
  if (part.find("density") && body.find("mass"))
    complain("density", "the mass of the body is given: it would be ignored");
}

void check_parts(const Value& body, Complain& complain) {
  if (const Value* shape = body.find("shape")) return check_part(body, *shape, complain.inside("shape"));
  const Value* shapes = body.find("shapes");
  if (!shapes) return;
  bool all_dense = true;
  for (std::size_t i = 0; i < shapes->items().size(); ++i) {
    check_part(body, shapes->items()[i], complain.inside("shapes").inside(i));
    all_dense = all_dense && shapes->items()[i].find("density");
  }
  if (!all_dense && !body.find("mass") && !body.find("density") && !body.at("fixed").boolean())
    complain("", "exactly one must be given of: mass; density; a density for each of the shapes");
}

}  // namespace

void check_time(const Value& time, Complain& complain) {
  constexpr double most_steps = 1e15;  // beyond, times are no longer told apart
  const Value& step = time.at("step");
  const Value& end = time.at("end");
  if (end.number() / step.number() > most_steps)
    complain("step", fmt::format("makes {:.3g} steps of a run of {} s: at most {:g} are possible",
                                 end.number() / step.number(), end.number_text(), most_steps));
  if (step.number() > end.number())
    complain("step",
             fmt::format("must not be longer than end, {} s; got {}", end.number_text(), step.number_text()));
}

void check_solver(const Value& solver, Complain& complain) {
  if (solver.at("matrix_free").boolean() && solver.at("kind").text() != "newton")
    complain("matrix_free", "belongs to kind newton: it would be ignored");
  const std::string& kind = solver.at("kind").text();
  if (solver.at("friction").text() == "convex" && (kind == "direct" || kind == "split"))
    complain("friction", "convex is a law for the kinds newton, pgs and apgd");
  if (solver.at("friction").text() == "box" && kind == "apgd")
    complain("friction", "box is no law for the kind apgd; allowed: cone, convex");
  if (solver.find("force_tolerance") && kind != "pgs" && kind != "apgd")
    complain("force_tolerance", "belongs to the kinds pgs and apgd: it would be ignored");
}

void check_body(const Value& body, Complain& complain) {
  check_parts(body, complain);
  if (body.find("mass") && body.find("density"))
    complain("density", "the mass is given: it would be ignored");
  for (const char* key : {"velocity", "angular_velocity"})
    if (body.at("fixed").boolean() && !vec3(body.at(key)).isZero(0))
      complain(key, "a fixed body does not move: it would be ignored");
  const Value* inertia = body.find("inertia");
  if (!inertia) return;
  const std::string fault = inertia_fault(inertia->items());
  if (!fault.empty()) complain("inertia", fault);
}

void check_joint(const Value& joint, Complain& complain) {
  const auto& between = joint.at("between").items();
  if (never_moves(complain.root(), between[0].text()) && never_moves(complain.root(), between[1].text()))
    complain("between", "neither end can move: the joint would be ignored");
}

void check_load(const Value& load, Complain& complain) {
  if (never_moves(complain.root(), load.at("body").text()))
    complain("body", fmt::format("'{}' is fixed: the load would be ignored", load.at("body").text()));
  const double end = complain.root().at("time").at("end").number();
  if (const Value* begin = load.find("from"); begin && begin->number() >= end)
    complain("from", fmt::format("must be earlier than time.end, {} s; got {}: the load would be ignored",
                                 shortest(end), begin->number_text()));
  const Value* from = load.find("from");
  const Value* until = load.find("until");
  if (from && until && from->number() >= until->number())
    complain("until",
             fmt::format("must be later than from, {} s; got {}", from->number_text(), until->number_text()));
}

void check_output(const Value& output, Complain& complain) {
  observed(output.at("field").text(), output, complain);
  const Value& every = output.at("every");
  const double step = complain.root().at("time").at("step").number();
  if (every.number() < step * (1 - 1e-6))  // room for the rounding of a step that was divided
    complain("every", fmt::format("must not be shorter than time.step, {} s; got {} (its default is 0.01)",
                                  shortest(step), every.number_text()));
  if (!is_curve(output)) return;
  const Value* measure = complain.root().find("measure");
  if (output.at("field").text() == "measure") {
    if (!measure)
      complain("field", "there is no 'measure' in this scenario");
    else if (measure->at("every").number() != every.number())
      complain("every", fmt::format("must be that of measure, {} s; got {}",
                                    measure->at("every").number_text(), every.number_text()));
  }
  const auto& outputs = complain.root().at("outputs").items();
  const auto first = std::find_if(outputs.begin(), outputs.end(), is_curve);
  if (first->at("every").number() != every.number())
    complain("every",
             fmt::format(
                 "all curves are rows of one table and need the same 'every': the first one has {} s; got {}",
                 first->at("every").number_text(), every.number_text()));
}

void check_expectation(const Value& expectation, Complain& complain) {
  if (const Value* metric = expectation.find("metric")) {
    check_metric(expectation, metric->text(), complain);
  } else {
    const auto [name, component] = split_component(expectation.at("field").text());
    if (const FieldInfo* info = observed(name, expectation, complain))
      check_component(*info, component, complain);
    check_reduction(expectation, complain);
  }
  if (const Value* between = expectation.find("between"))
    if (between->items()[0].number() > between->items()[1].number())
      complain("between", "expected [low, high] with low not above high");
  if (const Value* order = expectation.find("order"); order && expectation.at("halvings").integer() < 2)
    complain("order", "an observed order of convergence needs at least 2 halvings");
}

void check_scenario(const Value& scenario, Complain& complain) {
  // `of` finds a thing by its name alone.
  for (std::size_t later = 1; later < std::size(sections); ++later)
    for (const Value::Entry& thing : scenario.at(sections[later].key).entries())
      for (std::size_t earlier = 0; earlier < later; ++earlier)
        if (scenario.at(sections[earlier].key).find(thing.key))
          complain.inside(sections[later].key)(
              thing.key,
              fmt::format("the name stands in {} too: bodies, joints, shafts, couplings and motors "
                          "share their names",
                          sections[earlier].key));

  check_contacts(scenario, complain);

  // Two rigid motors on one coordinate would fight without end.
  std::set<std::string> driven;
  for (const Value::Entry& motor : scenario.at("motors").entries()) {
    const std::string& kind = motor.value.at("kind").text();
    const bool rigid = (kind == "speed" || kind == "position") && !motor.value.find("max_force") &&
                       !motor.value.find("max_force_curve") && !motor.value.find("stiffness");
    if (rigid && !driven.insert(motor.value.at("coordinate").text()).second)
      complain.inside("motors").inside(motor.key)(
          "coordinate", fmt::format("another motor without max_force drives '{}' already",
                                    motor.value.at("coordinate").text()));
  }

  const auto& expectations = scenario.at("expect").items();
  std::set<std::string> names;
  for (std::size_t i = 0; i < expectations.size(); ++i)
    if (const Value* name = expectations[i].find("name"); name && !names.insert(name->text()).second)
      complain.inside("expect").inside(i)("name",
                                          fmt::format("two expectations have the name '{}'", name->text()));

  const auto& outputs = scenario.at("outputs").items();
  std::set<std::array<std::string, 3>> recorded;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Value *of = outputs[i].find("of"), *against = outputs[i].find("against");
    const std::string& field = outputs[i].at("field").text();
    if (!recorded.insert({field, of ? of->text() : "", against ? against->text() : ""}).second)
      complain.inside("outputs").inside(i)(
          "field", fmt::format("'{}' may stand once{}", field, of ? " per thing" : ""));
  }
}

}  // namespace hardpan::scenario
