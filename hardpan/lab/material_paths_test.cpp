#include "hardpan/lab/material_paths.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "hardpan/material/test_soils.h"

namespace hardpan::lab {
namespace {

using namespace material::test;
using material::SoilLaw;
using material::SoilParameters;
using material::SoilRegion;
using material::trace;

MaterialPath driven(const SoilParameters& soil, const std::string& name, double strain, double confining = 0,
                    int steps = 200) {
  const SoilLaw law(soil);
  const MaterialPath path = drive(law, *find_path(name), {strain, confining, steps, 0});
  EXPECT_TRUE(path.complete) << name;
  return path;
}

double metric(const MaterialPath& path, const std::string& name) {
  for (const Metric& m : metrics_of(path))
    if (m.name == name) return m.value;
  ADD_FAILURE() << name;
  return 0;
}

// REFERENCE 5.2.
TEST(MaterialPaths, TriaxialPlateausOnTheCone) {
  const struct {
    double confining, compression, extension;
  } cases[] = {{0, 41511.707, 23079.266},
               {50e3, 101411.058, 56381.512},
               {100e3, 161310.410, 89683.758},
               {200e3, 281109.112, 156288.249}};
  for (const auto& [confining, compression, extension] : cases)
    for (const double strain : {0.02, -0.02}) {
      const MaterialPath path = driven(clay(false), "triaxial", strain, confining);
      const Vec6& stress = loaded(path).soil.stress;
      const double q = std::abs(stress[2] - stress[0]);
      EXPECT_NEAR(q, strain > 0 ? compression : extension, 1e-6 * q) << confining << " " << strain;
      EXPECT_NEAR(std::abs(metric(path, "peak_stress_difference_Pa")), q, 1e-6 * q);
      EXPECT_NEAR(stress[0], -confining, 1e-9 * q);
      EXPECT_NEAR(stress[1], -confining, 1e-9 * q);
      // Unloaded it stands under the confining pressure again; the way back is elastic.
      const Vec6& rest = path.points.back().soil.stress;
      EXPECT_NEAR((rest - diagonal(-confining, -confining, -confining)).norm(), 0, 1e-9 * q);
      EXPECT_EQ(path.points.back().soil.plastic_strain, loaded(path).soil.plastic_strain);
      EXPECT_NEAR(metric(path, "permanent_axial_strain"), -strain + (strain > 0 ? q : -q) / 91e6, 1e-9);
    }
}

// d(volume)/d(axial) of the flow: -1.197987 (REFERENCE 5.2), and 3m'/(m' - 1/sqrt3) by another angle.
TEST(MaterialPaths, TriaxialDilation) {
  for (const double psi : {22.0, 10.0, 0.0}) {
    SoilParameters p = clay(false);
    p.dilation_angle = psi * degree;
    const MaterialPath path = driven(p, "triaxial", 0.02, 100e3);
    const Vec6& flow = path.points.back().soil.plastic_strain;
    const double m = 2 * std::sin(psi * degree) / (std::numbers::sqrt3 * (3 - std::sin(psi * degree)));
    EXPECT_NEAR(trace(flow) / flow[2], 3 * m / (m - 1 / std::numbers::sqrt3), 1e-9);
    if (psi == 22.0) {
      EXPECT_NEAR(trace(flow) / flow[2], -1.197987, 1e-6);
    }
  }
}

// Consolidated beyond where the cap began, it hardens up to the top of the ellipse: 244.8 kPa (THEORY 3).
TEST(MaterialPaths, NormallyConsolidatedPlateau) {
  for (const double kappa_0 : {0.0, -1e5}) {
    SoilParameters p = clay(true);
    p.cap_start = kappa_0;
    const MaterialPath path = driven(p, "triaxial", 0.45, 100e3, 1000);
    EXPECT_NEAR(metric(path, "peak_axial_stress_Pa"), -244.8e3, 1e-3 * 244.8e3);
    EXPECT_EQ(loaded(path).soil.region, SoilRegion::compression_cap);
    EXPECT_EQ(metric(path, "cap_before_Pa"), kappa_0);
    EXPECT_LT(metric(path, "cap_after_Pa"), -450e3);
  }
}

TEST(MaterialPaths, UniaxialHasYoungsModulusAndAPlateau) {
  const MaterialPath path = driven(clay(false), "uniaxial", 0.01);
  const PathPoint& early = path.points[5];  // 0.00025, of 0.00046 where it yields
  EXPECT_EQ(early.soil.region, SoilRegion::elastic);
  EXPECT_NEAR(early.soil.stress[2] / early.strain[2], 91e6, 1);
  EXPECT_NEAR(early.strain[0] / early.strain[2], -0.3, 1e-9);
  EXPECT_NEAR(loaded(path).soil.stress[2], -41511.707, 0.01);
  EXPECT_NEAR(metric(path, "permanent_axial_strain"), -0.01 + 41511.707 / 91e6, 1e-9);
  EXPECT_NEAR(path.points.back().strain[2], metric(path, "permanent_axial_strain"), 1e-12);
  EXPECT_NEAR(metric(path, "stored_energy_loaded_J_per_m3"), 41511.707 * 41511.707 / (2 * 91e6), 1e-4);
  // All that was done beyond the elastic is lost: a rectangle under the plateau.
  EXPECT_NEAR(metric(path, "plastic_work_J_per_m3"), 41511.707 * (0.01 - 41511.707 / 91e6), 1);
}

TEST(MaterialPaths, HydrostaticCompaction) {
  SoilParameters p = clay(true);
  p.cap_start = -1e5;
  const double bulk = SoilLaw(p).bulk;
  const MaterialPath path = driven(p, "hydrostatic", 0.107684);  // 3 MPa by REFERENCE 5.3
  EXPECT_NEAR(trace(loaded(path).soil.stress), -3e6, 3e3);
  EXPECT_NEAR(metric(path, "permanent_volume_strain"), -0.094498, 1e-5);
  EXPECT_NEAR(metric(path, "cap_after_Pa"), -3e6, 3e3);
  for (const PathPoint& point : path.points) {  // before it yields, and while it unloads, by the bulk modulus
    const double elastic = trace(point.strain) - trace(point.soil.plastic_strain);
    EXPECT_NEAR(trace(point.soil.stress), 3 * bulk * elastic, 1e-3);
  }
}

// sigma_x/sigma_z = nu/(1 - nu) and the modulus K + 4G/3, until the line meets the cap.
TEST(MaterialPaths, OedometerIsElasticUntilTheCap) {
  SoilParameters p = clay(true);
  p.cap_start = -1e5;
  const SoilLaw law(p);
  const MaterialPath path = driven(p, "oedometer", 0.05, 0, 2000);
  const double modulus = law.bulk + 4 * law.shear / 3, K0 = 0.3 / 0.7;
  // Along it (I1, s) = sigma_z (1 + 2 K0, (1 - K0)/sqrt3).
  const auto beyond = [&](double axial) {
    return law.surface.beyond({-axial * (1 + 2 * K0), axial * (1 - K0) / std::numbers::sqrt3}, p.cap_start);
  };
  double low = 0, high = 1e6;
  while (high - low > 1e-6) (beyond(0.5 * (low + high)) > 0 ? high : low) = 0.5 * (low + high);
  double yield = 0;
  for (const PathPoint& point : path.points) {
    if (point.soil.region != SoilRegion::elastic) break;
    yield = -point.soil.stress[2];
    EXPECT_NEAR(point.soil.stress[2], modulus * point.strain[2], 1e-6);
    EXPECT_NEAR(point.soil.stress[0], K0 * point.soil.stress[2], 1e-6);
  }
  EXPECT_GT(yield, 10e3);
  EXPECT_NEAR(yield, low, modulus * 0.05 / 2000);  // a step
  EXPECT_EQ(loaded(path).soil.region, SoilRegion::compression_cap);
  EXPECT_NEAR(path.points.back().soil.stress[2], 0, 1e-3);
  EXPECT_EQ(path.points.back().strain[0], 0);
}

// Sheared on, soil held at its sides flows with e_xx' = e_yy' = 0, so s_xx = s_yy = -2 m' s, and with the
// pressure p along the axis: s = (k + 3 m p)/(1 - 12 m m'), tau = s sqrt(1 - 12 m'^2).
TEST(MaterialPaths, SimpleShearPlateau) {
  for (const double psi : {22.0, 10.0, 0.0}) {
    SoilParameters p = clay(false);
    p.dilation_angle = psi * degree;
    const material::SoilSurface f = SoilLaw(p).surface;
    for (const double pressure : {0.0, 100e3}) {
      const MaterialPath path = driven(p, "simple-shear", 0.3, pressure, 400);
      const double s = (f.k + 3 * f.m * pressure) / (1 - 12 * f.m * f.flow);
      const double tau = s * std::sqrt(1 - 12 * f.flow * f.flow);
      EXPECT_NEAR(metric(path, "peak_shear_stress_Pa"), tau, 1e-3 * tau) << psi << " " << pressure;
      EXPECT_NEAR(loaded(path).soil.stress[2], -pressure, 1e-6 * s);
      EXPECT_EQ(loaded(path).strain[0], path.points[400].strain[0]);  // as consolidated
      EXPECT_NEAR(2 * material::tensor(loaded(path).strain)(0, 2), 0.3, 1e-12);
    }
  }
}

// At the top of the cap soil flows without change of volume: s_xx = s_yy = s_zz = 0, I1 = -3 p, and the
// ellipse whose centre is there is k + 3 m p over q = sqrt(1 + m^2 R^2) high.
TEST(MaterialPaths, SimpleShearOnTheCap) {
  const material::SoilSurface f = SoilLaw(clay(true)).surface;
  const MaterialPath path = driven(clay(true), "simple-shear", 0.45, 100e3, 1000);
  const double tau = (f.k + 3 * f.m * 100e3) / std::sqrt(1 + f.m * f.m * f.R * f.R);
  EXPECT_NEAR(metric(path, "peak_shear_stress_Pa"), tau, 1e-3 * tau);
  EXPECT_NEAR(trace(loaded(path).soil.stress), -300e3, 300);
  EXPECT_EQ(loaded(path).soil.region, SoilRegion::compression_cap);
}

// The same seed, the same path; all cycles end where they began.
TEST(MaterialPaths, CyclesAreClosedAndSeeded) {
  const SoilLaw law(clay(true));
  const PathKind& kind = *find_path("cycles");
  const MaterialPath one = drive(law, kind, {0.02, 0, 30, 5}), same = drive(law, kind, {0.02, 0, 30, 5}),
                     other = drive(law, kind, {0.02, 0, 30, 6});
  EXPECT_EQ(one.points.back().soil.stress, same.points.back().soil.stress);
  EXPECT_NE(one.points.back().soil.stress, other.points.back().soil.stress);
  double largest = 0;
  for (std::size_t k = 0; k < one.points.size(); ++k) {
    largest = std::max(largest, one.points[k].strain.cwiseAbs().maxCoeff());
    const bool closing = k > 0 && k % 50 == 0;  // five legs of ten steps
    if (closing) {
      EXPECT_LT(one.points[k].strain.norm(), 1e-16);
    }
  }
  EXPECT_LE(largest, 0.02);
  EXPECT_GT(largest, 0.01);
}

TEST(MaterialPaths, AreFoundByName) {
  for (const PathKind& kind : path_kinds()) EXPECT_EQ(find_path(kind.name), &kind);
  EXPECT_EQ(find_path("sideways"), nullptr);
}

}  // namespace
}  // namespace hardpan::lab
