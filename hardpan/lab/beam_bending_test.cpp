#include "hardpan/lab/beam_bending.h"

#include <gtest/gtest.h>

#include "hardpan/meshfree/test_solids.h"

namespace hardpan::lab {
namespace {

// At rest from 0.4 s on it sags by 1 mm; bends by 5 mm under 200 N, most of all under 190 N, and keeps 2 mm.
TEST(BeamBending, WhatItSagsByDoesNotCount) {
  BeamBendingSetup setup;
  setup.from = 0.4;
  setup.every = 0.1;
  const Measurement kind = beam_bending(setup);
  const std::vector<Row> table = {
      {0, 0, 0.009},      {0, 0, 0.0015},      {0, 0, 0.0012},       {0, 0, 0.001},     {0, 0, 0.001},
      {0.003, 90, 0.003}, {0.006, 200, 0.006}, {0.006, 190, 0.0065}, {0.003, 0, 0.004}, {0, 0, 0.003}};
  const Row metrics = kind.reduce(table, {0});
  ASSERT_EQ(metrics.size(), kind.metrics.size());
  EXPECT_NEAR(metrics[0], 5.5e-3, 1e-15);
  EXPECT_NEAR(metrics[1], 2e-3, 1e-15);
  EXPECT_EQ(metrics[2], 200);
  EXPECT_NEAR(metrics[3], 200 / 5e-3, 1e-6);
}

// Moved, turned about y and bent to a parabola, with a dent of no mean: only the bend counts.
TEST(BeamBending, ReadsTheBendAlone) {
  meshfree::SolidModel model =
      solid_of(meshfree::box_lattice(Vec3(-0.5, -0.1, 0), Vec3(0.5, 0.1, 0.2), {11, 3, 3}),
               meshfree::elastic(1e6, 0.25));
  meshfree::Solid solid(model);
  for (std::size_t i = 0; i < solid.size(); ++i) {
    const Vec3& x = model.cloud.position[i];
    const double bent = 0.3 * x.x() * x.x(), dent = x.x() == 0 ? 0.01 * (x.z() - 0.1) : 0;
    solid.set_position(i, x + Vec3(0.01, 0.02, 0.5 + 0.02 * x.x() + bent + dent));
  }
  multibody::Model bodies;
  bodies.bodies.emplace_back();
  bodies.bodies[0].pose.x = Vec3(0, 0, 0.25);
  multibody::System system(bodies);
  couple::BodyContact contacts(couple::ContactModel{}, system);
  couple::SolidContact touch({{0}}, contacts, system, solid);
  const BeamBendingSetup setup{multibody::BodyId(0), 0, {-0.4, 0.4}, 0, 1};
  const Row row = beam_bending(setup).read({system, contacts, 1e-3, nullptr, &solid, &touch}, {0.3});
  EXPECT_NEAR(row[0], 0.05, 1e-15);
  EXPECT_EQ(row[1], 0);
  EXPECT_NEAR(row[2], 0.3 * 0.4 * 0.4, 1e-12);
}

}  // namespace
}  // namespace hardpan::lab
