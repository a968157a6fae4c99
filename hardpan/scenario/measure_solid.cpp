// Measurements on solids.
#include <fmt/core.h>

#include "hardpan/lab/solid_block.h"
#include "hardpan/scenario/measure_kinds.h"

namespace hardpan::scenario {
namespace {

Field plate(const char* doc) { return field("plate", text().not_empty(), doc).must(); }

void check_plate(const Value& keys, Complain& complain) {
  const Value* solid = complain.root().find("solid");
  if (!solid) return complain("", "there is no solid to measure");
  if (!solid->at("holds").find(keys.at("plate").text()))
    complain("plate", fmt::format("solid.holds has no '{}'", keys.at("plate").text()));
}

}  // namespace

MeasureEntry solid_block_entry() {
  return {
      {.name = "solid-block",
       .doc = "Strains and stresses of a solid between plates, as means over its volume.",
       .fields = {plate("name of the hold that moves"),
                  field("area", number("m^2").above(0), "of the block across its direction, at first").must(),
                  field("length", number("m").above(0), "of the block along it, at first").must(),
                  field("closed_form", choice({"none", "uniaxial", "hydrostatic"}),
                        "of St. Venant & Kirchhoff, against which the stress on the plate is judged")
                      .by_default(Value("none")),
                  every()},
       .check = check_plate},
      [](const Value& keys, const multibody::Model&) {
        using Form = lab::SolidBlockSetup::ClosedForm;
        const std::string& form = keys.at("closed_form").text();
        return lab::solid_block({keys.at("plate").text(), keys.at("area").number(),
                                 keys.at("length").number(),
                                 form == "uniaxial"      ? Form::uniaxial
                                 : form == "hydrostatic" ? Form::hydrostatic
                                                         : Form::none});
      }};
}

MeasureEntry footing_entry() {
  return {
      {.name = "footing",
       .doc = "Pressure under a plate that is pressed into a solid.",
       .fields = {plate("name of the hold that is pressed in, against its direction"),
                  field("area", number("m^2").above(0), "of the plate").must(),
                  field("share", number().above(0).between(0, 1),
                        "of it that is in the model: 0.5 where the other half is a mirror image")
                      .by_default(Value(1)),
                  every()},
       .check = check_plate},
      [](const Value& keys, const multibody::Model&) {
        return lab::footing({keys.at("plate").text(), keys.at("area").number(), keys.at("share").number()});
      }};
}

}  // namespace hardpan::scenario
