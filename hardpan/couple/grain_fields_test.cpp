#include "hardpan/couple/grain_fields.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace hardpan::couple {
namespace {

// Two grains on top of each other on a plate, at rest: what stands in a frame of it.
TEST(GrainFields, TellWhatPressesGrains) {
  constexpr double r = 0.01;
  multibody::Model bodies;
  bodies.bodies.emplace_back();
  bodies.bodies[0].fixed = true;
  GrainBedModel model;
  model.surfaces.push_back({multibody::BodyId(0), {geometry::Plane{}, {}}});
  model.step = 2e-5;
  model.laws = model.grains.laws = {material::hertz_law({5e6, 0.3}, {5e6, 0.3}, 0.1, 0.5)};
  for (const double z : {3 * r, r})
    model.grains.grains.push_back({.position = {0, 0, z}, .radius = r, .density = 2500});
  multibody::System system(bodies);
  GrainBed bed(model, system);
  solve::Stepper stepper(2e-5, {&system, &bed});
  for (int k = 0; k < 20000; ++k) ASSERT_TRUE(stepper.step().ok);
  Archive frame;
  put_grains(bed, frame);
  std::vector<double> pressure(2), stress(12), contacts(2), position(6);
  frame.get("grains/pressure", std::span(pressure));
  frame.get("grains/stress", std::span(stress));
  frame.get("grains/coordination", std::span(contacts));
  frame.get("grains/position", std::span(position));
  const double volume = 4.0 / 3.0 * std::numbers::pi * r * r * r, weight = 9.81 * 2500 * volume;
  EXPECT_NEAR(position[2], 3 * r, 5e-4);  // in the order of identities
  EXPECT_EQ(contacts[0], 1);
  EXPECT_EQ(contacts[1], 2);
  // f (x) l: the upper one is pushed up from below, the lower one by twice that, and down from above.
  EXPECT_NEAR(stress[2], -weight * r / volume, 0.01 * weight * r / volume);
  EXPECT_NEAR(stress[8], -3 * weight * r / volume, 0.01 * 3 * weight * r / volume);
  EXPECT_NEAR(pressure[1], -stress[8] / 3, 1e-9 * std::abs(stress[8]));
  EXPECT_NEAR(stress[0], 0, 1e-6 * weight * r / volume);
  const Archive::Entry* chains = frame.find("chains/force");
  ASSERT_TRUE(chains);
  EXPECT_NEAR(std::get<std::vector<double>>(chains->values)[0], 2 * weight,
              0.01 * weight);  // only the stronger one
  EXPECT_TRUE(std::isnan(std::get<std::vector<double>>(chains->values)[1]));
}

}  // namespace
}  // namespace hardpan::couple
