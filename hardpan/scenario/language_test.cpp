#include "hardpan/scenario/language.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "hardpan/scenario/test_scenarios.h"
#include "hardpan/scenario/yaml_reader.h"

namespace hardpan::scenario {
namespace {

using testing::complete_scenario;
using testing::message_of;

Value resolved(const std::string& text) { return resolve(language(), parse_yaml(text, "f")); }

std::string error_of(const std::string& text) {
  return message_of([&] { resolved(text); });
}

// Line 1 and 2; what a case adds begins at line 3.
const std::string start = "hardpan: 1\ntime: {end: 1}\n";

std::string body(const std::string& keys) { return start + "bodies:\n  bob: {" + keys + "}\n"; }

std::string with_bob(const std::string& rest) {
  return start + "bodies: {bob: {mass: 1, shape: {kind: sphere, radius: 1}}}\n" + rest;
}

std::string joint(const std::string& keys) { return with_bob("joints:\n  j: {" + keys + "}\n"); }

std::string expectation(const std::string& keys) {
  return with_bob("expect:\n  - {source: me, " + keys + "}\n");
}

struct Bad {
  std::string text;
  const char* message;  // the first line begins with it
};

void expect_messages(const std::vector<Bad>& cases) {
  for (const Bad& bad : cases) {
    const std::string message = error_of(bad.text);
    EXPECT_EQ(message.rfind(bad.message, 0), 0u) << "expected " << bad.message << "\ngot      " << message;
  }
}

TEST(Language, RefusesWrongKeys) {
  expect_messages({
      {"time: {end: 1}\n", "f:1:1: missing key 'hardpan' (version of the scenario format)"},
      {"hardpan: 1\n", "f:1:1: missing key 'time'"},
      {"hardpan: 2\ntime: {end: 1}\n", "f:1:10: hardpan: must be 1, got 2"},
      {start + "graviti: [0, 0, 0]\n",
       "f:3:1: unknown key 'graviti' (did you mean 'gravity'?); allowed: hardpan, "},
      {start + "vehicle: {}\n", "f:3:1: 'vehicle' is not part of this version"},
      {start + "experiment: {}\n", "f:3:13: experiment: missing key 'kind'; allowed: direct-shear"},
      {start + "measure: {kind: direct-sheer}\n",
       "f:3:17: measure.kind: expected a kind of measurement, found the text 'direct-sheer' (did you mean "
       "'direct-shear'?)"},
      {start + "outputs: [{field: coordination}]\n",
       "f:3:19: outputs.0.field: 'coordination' belongs to grains, and there is no ground in this scenario"},
      {start + "outputs: [{field: measure}]\n",
       "f:3:19: outputs.0.field: there is no 'measure' in this scenario"},
      {start + "expect: [{metric: peak, between: [0, 1], source: me}]\n",
       "f:3:19: expect.0.metric: there is no 'measure' in this scenario"},
      {start + "include: x.yaml\n", "f:3:1: unknown key 'include'"},
      {"hardpan: 1\ntime: {step: 1}\n",
       "f:2:7: time: missing key 'end' (simulated time at which the run ends, s)"},
      // A misspelt key is not also a missing one.
      {body("masss: 1, inertia: [1, 1, 1]"), "f:4:9: bodies.bob: unknown key 'masss' (did you mean 'mass'?)"},
      {"hardpan: 1\ntime: {edn: 1}\n", "f:2:8: time: unknown key 'edn' (did you mean 'end'?)"},
      {"hardpan: 1\ntime: {end: 1.0e9, step: 1.0e-9}\n", "f:2:26: time.step: makes 1e+18 steps"},
      {joint("between: [world, bob], at: [0, 0, 0]"),
       "f:5:6: joints.j: missing key 'kind'; allowed: ball, hinge, "},
      {joint("kind: hing"),
       "f:5:13: joints.j.kind: expected a kind of joint, found the text 'hing' (did you mean 'hinge'?); "
       "allowed: ball"},
      {joint("kind: 3"), "f:5:13: joints.j.kind: expected a kind of joint, found the number 3"},
      {joint("kind: ball, between: [world, bob], at: [0, 0, 0], axis: [0, 0, 1]"),
       "f:5:57: joints.j: 'axis' belongs to kind hinge and slider and "},
      {joint("kind: ball, between: [world, bob], at: [0, 0, 0], points: 1"),
       "f:5:57: joints.j: 'points' belongs to kind distance and "},
  });
}

TEST(Language, RefusesWrongTypes) {
  expect_messages({
      {start + "title: 12\n", "f:3:8: title: expected text, found the number 12 (quote it to make it text)"},
      {start + "title: [a]\n", "f:3:8: title: expected text, found a list of 1"},
      {start + "seed: 1.5\n", "f:3:7: seed: must be a whole number of at most 64 bits, got 1.5"},
      {start + "seed: 99999999999999999999\n", "f:3:7: seed: must be a whole number of at most 64 bits"},
      {start + "seed: -1\n", "f:3:7: seed: must be at least 0, got -1"},
      {start + "gravity: 9.81\n",
       "f:3:10: gravity: expected a list of 3 numbers in m/s^2, found the number 9.81"},
      {start + "gravity: [0, 0]\n",
       "f:3:10: gravity: expected a list of 3 numbers in m/s^2, found a list of 2"},
      {start + "gravity: [0, 0, down]\n",
       "f:3:17: gravity.2: expected a number in m/s^2, found the text 'down'"},
      {start + "bodies: [a]\n", "f:3:9: bodies: expected a map from names to body, found a list of 1"},
      {start + "solver: fast\n", "f:3:9: solver: expected a map of keys, found the text 'fast'"},
      {start + "solver:\n", "f:3:1: solver: expected a map of keys, found nothing"},
      {start + "solver: {kind: magic}\n",
       "f:3:16: solver.kind: must be one of direct, newton, pgs, split, apgd; got 'magic'"},
      {start + "solver: {kind: apgd, friction: box}\n",
       "f:3:32: solver.friction: box is no law for the kind apgd"},
      {start + "solver: {kind: split, friction: convex}\n",
       "f:3:33: solver.friction: convex is a law for the kinds newton, pgs and apgd"},
      {start + "outputs: {field: energy}\n", "f:3:10: outputs: expected a list, found a map"},
      {body("mass: yes"), "f:4:8: bodies.bob: at least one must be given of: inertia; shape; shapes"},
      {body("mass: heavy, inertia: [1, 1, 1]"),
       "f:4:15: bodies.bob.mass: expected a number in kg, found the text 'heavy'"},
      {body("mass: 1, inertia: [1, 1, 1], fixed: yes"),
       "f:4:45: bodies.bob.fixed: expected true or false, found the text 'yes'"},
      {joint("kind: ball, between: [world], at: [0, 0, 0]"),
       "f:5:28: joints.j.between: expected a list of 2, found a list of 1"},
  });
}

TEST(Language, RefusesWrongValues) {
  expect_messages({
      {body("mass: -1, inertia: [1, 1, 1]"), "f:4:15: bodies.bob.mass: must be greater than 0 kg, got -1"},
      {body("mass: 0.0, inertia: [1, 1, 1]"), "f:4:15: bodies.bob.mass: must be greater than 0 kg, got 0.0"},
      {start + "solver: {refinement: 6}\n", "f:3:22: solver.refinement: must be between 0 and 5, got 6"},
      {"hardpan: 1\ntime: {end: 1, step: 2}\n", "f:2:22: time.step: must not be longer than end, 1 s; got 2"},
      {body("mass: 1, shape: {kind: box, size: [1, 0, 1]}"),
       "f:4:47: bodies.bob.shape.size.1: must be greater than 0 m, got 0"},
      {start + "bodies:\n  9bob: {mass: 1, inertia: [1, 1, 1]}\n", "f:4:3: bodies: '9bob' is not a name"},
      {start + "bodies:\n  world: {mass: 1, inertia: [1, 1, 1]}\n",
       "f:4:3: bodies: the name 'world' is reserved"},
      {joint("kind: hinge, between: [world, bob], at: [0, 0, 0], axis: [0, 0, 0]"),
       "f:5:64: joints.j.axis: must not be zero"},
      {joint("kind: ball, between: [bob, bob], at: [0, 0, 0]"),
       "f:5:34: joints.j.between: the entries must differ, found twice the text 'bob'"},
      {joint("kind: ball, between: [world, bobb], at: [0, 0, 0]"),
       "f:5:36: joints.j.between.1: no body named 'bobb' (did you mean 'bob'?); known: world, bob"},
      {joint("kind: distance, between: [world, bob], points: [[1, 0, 0], [1, 0, 0]]"),
       "f:5:54: joints.j.points: the two points coincide"},
      {joint("kind: spring, between: [world, bob], points: [[1, 0, 0], [0, 0, 0]], stiffness: 0"),
       "f:5:87: joints.j.stiffness: stiffness and damping are both 0"},
      {with_bob("loads:\n  l: {kind: force, body: world, force: [0, 0, 1]}\n"),
       "f:5:26: loads.l.body: no body named 'world'"},
      {with_bob("loads:\n  l: {kind: torque, body: bob, torque: [0, 0, 1], from: 0.2, until: 0.1}\n"),
       "f:5:69: loads.l.until: must be later than from, 0.2 s; got 0.1"},
      {with_bob("loads:\n  l: {kind: torque, body: bob, torque: [0, 0, 1], from: 20}\n"),
       "f:5:57: loads.l.from: must be earlier than time.end, "},
      {start + "bodies:\n  wall: {mass: 1, inertia: [1, 1, 1], fixed: true, velocity: [0, 0, 1]}\n",
       "f:4:62: bodies.wall.velocity: a fixed body does not move: it would be ignored"},
      {start + "bodies:\n  wall: {mass: 1, inertia: [1, 1, 1], fixed: true}\njoints:\n"
               "  j: {kind: ball, between: [world, wall], at: [0, 0, 0]}\n",
       "f:6:28: joints.j.between: neither end can move: the joint would be ignored"},
      {start + "bodies:\n  wall: {mass: 1, inertia: [1, 1, 1], fixed: true}\nloads:\n"
               "  l: {kind: force, body: wall, force: [0, 0, 1]}\n",
       "f:6:26: loads.l.body: 'wall' is fixed: the load would be ignored"},
      {joint("kind: hinge, between: [world, bob], at: [0, 0, 0], axis: [0, 0, 1], rest_deg: 3"),
       "f:5:85: joints.j.rest_deg: belongs to a stiffness, which is 0: it would be ignored"},
  });
}

TEST(Language, RefusesWrongGroupsAndAngles) {
  const std::string rest = "mass: 1, inertia: [1, 1, 1], orientation: ";
  expect_messages({
      {body("mass: 1, density: 1, shape: {kind: sphere, radius: 1}"),
       "f:4:8: bodies.bob: exactly one must be given of: mass; density"},
      {body("density: 1, inertia: [1, 1, 1]"),
       "f:4:8: bodies.bob: 'density' needs 'shape' (a density alone has no volume)"},
      {body("mass: 1"),
       "f:4:8: bodies.bob: at least one must be given of: inertia; shape; shapes (a rigid body needs one"},
      {body(rest + "{axis: [0, 0, 1], angle: 3}"),
       "f:4:69: bodies.bob.orientation: 'angle' needs its unit: write angle_deg or angle_rad"},
      {body(rest + "{axis: [0, 0, 1]}"), "f:4:51: bodies.bob.orientation: 'axis' needs 'angle_(deg|rad)'"},
      {body(rest + "{axis: [0, 0, 1], angle_deg: 3, angle: 3}"),
       "f:4:83: bodies.bob.orientation: 'angle' needs its unit: write angle_deg or angle_rad"},
      {body(rest + "{axis: [0, 0, 1], angle_deg: 3, angle_rad: 3}"),
       "f:4:51: bodies.bob.orientation: give only one of: angle_deg; angle_rad"},
      {body(rest + "{quaternion: [1, 0, 0, 0], yaw_deg: 3}"),
       "f:4:51: bodies.bob.orientation: exactly one must be given of: quaternion; axis + angle_(deg|rad); "
       "yaw_"},
      {body(rest + "{}"), "f:4:51: bodies.bob.orientation: exactly one must be given of"},
      {body(rest + "{quaternion: [0, 0, 0, 0]}"),
       "f:4:64: bodies.bob.orientation.quaternion: must not be zero"},
  });
}

TEST(Language, RefusesImpossibleInertia) {
  expect_messages({
      {body("mass: 1, inertia: [0, 0, 0]"), "f:4:27: bodies.bob.inertia: must be positive, got zero"},
      {body("mass: 1, inertia: [1, 1, -1]"), "f:4:27: bodies.bob.inertia: must be positive about every axis"},
      {body("mass: 1, inertia: [1, 1, 3]"), "f:4:27: bodies.bob.inertia: no body has it"},
      {body("mass: 1, inertia: [1, 1, 1, 2, 0, 0]"),
       "f:4:27: bodies.bob.inertia: must be positive about every axis"},
      {body("mass: 1, inertia: [1, 1, 1, 0.9, 0, 0]"), "f:4:27: bodies.bob.inertia: no body has it"},
      {body("mass: 1, inertia: [1, 1, 1, 0]"),
       "f:4:27: bodies.bob.inertia: expected a list of 3 or 6 numbers in kg m^2, found a list of 4"},
  });
  EXPECT_NO_THROW(resolved(body("mass: 1, inertia: [1, 1, 2]")));
  EXPECT_NO_THROW(resolved(body("mass: 1, inertia: [1e300, 1e300, 1e300, 1e299, 0, 0]")));
}

TEST(Language, RefusesWrongOutputsAndExpectations) {
  expect_messages({
      {with_bob("outputs: [{field: positon, of: bob}]\n"),
       "f:4:19: outputs.0.field: must be one of position, velocity"},
      {with_bob("outputs: [{field: position}]\n"),
       "f:4:19: outputs.0.field: 'position' needs 'of': the name of a body"},
      {with_bob("outputs: [{field: reaction}]\n"),
       "f:4:19: outputs.0.field: 'reaction' needs 'of': the name of a joint"},
      {with_bob("outputs: [{field: energy, of: bob}]\n"),
       "f:4:31: outputs.0.of: 'energy' belongs to the whole system"},
      {with_bob("outputs: [{field: position, of: bib}]\n"),
       "f:4:33: outputs.0.of: no body named 'bib' (did you mean 'bob'?); known: bob"},
      {with_bob("outputs: [{field: reaction, of: bob}]\n"),
       "f:4:33: outputs.0.of: no joint named 'bob'; known: none"},
      {with_bob("joints: {j: {kind: ball, between: [world, bob], at: [0, 0, 0]}}\noutputs: [{field: length, "
                "of: j}]\n"),
       "f:5:19: outputs.0.field: 'length' belongs to joints of kind distance and line and spring; 'j' is of "
       "kind "
       "ball"},
      {expectation("field: position, of: bob, between: [0, 1]"),
       "f:5:25: expect.0.field: expected one number: write position.x, position.y, position.z"},
      {expectation("field: momentum.angular_x, of: bob, between: [0, 1]"),
       "f:5:25: expect.0.field: expected one number"},
      {expectation("field: frames, between: [0, 1]"), "f:5:25: expect.0.field: 'frames' is no number"},
      {expectation("field: energy.lost"),
       "f:5:5: expect.0: exactly one must be given of: between; equals + tolerance"},
      {expectation("field: energy.lost, equals: 1"), "f:5:5: expect.0: 'equals' needs 'tolerance'"},
      {expectation("field: energy.lost, between: [2, 1]"), "f:5:47: expect.0.between: expected [low, high]"},
      {expectation("field: energy.lost, between: [0, 1], reduce: at"),
       "f:5:63: expect.0.reduce: 'reduce: at' needs 'at'"},
      {expectation("field: energy.lost, between: [0, 1], reduce: max, at: 1"),
       "f:5:72: expect.0.at: 'at' belongs to"},
      {expectation("field: energy.lost, between: [0, 1], at: 2"),
       "f:5:59: expect.0.at: must not be later than time.end"},
      {expectation("field: energy.lost, between: [0, 1], order: 2"),
       "f:5:62: expect.0.order: an observed order"},
      {with_bob("expect: [{field: energy.lost, between: [0, 1], source: \"\"}]\n"),
       "f:4:56: expect.0.source: must not be empty"},
      {with_bob("expect:\n- {name: a, field: energy.lost, between: [0, 1], source: b}\n"
                "- {name: a, field: energy.work, between: [0, 1], source: b}\n"),
       "f:6:10: expect.1.name: two expectations have the name 'a'"},
      {with_bob("outputs: [{field: energy}, {field: position, of: bob, every: 0.02}]\n"),
       "f:4:62: outputs.1.every: all curves are rows of one table"},
      {with_bob("outputs: [{field: frames, every: 1.0e-4}]\n"),
       "f:4:34: outputs.0.every: must not be shorter than time.step, 0.001 s; got 1.0e-4"},
      {with_bob("outputs: [{field: frames}, {field: frames}]\n"),
       "f:4:36: outputs.1.field: 'frames' may stand once"},
      {with_bob("joints:\n  bob: {kind: ball, between: [world, bob], at: [0, 0, 0]}\n"),
       "f:5:8: joints.bob: the name stands in bodies too"},
  });
}

TEST(Language, ReportsManyErrorsInTheOrderOfTheFile) {
  const std::string two = error_of("hardpan: 1\ntime: {end: -1}\nseed: x\ngravty: 3\n");
  EXPECT_EQ(two.rfind("f:2:13: time.end: must be greater than 0 s, got -1\nf:3:7: seed: ", 0), 0u) << two;
  std::string many = start;
  for (int i = 0; i < 100; ++i) many += fmt::format("wrong{}: 1\n", i);
  const std::string message = error_of(many);
  EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 20);
  EXPECT_NE(message.find("only the first 20 errors"), std::string::npos);
}

TEST(Language, AComplaintIsOneLineOfSaneLength) {
  const std::string odd = error_of(start + "\"a\\nb\\e[1m\": 1\n");
  EXPECT_EQ(odd.rfind("f:3:1: unknown key 'a?b?[1m'", 0), 0u) << odd;
  EXPECT_EQ(odd.find('\n'), std::string::npos);
  EXPECT_LT(error_of(start + "solver: {kind: " + std::string(100'000, 'x') + "}\n").size(), 3'000u);
}

TEST(Language, FillsInDefaults) {
  const Value scenario = resolved(with_bob(""));
  EXPECT_EQ(scenario.at("gravity"), Value::numbers({0, 0, -9.81}));
  EXPECT_EQ(scenario.at("time").at("step").number(), 1e-3);
  EXPECT_EQ(scenario.at("solver").at("refinement").integer(), 1);
  const Value& bob = scenario.at("bodies").at("bob");
  EXPECT_EQ(bob.at("orientation").at("quaternion"), Value::numbers({1, 0, 0, 0}));
  EXPECT_FALSE(bob.at("orientation").find("yaw_deg"));
  EXPECT_FALSE(bob.find("inertia"));
  EXPECT_EQ(bob.at("velocity").mark().text(), "f:3:15");
  EXPECT_TRUE(scenario.at("outputs").items().empty());
}

TEST(Language, CompletesOnlyTheChosenAlternative) {
  const Value scenario = resolved(complete_scenario);
  const Value& turned = scenario.at("bodies").at("rod").at("orientation");
  EXPECT_EQ(turned.entries().size(), 3u);
  EXPECT_DOUBLE_EQ(*find_angle(turned, "pitch"), M_PI / 2);
  EXPECT_EQ(find_angle(turned, "yaw"), 0.0);
  EXPECT_FALSE(find_angle(turned, "angle"));
  EXPECT_EQ(scenario.at("expect").items()[1].at("reduce").text(), "at");
  EXPECT_EQ(resolved(expectation("field: energy.lost, between: [0, 1]"))
                .at("expect")
                .items()[0]
                .at("reduce")
                .text(),
            "final");
}

TEST(Language, ResolvingTwiceChangesNothing) {
  for (const std::string& text : {complete_scenario, with_bob(""), start}) {
    const Value once = resolved(text);
    EXPECT_EQ(resolve(language(), once), once);
    EXPECT_EQ(resolved(to_yaml(once)), once);
    EXPECT_EQ(to_yaml(resolved(to_yaml(once))), to_yaml(once));
  }
}

TEST(Language, OverridesAreCheckedLikeTheFile) {
  Value scenario = parse_yaml(complete_scenario, "f");
  apply_override(scenario, "bodies.rod.mass=-1");
  EXPECT_EQ(message_of([&] { resolve(language(), scenario); }),
            "--set bodies.rod.mass=-1: bodies.rod.mass: must be greater than 0 kg, got -1");
}

TEST(Language, ManyNamesAreQuick) {
  std::string text = start + "bodies:\n";
  for (int i = 0; i < 20'000; ++i) text += fmt::format("  b{}: {{mass: 1, inertia: [1, 1, 1]}}\n", i);
  text += "joints:\n";
  for (int i = 0; i < 19'999; ++i)
    text += fmt::format("  j{}: {{kind: ball, between: [b{}, b{}], at: [0, 0, 0]}}\n", i, i, i + 1);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(resolved(text).at("bodies").entries().size(), 20'000u);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST(Language, FieldTableHasNoAmbiguousNames) {
  for (const FieldInfo& info : field_table()) {
    EXPECT_FALSE(info.doc.empty()) << info.name;
    EXPECT_EQ(find_field(info.name, info.subject), &info);
    EXPECT_FALSE(info.subject == Subject::body && find_field(info.name, Subject::joint)) << info.name;
  }
  EXPECT_EQ(split_component("energy.lost").second, "lost");
  EXPECT_EQ(find_field("energy", Subject::system)->component("lost")->unit, "J");
}

}  // namespace
}  // namespace hardpan::scenario
