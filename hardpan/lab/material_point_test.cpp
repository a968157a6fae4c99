#include "hardpan/lab/material_point.h"

#include <cmath>
#include <utility>

#include <gtest/gtest.h>

#include "hardpan/lab/material_paths.h"
#include "hardpan/material/test_soils.h"

namespace hardpan::lab {
namespace {

using namespace material::test;
using material::SoilLaw;
using material::SoilParameters;
using material::trace;

Leg pressed_to(double pressure, int steps) {
  return {"press", {true, true, true}, diagonal(-pressure, -pressure, -pressure), steps};
}

// REFERENCE 5.3: clay with D 1e-6 1/Pa, W 0.1, given by its stress.
TEST(MaterialPoint, HydrostaticTable) {
  const struct {
    double kappa_0, I1, plastic, total;
  } cases[] = {{0, -0.5e6, -0.039347, -0.041545},  {0, -1e6, -0.063212, -0.067608},
               {0, -2e6, -0.086466, -0.095258},    {0, -3e6, -0.095021, -0.108208},
               {0, -5e6, -0.099326, -0.121304},    {-1e5, -0.5e6, -0.032968, -0.035166},
               {-1e5, -1e6, -0.059343, -0.063739}, {-1e5, -2e6, -0.085043, -0.093834},
               {-1e5, -3e6, -0.094498, -0.107684}, {-1e5, -5e6, -0.099255, -0.121233}};
  for (const auto& [kappa_0, I1, plastic, total] : cases) {
    SoilParameters p = clay(true);
    p.cap_start = kappa_0;
    const SoilLaw law(p);
    MaterialPoint point(law);
    std::vector<PathPoint> points;
    ASSERT_TRUE(point.follow(pressed_to(-I1 / 3, 20), points));
    EXPECT_EQ(points.size(), 20u);
    EXPECT_NEAR(trace(point.now().soil.plastic_strain), plastic, 1e-6);
    EXPECT_NEAR(trace(point.now().strain), total, 1e-6);
  }
}

// Components that are given by stress have it, those given by strain have that; nothing else is asked.
TEST(MaterialPoint, KeepsWhatIsGiven) {
  const SoilLaw law(clay(true));
  MaterialPoint point(law);
  std::vector<PathPoint> points;
  Vec6 goal = diagonal(-5e4, -8e4, -0.02);
  goal[4] = 0.01;
  goal[5] = 2e3;
  ASSERT_TRUE(point.follow({"mixed", {true, true, false, false, false, true}, goal, 10}, points));
  for (const int k : {0, 1, 5}) EXPECT_NEAR(point.now().soil.stress[k], goal[k], 1e-9 * 1e5);
  for (const int k : {2, 4}) EXPECT_DOUBLE_EQ(point.now().strain[k], goal[k]);
  EXPECT_EQ(point.now().strain[3], 0);
  // Strains are changes, stresses are not.
  ASSERT_TRUE(point.follow({"again", {true, true, false, false, false, true}, goal, 1}, points));
  EXPECT_DOUBLE_EQ(point.now().strain[2], -0.04);
  EXPECT_NEAR(point.now().soil.stress[0], -5e4, 1e-4);
}

// Soil is only so strong: what lies beyond is refused, and the point stays where it is sound.
TEST(MaterialPoint, StopsWhereNoStrainHelps) {
  const SoilLaw law(clay(true));
  MaterialPoint point(law);
  std::vector<PathPoint> points;
  EXPECT_FALSE(point.follow(pressed_to(-60e3, 30), points));  // I1 = 180 kPa; T is 75 kPa
  ASSERT_FALSE(points.empty());
  EXPECT_NEAR(trace(point.now().soil.stress), 75e3, 20);
  EXPECT_EQ(points.size(), 12u);  // 72 kPa, by steps of 6
  EXPECT_TRUE(point.now().strain.allFinite());
  EXPECT_TRUE(point.follow(pressed_to(0, 5), points));
  EXPECT_LT(point.now().soil.stress.norm(), 1e-6);
}

// Steps of any size lead on; in the end soft, hard, dilating and brittle soils are where they were asked to
// be.
TEST(MaterialPoint, EverySoilFollowsEveryPath) {
  const CounterRandom random(21);
  for (std::uint64_t k = 0; k < 150; ++k) {
    const SoilLaw law = random_soil(random, 64 * k).law;
    for (const PathKind& kind : path_kinds()) {
      PathSettings settings = usual_settings(law, kind);
      settings.steps = k % 2 == 0 ? 5 : 60;
      settings.seed = k;
      const MaterialPath path = drive(law, kind, settings);
      EXPECT_TRUE(path.complete) << kind.name << " of soil " << k;
      for (std::size_t i = 1; i < path.points.size(); ++i) {
        const PathPoint& point = path.points[i];
        ASSERT_TRUE(point.soil.stress.allFinite() && point.strain.allFinite()) << kind.name << " " << k;
        const Leg& leg = path.legs[point.leg];
        if (i + 1 < path.points.size() && path.points[i + 1].leg == point.leg) continue;
        for (int c = 0; c < 6; ++c)  // the end of a leg
          if (leg.by_stress[static_cast<std::size_t>(c)]) {
            ASSERT_NEAR(point.soil.stress[c], leg.goal[c], 1e-6 * (settings.confining + law.surface.k))
                << kind.name << " " << k;
          }
      }
    }
  }
}

// Whatever path it is led along, closed or not, soil gives back no more than it got; what is lost never comes
// back.
TEST(MaterialPoint, CreatesNoEnergy) {
  const CounterRandom random(22);
  for (std::uint64_t k = 0; k < 60; ++k) {
    const SoilLaw law = random_soil(random, 64 * k).law;
    for (const PathKind& kind : path_kinds()) {
      PathSettings settings = usual_settings(law, kind);
      settings.seed = k;
      const MaterialPath path = drive(law, kind, settings);
      double turnover = 0;
      for (std::size_t i = 1; i < path.points.size(); ++i) {
        const PathPoint &before = path.points[i - 1], &now = path.points[i];
        turnover += std::abs(now.work - before.work);
        ASSERT_GE(now.plastic_work, before.plastic_work - 1e-12 * turnover) << kind.name << " " << k;
        ASSERT_GE(now.work, -1e-9 * turnover) << kind.name << " " << k << " " << i;
        ASSERT_GE(now.work, now.stored - 0.01 * turnover) << kind.name << " " << k << " " << i;
      }
    }
  }
}

// Work is what is stored and what is lost, the better the finer the steps.
TEST(MaterialPoint, BooksClose) {
  const SoilLaw law(clay(true));
  for (const PathKind& kind : path_kinds()) {
    PathSettings settings = usual_settings(law, kind);
    for (const auto& [steps, most] : {std::pair(200, 0.01), std::pair(4000, 0.0005)}) {
      settings.steps = steps;
      const PathPoint end = drive(law, kind, settings).points.back();
      EXPECT_NEAR(end.work, end.stored + end.plastic_work, most * end.work) << kind.name << " " << steps;
    }
  }
}

// A path that stays elastic gives back all that it got.
TEST(MaterialPoint, ElasticCyclesLoseNothing) {
  SoilParameters p = clay(true);
  p.plastic = false;
  const SoilLaw law(p);
  for (const PathKind& kind : path_kinds()) {
    const MaterialPath path = drive(law, kind, usual_settings(law, kind));
    EXPECT_TRUE(path.complete);
    const PathPoint& end = path.points.back();
    EXPECT_EQ(end.plastic_work, 0) << kind.name;
    EXPECT_NEAR(end.work, end.stored, 1e-9 * loaded(path).stored + 1e-9) << kind.name;
  }
}

}  // namespace
}  // namespace hardpan::lab
