// Measurements on solids.
#include <fmt/core.h>

#include "hardpan/lab/beam_bending.h"
#include "hardpan/lab/cone_penetrometer.h"
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

void check_reads(const Value& keys, Complain& complain) {
  if (!complain.root().find("solid")) return complain("", "there is no solid to measure");
  double last = -1;
  for (const Value& read : keys.at("reads").items()) {
    if (read.number() <= last) return complain("reads", "times must rise");
    last = read.number();
  }
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

MeasureEntry beam_bending_entry() {
  return {
      {.name = "beam-bending",
       .doc = "A beam on two supports, along x, pressed down in its middle: means over cross-sections.",
       .fields = {body("press", "what presses it down"),
                  field("supports", vector(2, "m"), "where they are along x").must(),
                  field("middle", number("m"), "where it is pressed, along x").must(),
                  field("from", number("s").at_least(0), "when it lies at rest, before it is pressed").must(),
                  every()},
       .check =
           [](const Value&, Complain& complain) {
             if (!complain.root().find("solid")) complain("", "there is no solid to measure");
           }},
      [](const Value& keys, const multibody::Model& bodies) {
        const auto& supports = keys.at("supports").items();
        return lab::beam_bending({body_of(keys.at("press"), bodies),
                                  keys.at("middle").number(),
                                  {supports[0].number(), supports[1].number()},
                                  keys.at("from").number(),
                                  keys.at("every").number()});
      }};
}

MeasureEntry cone_penetrometer_entry() {
  return {
      {.name = "cone-penetrometer",
       .doc = "How deep each blow of a weight drives a cone into a solid.",
       .fields = {body("cone", "what is driven in"), body("weight", "what falls on it"),
                  field("energy", number("J").above(0), "of a blow").must(),
                  field("reads", list_of(number("s").at_least(0), 2, 1001),
                        "when its depth is read: before the first blow, and after each")
                      .must(),
                  field("window", number("s").at_least(0), "before them over which depths are means")
                      .by_default(Value(0)),
                  every()},
       .check = check_reads},
      [](const Value& keys, const multibody::Model& bodies) {
        std::vector<double> reads;
        for (const Value& read : keys.at("reads").items()) reads.push_back(read.number());
        return lab::cone_penetrometer({body_of(keys.at("cone"), bodies), body_of(keys.at("weight"), bodies),
                                       keys.at("energy").number(), std::move(reads),
                                       keys.at("window").number(), keys.at("every").number()});
      }};
}

}  // namespace hardpan::scenario
