#include "hardpan/scenario/contact_materials.h"

#include <cmath>

#include <gtest/gtest.h>

#include "hardpan/scenario/build.h"
#include "hardpan/scenario/run.h"
#include "hardpan/scenario/test_scenarios.h"

namespace hardpan::scenario {
namespace {

couple::ContactModel model_of(const std::string& rest) {
  const std::string start = "hardpan: 1\ntime: {end: 1, step: 0.001}\n";
  return build(load_text(start + rest, "f").resolved)->contacts.model();
}

const std::string materials =
    "materials:\n"
    "  ice: {friction: 0.04, restitution: 0.3, stiffness: 1.0e+6, rolling_resistance: 0.001, adhesion: 2}\n"
    "  rubber: {friction: 0.9, restitution: 0.7, stiffness: 1.0e+5, damping_time: 0.01, adhesion: 8}\n"
    "  steel: {young: 2.0e+11, poisson: 0.3, contact_radius: 0.02}\n";

TEST(ContactMaterials, TwoMakeAPair) {
  const couple::ContactModel model = model_of(materials);
  const material::ContactLaw& law = model.law(0, 1);
  EXPECT_DOUBLE_EQ(law.friction, std::sqrt(0.04 * 0.9));
  EXPECT_DOUBLE_EQ(law.restitution, 0.3);
  EXPECT_DOUBLE_EQ(law.adhesion, 4);
  EXPECT_DOUBLE_EQ(law.compliance, 1e-6 + 1e-5);
  EXPECT_DOUBLE_EQ(law.relaxation_time, 0.01);
  EXPECT_DOUBLE_EQ(law.rolling, 0.001);
  // A flat punch of radius a: F = 2 E a d/(1 - nu^2).
  EXPECT_NEAR(model.law(2, 2).compliance, 2 * (1 - 0.09) / (2 * 2e11 * 0.02), 1e-22);
}

TEST(ContactMaterials, APairMayDiffer) {
  const couple::ContactModel model =
      model_of(materials + "contacts: [{between: [rubber, ice], friction: 0.1, stiffness: 2.0e+5}]\n");
  for (const material::ContactLaw& law : {model.law(0, 1), model.law(1, 0)}) {
    EXPECT_DOUBLE_EQ(law.friction, 0.1);
    EXPECT_DOUBLE_EQ(law.compliance, 5e-6);
    EXPECT_DOUBLE_EQ(law.restitution, 0.3);
  }
  EXPECT_DOUBLE_EQ(model.law(0, 0).friction, 0.04);
}

TEST(ContactMaterials, OnlyBodiesWithAMaterialTouch) {
  const couple::ContactModel model = model_of(materials +
                                              R"(
bodies:
  a: {mass: 1, shape: {kind: sphere, radius: 0.1}, material: ice, groups: [left]}
  ghost: {mass: 1, shape: {kind: sphere, radius: 0.1}, position: [1, 0, 0]}
  b: {mass: 1, shape: {kind: sphere, radius: 0.1}, position: [2, 0, 0], material: rubber, passes_through: [left]}
  c: {mass: 1, shape: {kind: sphere, radius: 0.1}, position: [3, 0, 0], material: rubber}
joints:
  rod: {kind: ball, between: [c, b], at: [2.5, 0, 0]}
)");
  ASSERT_EQ(model.surfaces.size(), 3u);
  EXPECT_EQ(model.surfaces[1].body.index(), 2u);
  EXPECT_EQ(model.surfaces[1].material, 1u);
  EXPECT_EQ(model.surfaces[0].groups & model.surfaces[1].avoids, model.surfaces[0].groups);
  ASSERT_EQ(model.strangers.size(), 1u);
  EXPECT_EQ(model.strangers[0], std::pair(std::size_t{2}, std::size_t{3}));
}

}  // namespace
}  // namespace hardpan::scenario
