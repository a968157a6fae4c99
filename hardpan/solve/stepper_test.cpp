#include "hardpan/solve/stepper.h"

#include <gtest/gtest.h>

#include "hardpan/solve/spook.h"

namespace hardpan::solve {
namespace {

// A point mass on a line, one block of one velocity; may be told to refuse at a phase.
class Shaft final : public Subsystem {
 public:
  enum class Refuse { nothing, predict, matrix, advance };
  Refuse refuse = Refuse::nothing;
  double v = 1, next = 0, at_time = -1;
  int commits = 0;
  std::string name;
  explicit Shaft(std::string name_) : name(std::move(name_)) {}

  void declare(Problem& problem) override { block_ = problem.add_block(1); }
  StepReport predict(double time, double, Problem& problem) override {
    at_time = time;
    problem.matrix(block_)[0] = refuse == Refuse::matrix ? -2.0 : 2.0;
    problem.momentum(block_)[0] = 2.0 * v + 1.0;
    if (refuse == Refuse::predict) return StepReport::failure(name + " cannot predict");
    return {};
  }
  void assemble(double, Problem&) override {}
  StepReport advance(double, std::span<const double> impulse, std::span<const double> lambda) override {
    EXPECT_TRUE(lambda.empty());
    next = v + (1.0 + impulse[block_]) / 2.0;
    if (refuse == Refuse::advance) return StepReport::failure(name + " cannot advance");
    return {};
  }
  void commit() override {
    v = next;
    ++commits;
  }
  void save(Archive& archive) const override { archive.put(name + "/v", v); }
  void restore(const Archive& archive) override { v = archive.real(name + "/v"); }

 private:
  std::size_t block_ = 0;
};

TEST(StepperPhases, StepAndTimeAdvanceTogether) {
  Shaft a("a"), b("b");
  Stepper stepper(0.1, {&a, &b});
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(stepper.step().ok);
  EXPECT_EQ(stepper.time(), 1000 * 0.1);  // a product, not a sum of roundings
  EXPECT_EQ(a.at_time, 999 * 0.1);
  EXPECT_EQ(a.v, 501.0);
  EXPECT_EQ(b.commits, 1000);
}

// Whoever refuses, and whenever: nobody commits.
TEST(StepperPhases, OneRefusalStopsEveryCommit) {
  for (const Shaft::Refuse phase : {Shaft::Refuse::predict, Shaft::Refuse::matrix, Shaft::Refuse::advance})
    for (const bool first : {true, false}) {
      Shaft a("a"), b("b");
      Stepper stepper(0.1, {&a, &b});
      ASSERT_TRUE(stepper.step().ok);
      const std::string before = stepper.save().hash();
      (first ? a : b).refuse = phase;
      const StepReport report = stepper.step();
      EXPECT_FALSE(report.ok);
      EXPECT_FALSE(report.reason.empty());
      EXPECT_EQ(stepper.save().hash(), before);
      EXPECT_EQ(a.commits + b.commits, 2);
      // Once the reason is gone the run goes on.
      (first ? a : b).refuse = Shaft::Refuse::nothing;
      EXPECT_TRUE(stepper.step().ok);
      EXPECT_EQ(stepper.steps(), 2);
    }
}

TEST(StepperPhases, RestoreBringsBackTimeAndState) {
  Shaft a("a");
  Stepper stepper(0.1, {&a});
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(stepper.step().ok);
  const Archive saved = stepper.save();
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(stepper.step().ok);
  stepper.restore(saved);
  EXPECT_EQ(stepper.steps(), 5);
  EXPECT_EQ(stepper.save().hash(), saved.hash());
}

// Rows of a static problem: Sigma lambda = -(4/h) Y g gives the force lambda/h = -g/eps for any h and tau.
TEST(SpookRows, StaticForceIsViolationOverCompliance) {
  for (const double h : {1e-4, 1e-2})
    for (const double tau : {0.0, 1e-3, 1.0}) {
      const RowTerms row = compliant_row(h, 2e-6, tau, 3e-4, 0.0);
      EXPECT_NEAR(row.rhs / row.sigma / h, -3e-4 / 2e-6, 1e-9);
    }
  EXPECT_NEAR(damper_row(0.01, 5.0).sigma, 20.0, 1e-12);  // lambda/h = -c G v
}

}  // namespace
}  // namespace hardpan::solve
