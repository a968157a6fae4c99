#include "hardpan/scenario/soil_materials.h"

#include <string>
#include <string_view>

#include "hardpan/core/error.h"

namespace hardpan::scenario {
namespace {

material::SoilParameters parameters_of(const Value& material) {
  material::SoilParameters p;
  p.young = material.at("young").number();
  p.poisson = material.at("poisson").number();
  const Value* soil = material.find("soil");
  p.plastic = soil != nullptr;
  if (!soil) return p;
  p.friction_angle = find_angle(*soil, "friction_angle").value();
  p.dilation_angle = find_angle(*soil, "dilation_angle").value_or(p.friction_angle);
  p.cohesion = soil->at("cohesion").number();
  if (const Value* tension = soil->find("tension")) {
    p.tension_cap = true;
    p.tension = tension->number();
  }
  if (const Value* cap = soil->find("cap")) {
    p.compression_cap = true;
    p.cap_ratio = cap->at("ratio").number();
    p.cap_start = cap->at("start").number();
    p.hardening_rate = cap->at("hardening").number();
    p.max_compaction = cap->at("compaction").number();
  }
  return p;
}

Object cap_object() {
  return {.name = "cap",
          .doc = "Where soil yields under pressure: half an ellipse that moves out as the soil compacts.",
          .fields = {
              field("ratio", number().above(0), "half axis along I1 over that along sqrt(J2)").must(),
              field("start", number("Pa"), "I1 at its end at first, below 0 in compression").must(),
              field("hardening", number("1/Pa").above(0), "D in kappa = start + ln(1 + tr(e_p)/W)/D").must(),
              field("compaction", number().strictly_between(0, 1), "W, the largest loss of volume").must()}};
}

// What material::fault_of calls them, and where they stand in `soil`.
struct Name {
  std::string_view of_law, of_soil, of_cap;
};
constexpr Name names[] = {{"friction_angle", "friction_angle", ""},
                          {"dilation_angle", "dilation_angle", ""},
                          {"cohesion", "cohesion", ""},
                          {"tension", "tension", ""},
                          {"cap_ratio", "cap", "ratio"},
                          {"cap_start", "cap", "start"},
                          {"hardening_rate", "cap", "hardening"},
                          {"max_compaction", "cap", "compaction"}};

std::string as_written(const Value& soil, std::string_view key) {
  for (const char* unit : {"_deg", "_rad"})
    if (const std::string whole = std::string(key) + unit; soil.find(whole)) return whole;
  return std::string(key);
}

}  // namespace

Object soil_object() {
  return {
      .name = "soil",
      .doc =
          "Soil as a solid: elastic by young and poisson, plastic beyond the cone of Drucker & Prager, with "
          "smooth caps where they are given (docs/models/soil-laws.md). 'hardpan material FILE' draws it.",
      .fields = {field("friction_angle", angle(), "phi, of the cone that fits triaxial compression").must(),
                 field("dilation_angle", angle(),
                       "psi, how much it dilates as it shears; default: the friction angle (associated)"),
                 field("cohesion", number("Pa").at_least(0), "c; above 0 where there are caps").must(),
                 field("tension", number("Pa").above(0),
                       "I1 at the end of a round cap in tension, below the apex of the cone; default: no "
                       "such cap"),
                 field("cap", object(cap_object()), "in compression; default: none, soil does not compact")}};
}

void check_soil(const Value& material, Complain& complain) {
  const Value* soil = material.find("soil");
  if (!soil) return;
  const std::string fault = material::fault_of(parameters_of(material));
  if (fault.empty()) return;
  const std::size_t colon = fault.find(": ");
  const std::string key = fault.substr(0, colon), message = fault.substr(colon + 2);
  for (const Name& name : names) {
    if (key != name.of_law) continue;
    Complain of_soil = complain.inside("soil");
    if (name.of_cap.empty())
      of_soil(as_written(*soil, name.of_soil), message);
    else
      of_soil.inside(name.of_soil)(name.of_cap, message);
    return;
  }
  complain(key, message);
}

material::SoilLaw soil_law_of(const Value& material) {
  const material::SoilParameters parameters = parameters_of(material);
  HARDPAN_CHECK(material::fault_of(parameters).empty(), "a material that was not checked");
  return material::SoilLaw(parameters);
}

}  // namespace hardpan::scenario
