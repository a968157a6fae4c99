// Joints give way by their compliance and no more, from the first step on: in every scenario of joints, the
// largest violation of the rows of a joint against compliance times the largest force in them. Rows of points
// and rows of directions are judged apart.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "hardpan/scenario/build.h"
#include "hardpan/scenario/run.h"

namespace hardpan::scenario {
namespace {

namespace fs = std::filesystem;

struct Given {
  double violation = 0, compliance_times_force = 0;  // m or rad
};

// HARDPAN_DRIFT says what was found.
void expect_no_drift(const fs::path& file) {
  const auto simulation = build(load(file).resolved);
  const multibody::System& bodies = simulation->bodies;
  const double h = simulation->stepper.step_size();
  std::vector<std::array<Given, 2>> joints(bodies.joints().size());  // points, directions
  const auto steps = std::min(simulation->step_count, static_cast<std::int64_t>(std::lround(1 / h)));
  for (std::int64_t k = 0; k < steps; ++k) {
    ASSERT_TRUE(simulation->stepper.step().ok);
    for (std::size_t j = 0; j < joints.size(); ++j)
      for (std::size_t i = 0; i < bodies.joints()[j].rows; ++i) {
        const std::size_t row = bodies.joints()[j].first_row + i;
        const multibody::Row& law = bodies.rows()[row];
        if (!law.holds()) continue;
        Given& given = joints[j][law.jacobian_b.head<3>().isZero(0) ? 1 : 0];
        given.violation = std::max(given.violation, std::abs(law.violation));
        given.compliance_times_force = std::max(given.compliance_times_force,
                                                law.compliance * std::abs(bodies.state().impulse[row]) / h);
      }
  }
  // Corrections of the rows end at the solver's tolerance, which a relaxation over two steps turns into 9/4
  // h.
  const double unseen = 2.25 * h * solve::SolverOptions{}.tolerance;
  for (std::size_t j = 0; j < joints.size(); ++j)
    for (const Given& given : joints[j]) {
      if (std::getenv("HARDPAN_DRIFT") && given.violation > 0)
        std::printf("%-22s %-12s %-14s %s %.3g of %.3g: %.4f\n", file.stem().c_str(),
                    bodies.joints()[j].name.c_str(), bodies.joints()[j].kind.data(),
                    &given == &joints[j][0] ? "points" : "directions", given.violation,
                    given.compliance_times_force, given.violation / given.compliance_times_force);
      EXPECT_LE(given.violation, 1.001 * given.compliance_times_force + unseen)
          << file << " " << bodies.joints()[j].name;
    }
}

TEST(JointDrift, IsTheComplianceAlone) {
  int scenarios = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(HARDPAN_SOURCE_DIR) / "scenarios" / "verify")) {
    const std::string name = entry.path().stem().string();
    if (!name.starts_with("joint-") && !name.starts_with("pendulum-")) continue;
    // An impact keeps its joints but for a trace of their mobility: 1.5e-12 m in a joint without force.
    if (name.starts_with("joint-stop")) continue;
    ++scenarios;
    expect_no_drift(entry.path());
  }
  EXPECT_GE(scenarios, 15);
}

}  // namespace
}  // namespace hardpan::scenario
