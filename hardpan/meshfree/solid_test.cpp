#include "hardpan/meshfree/solid.h"

#include <gtest/gtest.h>

#include "hardpan/meshfree/test_clouds.h"

namespace hardpan::meshfree {
namespace {

SolidMaterial elastic(double young, double poisson, double density = 1000) {
  material::SoilParameters given;
  given.young = young;
  given.poisson = poisson;
  given.plastic = false;
  return {material::SoilLaw(given), density};
}

std::vector<std::uint32_t> face(const Cloud& cloud, Eigen::Index axis, double at) {
  std::vector<std::uint32_t> found;
  for (std::size_t i = 0; i < cloud.size(); ++i)
    if (std::abs(cloud.position[i][axis] - at) < 1e-9) found.push_back(static_cast<std::uint32_t>(i));
  return found;
}

Vec3 unit(Eigen::Index axis) { return Vec3::Unit(axis); }

SolidModel cube(std::size_t n, const SolidMaterial& material) {
  SolidModel model;
  model.cloud = cube_lattice(n);
  model.materials = {material};
  model.material.assign(model.cloud.size(), 0);
  return model;
}

solve::SolverOptions matrix_free() {
  solve::SolverOptions options;
  options.kind = solve::SolverKind::newton;
  options.matrix_free = true;
  options.tolerance = 1e-9;
  return options;
}

void run(solve::Stepper& stepper, int steps) {
  for (int k = 0; k < steps; ++k) {
    const solve::StepReport report = stepper.step();
    ASSERT_TRUE(report.ok) << report.reason;
  }
}

// Between plates without friction; sides free. MESHFREE eq. 36: P = E L (L^2 - 1)/2.
TEST(Solid, StretchedCubeHasTheStressOfStVenantAndKirchhoff) {
  for (const double alpha : {0.0, 100.0}) {
    SolidModel model = cube(4, elastic(1e6, 0.25));
    model.stabilisation = alpha;
    const double L = 1.1, ramp = 1.0;
    model.holds = {{face(model.cloud, 2, 0), unit(2), Curve::constant(0)},
                   {face(model.cloud, 2, 1), unit(2), Curve({{0, 0}, {ramp, L - 1}}, Curve::Beyond::level)},
                   {face(model.cloud, 0, 0), unit(0), Curve::constant(0)},
                   {face(model.cloud, 1, 0), unit(1), Curve::constant(0)}};
    Solid solid(model);
    solve::Stepper stepper(0.02, {&solid}, matrix_free());
    run(stepper, 100);
    const double exact = 0.5e6 * L * (L * L - 1);
    EXPECT_NEAR(solid.force_of_hold(1), exact, 1e-3 * exact) << alpha;
    for (std::size_t i = 0; i < solid.size(); ++i)
      EXPECT_NEAR(solid.strain(i)[2], 0.5 * (L * L - 1), 2e-3 * L) << i;
  }
}

}  // namespace
}  // namespace hardpan::meshfree
