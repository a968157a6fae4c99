#include "hardpan/material/soil_law.h"

#include <cmath>
#include <cstdlib>
#include <numbers>

#include <gtest/gtest.h>

#include "hardpan/material/test_soils.h"

namespace hardpan::material {
namespace {

using namespace test;

// A point of soil whose lateral stress is kept while it is shortened, by Newton's method with the tangent.
struct Triaxial {
  SoilLaw law;
  Vec6 plastic = Vec6::Zero(), strain = Vec6::Zero();
  SoilResponse now = {};

  void load(double axial_strain, double lateral_stress) {
    strain[2] = axial_strain;
    for (int k = 0; k < 60; ++k) {
      Mat6 tangent;
      now = respond(law, strain, plastic, tangent);
      const double error = lateral_stress - now.stress[0];
      if (std::abs(error) < 1e-9 * (1 + std::abs(lateral_stress))) break;
      const double change = error / (tangent(0, 0) + tangent(0, 1));
      strain[0] += change;
      strain[1] += change;
    }
    EXPECT_NEAR(now.stress[0], lateral_stress, 1e-6 * (1 + std::abs(lateral_stress)));
    plastic = now.plastic_strain;
  }
  void squeeze(double pressure) {  // the same from all sides
    for (int step = 1; step <= 20; ++step) {
      for (int k = 0; k < 60; ++k) {
        Mat6 tangent;
        now = respond(law, strain, plastic, tangent);
        const double error = -pressure * step / 20 - now.stress[0];
        if (std::abs(error) < 1e-9 * pressure) break;
        strain += diagonal(1, 1, 1) * error / (tangent(0, 0) + tangent(0, 1) + tangent(0, 2));
      }
      plastic = now.plastic_strain;
    }
    EXPECT_NEAR(now.stress[0], -pressure, 1e-6 * pressure);
  }
};

TEST(SoilSurface, HasItsPublishedNumbers) {
  const SoilLaw law(clay(true));
  EXPECT_NEAR(3 * law.surface.m, 0.494278420, 1e-9);
  EXPECT_NEAR(law.surface.k / 14e3, 1.223382020, 1e-9);
  EXPECT_NEAR(law.surface.apex(), 103953.648, 1e-3);
  EXPECT_NEAR(law.surface.tension_tangent().I, 70.29e3, 5);
  EXPECT_NEAR(law.surface.half_axis(-30e6), 3.3212e6, 50);
  EXPECT_NEAR(law.surface.ellipse_centre(-30e6), -21.697e6, 500);
  EXPECT_NEAR(law.surface.compression_tangent(-30e6).I, -18.535e6, 500);
}

// Value and slope go on at the tangent points, with and without friction.
TEST(SoilSurface, CapsAreTangentToTheCone) {
  for (const double phi : {0.0, 5.0, 22.0, 40.0}) {
    SoilParameters p = clay(true);
    p.friction_angle = p.dilation_angle = phi * degree;
    p.tension = 20e3;
    p.cap_ratio = 1.7;
    p.cap_start = -1e5;
    ASSERT_EQ(fault_of(p), "");
    const SoilSurface f = SoilLaw(p).surface;
    const double kappa = -4e5;
    const InvariantPoint t = f.tension_tangent(), c = f.compression_tangent(kappa);
    const double C = f.circle_centre(), a = f.ellipse_centre(kappa);
    EXPECT_NEAR(std::hypot(t.I - C, t.s), f.circle_radius(), 1e-6);
    EXPECT_NEAR((t.I - C) / t.s, f.m, 1e-12);
    EXPECT_NEAR(std::hypot((c.I - a) / f.R, c.s), f.half_axis(kappa), 1e-6);
    EXPECT_NEAR((c.I - a) / (f.R * f.R * c.s), f.m, 1e-12);
    EXPECT_NEAR(a - f.R * f.half_axis(kappa), kappa, 1e-6);
    if (f.largest_kappa() < 0) {
      EXPECT_NEAR(f.compression_tangent(f.largest_kappa()).I, t.I, 1e-6);
    }
  }
}

// Beginning and end included, in order, with and without caps.
TEST(SoilSurface, OutlineIsOnIt) {
  for (const bool tension : {false, true})
    for (const bool compression : {false, true}) {
      SoilParameters p = clay(true);
      p.tension_cap = tension;
      p.compression_cap = compression;
      const SoilSurface f = SoilLaw(p).surface;
      const auto points = outline(f, -4e5, -1e6, 2e5);
      for (const InvariantPoint& at : points) EXPECT_NEAR(f.beyond(at, -4e5), 0, 1e-9 * f.k) << at.I;
      for (std::size_t k = 1; k < points.size(); ++k) EXPECT_LT(points[k].I, points[k - 1].I);
      EXPECT_NEAR(points.front().I, tension ? f.T : f.apex(), 1e-6);
      EXPECT_NEAR(points.front().s, 0, 1e-6);
      EXPECT_NEAR(points.back().I, compression ? -4e5 : -1e6, 1e-6);
    }
  SoilParameters p = clay(false);
  p.friction_angle = p.dilation_angle = 0;
  EXPECT_EQ(outline(SoilLaw(p).surface, 0, -1e6, 2e5).front().I, 2e5);  // no apex
}

TEST(SoilLaw, HydrostaticCompactionFollowsItsClosedForm) {
  for (const double kappa_0 : {0.0, -1e5}) {
    SoilParameters p = clay(true);
    p.cap_start = kappa_0;
    const SoilLaw law(p);
    for (const double I1 : {-0.5e6, -1e6, -2e6, -3e6, -5e6, -20e6}) {
      const double plastic = p.max_compaction * (std::exp(p.hardening_rate * (I1 - kappa_0)) - 1);
      const double all = I1 / (3 * law.bulk) + plastic;
      for (const int steps : {1, 7}) {
        Vec6 e_p = Vec6::Zero();
        SoilResponse now;
        for (int k = 1; k <= steps; ++k) {
          now = respond(law, all / 3 * k / steps * diagonal(1, 1, 1), e_p);
          e_p = now.plastic_strain;
        }
        EXPECT_NEAR(trace(now.stress), I1, 1e-9 * std::abs(I1));
        EXPECT_NEAR(trace(e_p), plastic, 1e-10);
        EXPECT_NEAR(now.kappa, I1, 1e-9 * std::abs(I1));
        // Unloading is elastic: what is left is what was lost.
        const SoilResponse free = respond(law, e_p, e_p);
        EXPECT_LT(free.stress.norm(), 1e-6);
      }
    }
  }
  // REFERENCE 5.3: total volume strain at 5 MPa.
  EXPECT_NEAR(-5e6 / (3 * SoilLaw(clay(true)).bulk) + 0.1 * (std::exp(-5) - 1), -0.121304, 1e-6);
}

TEST(SoilLaw, TriaxialPlateausOnTheCone) {
  const struct {
    double lateral, compression, extension;
  } cases[] = {{0, 41511.707, 23079.266},
               {50e3, 101411.058, 56381.512},
               {100e3, 161310.410, 89683.758},
               {200e3, 281109.112, 156288.249}};
  for (const auto& [lateral, compression, extension] : cases)
    for (const int sign : {-1, 1}) {
      if (sign > 0 && lateral == 0) continue;  // pulled apart
      Triaxial test{SoilLaw(clay(false))};
      if (lateral > 0) test.squeeze(lateral);
      const double start = test.strain[2];
      for (int k = 1; k <= 100; ++k) test.load(start + sign * 2e-4 * k, -lateral);
      const double q = std::abs(test.now.stress[2] - test.now.stress[0]);
      EXPECT_NEAR(q / (sign < 0 ? compression : extension), 1, 1e-6) << lateral;
      if (sign > 0) continue;
      const Vec6 before = test.plastic;
      test.load(start - 2e-4 * 101, -lateral);
      const Vec6 flow = test.plastic - before;
      EXPECT_NEAR(trace(flow) / flow[2], -1.197987, 1e-6);
    }
}

// Plastic volume does not change where the dilation angle is zero, and follows it between.
TEST(SoilLaw, DilatesByItsOwnAngle) {
  for (const double psi : {0.0, 10.0}) {
    SoilParameters p = clay(false);
    p.dilation_angle = psi * degree;
    Triaxial test{SoilLaw(p)};
    test.squeeze(100e3);
    const double start = test.strain[2];
    for (int k = 1; k <= 50; ++k) test.load(start - 2e-4 * k, -100e3);
    EXPECT_NEAR(test.now.stress[2], -261310.410, 1);
    const Vec6 before = test.plastic;
    test.load(start - 2e-4 * 51, -100e3);
    const Vec6 flow = test.plastic - before;
    // e_p' = l (m' 1 + n/(2 s)): axial -2/(2 sqrt3) + m', volume 3 m'.
    const double m = 2 * std::sin(psi * degree) / (std::numbers::sqrt3 * (3 - std::sin(psi * degree)));
    EXPECT_NEAR(trace(flow) / flow[2], 3 * m / (m - 1 / std::numbers::sqrt3), 1e-9);
  }
}

// Soil that yields on the cap from the start hardens up to the top of the ellipse, where volume no longer
// changes.
TEST(SoilLaw, NormallyConsolidatedSoilReachesItsPlateau) {
  Triaxial test{SoilLaw(clay(true))};
  test.squeeze(100e3);
  const double start = test.strain[2];
  for (int k = 1; k <= 2000; ++k) test.load(start - 2e-4 * k, -100e3);
  const SoilSurface& f = test.law.surface;
  const double eta = 3 * f.m, p0 = 100e3;
  const double q = (f.k + eta * p0) / (std::sqrt(1 + f.m * f.m * f.R * f.R) / std::numbers::sqrt3 - eta / 3);
  EXPECT_NEAR(-test.now.stress[2], p0 + q, 1e-3 * (p0 + q));
  EXPECT_NEAR(-test.now.stress[2], 244.8e3, 244.8e3 * 1e-3);
  EXPECT_EQ(test.now.region, SoilRegion::compression_cap);
}

std::uint64_t trials(std::uint64_t usual) {
  const char* asked = std::getenv("HARDPAN_TRIALS");
  return asked ? std::strtoull(asked, nullptr, 10) : usual;
}

InvariantPoint invariants(const Vec6& stress) {
  const Vec6 s = stress - trace(stress) / 3 * diagonal(1, 1, 1);
  return {trace(stress), s.norm() / std::numbers::sqrt2};
}

// Of the plastic work: stresses are differences of trial stresses, plastic strains sums.
double rounding(const SoilLaw& law, const SoilResponse& now, const Vec6& strain, const Vec6& past) {
  return 1e-13 * law.elastic_stress(strain - past).norm() * (now.plastic_strain - past).norm() +
         1e-15 * now.stress.norm() * (past.norm() + strain.norm());
}

TEST(SoilLaw, EveryStateComesBack) {
  const CounterRandom random(11);
  std::uint64_t seen[5] = {};
  for (std::uint64_t k = 0; k < trials(20000); ++k) {
    const auto [law, associated] = random_soil(random, 64 * k);
    const Vec6 past = random_past(random, 64 * k + 20, law),
               strain = past + random_strain(random, 64 * k + 30);
    const SoilResponse now = respond(law, strain, past);
    ++seen[static_cast<int>(now.region)];
    const InvariantPoint at = invariants(now.stress), trial = invariants(law.elastic_stress(strain - past));
    const double scale = std::max({law.surface.k, std::abs(at.I), at.s});
    // Soil that can hardly lose more volume has a cap where the stress has pushed it: 1 + tr(e_p)/W is lost
    // in rounding.
    const double doubt = law.hardening(trace(now.plastic_strain)) * 1e-15 * (strain.norm() + past.norm());
    const double kappa = doubt < 1e-9 * scale ? law.kappa(trace(now.plastic_strain)) : now.kappa;
    ASSERT_TRUE(now.stress.allFinite() && now.plastic_strain.allFinite()) << k;
    ASSERT_LE(law.surface.beyond(at, kappa), 1e-8 * scale) << k;
    if (now.region == SoilRegion::elastic) continue;
    ASSERT_GE(law.surface.beyond(at, kappa), -1e-8 * scale) << k;
    // Stress and plastic strain belong together.
    const Vec6 elastic = law.elastic_stress(strain - now.plastic_strain);
    ASSERT_LT((elastic - now.stress).norm(),
              1e-9 * (now.stress.norm() + law.elastic_stress(strain - past).norm()));
    const double work = now.stress.dot(now.plastic_strain - past);
    ASSERT_GE(work, -rounding(law, now, strain, past)) << k;
    if (!associated) continue;
    // Closest point: what lies within the surface lies on the other side of the way back.
    const double way_I = (trial.I - at.I) / (9 * law.bulk), way_s = (trial.s - at.s) / law.shear;
    for (std::uint64_t j = 0; j < 8; ++j) {
      const InvariantPoint other{at.I + scale * random.uniform(64 * k + 44 + 2 * j, -1, 1),
                                 std::abs(at.s + scale * random.uniform(64 * k + 45 + 2 * j, -1, 1))};
      if (law.surface.beyond(other, kappa) > 0) continue;
      const double product = way_I * (other.I - at.I) + way_s * (other.s - at.s);
      ASSERT_LE(product, 1e-7 * std::hypot(way_I, way_s) * scale) << k;
    }
  }
  for (const std::uint64_t count : seen) EXPECT_GT(count, trials(20000) / 500);
}

TEST(SoilLaw, TangentIsTheSlope) {
  const CounterRandom random(12);
  int compared[5] = {};
  for (std::uint64_t k = 0; k < 4000; ++k) {
    const SoilLaw law = random_soil(random, 64 * k).law;
    const Vec6 past = random_past(random, 64 * k + 20, law),
               strain = past + random_strain(random, 64 * k + 30);
    Mat6 tangent;
    const SoilResponse now = respond(law, strain, past, tangent);
    const double d = 1e-6 * (strain - past).norm();
    Mat6 slope;
    bool same = true;
    double bend = 0;  // what halving the difference changes
    for (int c = 0; c < 6; ++c) {
      const auto difference = [&](double h) {
        const SoilResponse up = respond(law, strain + h * Vec6::Unit(c), past),
                           down = respond(law, strain - h * Vec6::Unit(c), past);
        same = same && up.region == now.region && down.region == now.region;
        return Vec6((up.stress - down.stress) / (2 * h));
      };
      slope.col(c) = difference(d);
      bend = std::max(bend, (slope.col(c) - difference(2 * d)).norm());
    }
    const double stiffness = 3 * law.bulk + 2 * law.shear;
    if (!same || bend > 1e-6 * stiffness) continue;  // a border, or a sharp bend, within the difference
    ++compared[static_cast<int>(now.region)];
    ASSERT_LT((slope - tangent).norm(), 1e-5 * stiffness) << k << " region " << static_cast<int>(now.region);
  }
  for (const int count : compared) EXPECT_GT(count, 20);
}

// Every way of yielding, associated and not.
TEST(SoilLaw, TurnsWithItsStrain) {
  const CounterRandom random(13);
  int seen[2][5] = {};
  for (std::uint64_t k = 0; k < 4000; ++k) {
    const auto [law, associated] = random_soil(random, 64 * k);
    const Vec6 past = random_past(random, 64 * k + 20, law),
               strain = past + random_strain(random, 64 * k + 30);
    const Quat q = Quat(random.uniform(64 * k + 50, -1, 1), random.uniform(64 * k + 51, -1, 1),
                        random.uniform(64 * k + 52, -1, 1), random.uniform(64 * k + 53, -1, 1))
                       .normalized();
    const Mat3 Q = q.toRotationMatrix();
    const auto turned = [&](const Vec6& v) { return mandel(Q * tensor(v) * Q.transpose()); };
    const SoilResponse here = respond(law, strain, past);
    const Vec6 one = turned(here.stress), other = respond(law, turned(strain), turned(past)).stress;
    // Where the cap stands is as uncertain as the volume that is left to lose.
    const double doubt = law.hardening(trace(past)) * 1e-15 * past.norm();
    const double trial = law.elastic_stress(strain).norm() + law.elastic_stress(past).norm();
    EXPECT_LT((one - other).norm(), 1e-12 * (one.norm() + trial) + doubt) << k;
    ++seen[associated][static_cast<int>(here.region)];
  }
  for (const auto& kind : seen)
    for (const int count : kind) EXPECT_GT(count, 10);
}

// Work done on soil that was free of stress is stored or lost, whatever way the strain goes, there and back.
TEST(SoilLaw, CyclesCreateNoEnergy) {
  const CounterRandom random(14);
  for (std::uint64_t k = 0; k < 200; ++k) {
    const SoilLaw law = random_soil(random, 2000 * k).law;
    Vec6 strain = Vec6::Zero(), past = Vec6::Zero();
    double work = 0, lost = 0, turnover = 0;
    for (std::uint64_t step = 0; step < 100; ++step) {
      const Vec6 next = step == 99 ? Vec6(Vec6::Zero())
                                   : Vec6(strain + 0.01 * random_strain(random, 2000 * k + 64 + 12 * step));
      const SoilResponse now = respond(law, next, past);
      const double plastic = now.stress.dot(now.plastic_strain - past);
      EXPECT_GE(plastic, -rounding(law, now, next, past));
      work += now.stress.dot(next - strain);
      turnover += std::abs(now.stress.dot(next - strain));
      lost += plastic;
      past = now.plastic_strain;
      strain = next;
      EXPECT_GE(work, lost + law.elastic_energy(strain - past) - 1e-9 * turnover) << k << " " << step;
    }
    EXPECT_GE(work, -1e-12 * turnover);
  }
}

TEST(SoilLaw, SaysWhatIsWrong) {
  const auto fault = [](auto&& change) {
    SoilParameters p = clay(true);
    change(p);
    return fault_of(p);
  };
  EXPECT_EQ(fault([](SoilParameters&) {}), "");
  EXPECT_EQ(fault([](SoilParameters& p) { p.tension = 104e3; }),
            "tension: 104000 Pa, must lie between 0 and the apex of the cone, 103954 Pa");
  EXPECT_EQ(fault([](SoilParameters& p) { p.cap_start = 1e6; }).substr(0, 42),
            "cap_start: 1000000 Pa, must be at most 0 P");
  EXPECT_NE(fault([](SoilParameters& p) { p.cohesion = 0; }), "");
  EXPECT_NE(fault([](SoilParameters& p) { p.poisson = 0.5; }), "");
  EXPECT_NE(fault([](SoilParameters& p) { p.dilation_angle = 23 * degree; }), "");
  EXPECT_NE(fault([](SoilParameters& p) { p.max_compaction = 0; }), "");
  EXPECT_NE(fault([](SoilParameters& p) { p.hardening_rate = -1; }), "");
  EXPECT_NE(fault([](SoilParameters& p) { p.young = std::nan(""); }), "");
}

}  // namespace
}  // namespace hardpan::material
