#include "hardpan/scenario/contact_materials.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/core.h>

#include "hardpan/scenario/numbers.h"
#include "hardpan/scenario/soil_materials.h"

namespace hardpan::scenario {
namespace {

constexpr std::size_t most_groups = 64;
constexpr double default_stiffness = 1e8;  // N/m

// A flat round punch of radius a on an elastic half-space: F = 2 E* a d, E* = E/(1 - nu^2) (Johnson, Contact
// Mechanics, Cambridge 1985, section 3.4).
double compliance(const Value& keys) {
  if (const Value* young = keys.find("young")) {
    const double nu = keys.at("poisson").number();
    return (1 - nu * nu) / (2 * young->number() * keys.at("contact_radius").number());
  }
  return 1 / number_or(keys, "stiffness", default_stiffness);
}

material::ContactLaw law_of(const Value& keys) {
  return {.friction = keys.at("friction").number(),
          .restitution = keys.at("restitution").number(),
          .compliance = compliance(keys),
          .relaxation_time = number_or(keys, "damping_time", 0.0),
          .rolling = keys.at("rolling_resistance").number(),
          .twisting = keys.at("twisting_resistance").number(),
          .adhesion = keys.at("adhesion").number()};
}

// Springs in series; the geometric mean of frictions; the less elastic one decides how high it bounces.
material::ContactLaw combined(const material::ContactLaw& a, const material::ContactLaw& b) {
  return {.friction = std::sqrt(a.friction * b.friction),
          .restitution = std::min(a.restitution, b.restitution),
          .compliance = a.compliance + b.compliance,
          .relaxation_time = std::max(a.relaxation_time, b.relaxation_time),
          .rolling = std::max(a.rolling, b.rolling),
          .twisting = std::max(a.twisting, b.twisting),
          .adhesion = std::sqrt(a.adhesion * b.adhesion)};
}

void change(material::ContactLaw& law, const Value& keys) {
  law.friction = number_or(keys, "friction", law.friction);
  law.restitution = number_or(keys, "restitution", law.restitution);
  if (const Value* stiffness = keys.find("stiffness")) law.compliance = 1 / stiffness->number();
  law.relaxation_time = number_or(keys, "damping_time", law.relaxation_time);
  law.rolling = number_or(keys, "rolling_resistance", law.rolling);
  law.twisting = number_or(keys, "twisting_resistance", law.twisting);
  law.adhesion = number_or(keys, "adhesion", law.adhesion);
}

std::vector<Field> law_fields() {
  return {field("friction", number().at_least(0), "Coulomb's coefficient"),
          field("restitution", number().between(0, 1), "speed of rebound over speed of impact"),
          field("stiffness", number("N/m").above(0), "of a contact point; default of a material: 1e8"),
          field("damping_time", number("s").above(0),
                "damping over stiffness; default: two steps, the least that does not ring"),
          field("rolling_resistance", number("m").at_least(0), "largest rolling moment over normal force"),
          field("twisting_resistance", number("m").at_least(0),
                "largest moment about the normal over normal force"),
          field("adhesion", number("N").at_least(0),
                "attraction of bodies and rigid grains that touch, at every contact point: so much more they "
                "press, "
                "and so much pulls them apart (soft grains: ground.force.adhesion)")};
}

std::vector<std::string> group_names(const Value& scenario) {
  std::set<std::string> names;
  for (const Value::Entry& body : scenario.at("bodies").entries())
    for (const char* key : {"groups", "passes_through"})
      if (const Value* list = body.value.find(key))
        for (const Value& name : list->items()) names.insert(name.text());
  return {names.begin(), names.end()};
}

std::uint64_t bits(const Value* list, const std::vector<std::string>& names) {
  std::uint64_t sum = 0;
  if (list)
    for (const Value& name : list->items())
      sum |= std::uint64_t{1} << (std::find(names.begin(), names.end(), name.text()) - names.begin());
  return sum;
}

}  // namespace

Object material_object() {
  std::vector<Field> fields = law_fields();
  const auto give = [&](const char* name, double value) {
    for (Field& f : fields)
      if (f.name == name) f = f.by_default(Value(value));
  };
  give("friction", 0.5);
  give("restitution", 0.0);
  give("rolling_resistance", 0.0);
  give("twisting_resistance", 0.0);
  give("adhesion", 0.0);
  fields.push_back(
      field("density", number("kg/m^3").above(0), "of the solid stuff: grains of a ground need it"));
  fields.push_back(field("young", number("Pa").above(0), "Young's modulus, instead of stiffness"));
  fields.push_back(field("poisson", number().between(0, 0.5), "Poisson's ratio").by_default(Value(0.3)));
  fields.push_back(field("contact_radius", number("m").above(0),
                         "a contact point is as stiff as a flat round punch of this radius")
                       .by_default(Value(0.01)));
  fields.push_back(field("soil", object(soil_object()), "what it is inside, where it is soil"));
  return {
      .name = "material",
      .doc =
          "A surface. Where two materials meet, friction and adhesion are the geometric means, restitution "
          "the smaller one, and their springs act in series; `contacts` may say otherwise for a pair.",
      .fields = std::move(fields),
      .groups = {at_most_one({{"stiffness"}, {"young", "poisson", "contact_radius"}}),
                 needs("poisson", {"young"}), needs("contact_radius", {"young"}), needs("soil", {"young"})},
      .check = check_soil};
}

Object contact_object() {
  return {.name = "contact",
          .doc = "What differs for a pair of materials from what follows from the two.",
          .fields = std::vector<Field>{field("between", list_of(reference("materials"), 2, 2),
                                             "the two materials, or one twice")
                                           .must()} +
                    law_fields()};
}

std::vector<Field> contact_fields_of_body() {
  const Type names = list_of(text().not_empty()).all_distinct();
  return {
      field("material", reference("materials"),
            "of its surface; a body without material touches nothing, and its shape is for the eye and for "
            "the inertia"),
      field("groups", names, "collision groups that it belongs to"),
      field("passes_through", names, "collision groups that it does not touch")};
}

void check_contacts(const Value& scenario, Complain& complain) {
  std::set<std::pair<std::string, std::string>> seen;
  const auto& contacts = scenario.at("contacts").items();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const auto& between = contacts[i].at("between").items();
    if (!seen.insert(std::minmax(between[0].text(), between[1].text())).second)
      complain.inside("contacts")
          .inside(i)("between",
                     fmt::format("the pair {} and {} is given twice", between[0].text(), between[1].text()));
  }
  std::set<std::string> groups;
  for (const Value::Entry& body : scenario.at("bodies").entries())
    if (const Value* list = body.value.find("groups"))
      for (const Value& name : list->items()) groups.insert(name.text());
  for (const Value::Entry& body : scenario.at("bodies").entries()) {
    Complain of_body = complain.inside("bodies").inside(body.key);
    const bool shaped = body.value.find("shape") || body.value.find("shapes");
    if (body.value.find("material") && !shaped)
      of_body("material", "a body without shape touches nothing: it would be ignored");
    for (const char* key : {"groups", "passes_through"})
      if (body.value.find(key) && !body.value.find("material"))
        of_body(key, "a body without material touches nothing: it would be ignored");
    if (const Value* list = body.value.find("passes_through"))
      for (const Value& name : list->items())
        if (!groups.contains(name.text()))
          of_body("passes_through", fmt::format("no body belongs to a group '{}'", name.text()));
  }
  if (group_names(scenario).size() > most_groups)
    complain("bodies", fmt::format("there are {} collision groups; at most {} are allowed",
                                   group_names(scenario).size(), most_groups));
}

couple::ContactModel contact_model(const Value& scenario, const multibody::Model& bodies) {
  couple::ContactModel model;
  std::vector<material::ContactLaw> own;
  for (const auto& [name, place, keys] : scenario.at("materials").entries()) {
    model.materials.push_back(name);
    own.push_back(law_of(keys));
  }
  const std::size_t n = own.size();
  const auto index = [&](const Value& name) {
    return static_cast<std::size_t>(std::find(model.materials.begin(), model.materials.end(), name.text()) -
                                    model.materials.begin());
  };
  for (const material::ContactLaw& a : own)
    for (const material::ContactLaw& b : own) model.laws.push_back(combined(a, b));
  for (const Value& contact : scenario.at("contacts").items()) {
    const std::size_t a = index(contact.at("between").items()[0]),
                      b = index(contact.at("between").items()[1]);
    change(model.laws[a * n + b], contact);
    model.laws[b * n + a] = model.laws[a * n + b];
  }

  const std::vector<std::string> groups = group_names(scenario);
  std::size_t i = 0;
  for (const auto& [name, place, keys] : scenario.at("bodies").entries()) {
    const multibody::BodyId id(i);
    const multibody::Body& body = bodies.bodies[i++];
    const Value* of = keys.find("material");
    if (!of) continue;
    for (const geometry::PlacedShape& placed : body.shapes)
      model.surfaces.push_back({id, placed, index(*of), bits(keys.find("groups"), groups),
                                bits(keys.find("passes_through"), groups)});
  }
  const auto hold_together = [&](const auto& pool) {
    for (const auto& joint : pool)
      if (joint.ends.a.valid() && joint.ends.b.valid())
        model.strangers.emplace_back(std::minmax(joint.ends.a.index(), joint.ends.b.index()));
  };
  std::apply([&](const auto&... pools) { (hold_together(pools), ...); }, bodies.joints);
  std::sort(model.strangers.begin(), model.strangers.end());
  return model;
}

}  // namespace hardpan::scenario
