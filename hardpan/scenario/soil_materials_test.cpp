#include "hardpan/scenario/soil_materials.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "hardpan/scenario/run.h"
#include "hardpan/scenario/test_scenarios.h"

namespace hardpan::scenario {
namespace {

const std::string start = "hardpan: 1\ntime: {end: 1}\nmaterials:\n  clay:\n    young: 9.1e+7\n";

Value material(const std::string& keys) {
  return load_text(start + keys, "f").resolved.at("materials").at("clay");
}

std::string refusal(const std::string& keys) {
  try {
    material(keys);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(SoilMaterials, BecomeALaw) {
  const material::SoilLaw law = soil_law_of(material(R"(    poisson: 0.3
    soil:
      friction_angle_deg: 22
      cohesion: 14000
      tension: 75000
      cap: {ratio: 2.5, start: -1.0e+5, hardening: 1.0e-6, compaction: 0.1}
)"));
  EXPECT_TRUE(law.plastic);
  EXPECT_NEAR(law.bulk, 75.83333e6, 10);
  EXPECT_NEAR(law.shear, 35e6, 1e-3);
  EXPECT_NEAR(3 * law.surface.m, 0.494278420, 1e-9);
  EXPECT_EQ(law.surface.flow, law.surface.m);  // associated by default
  EXPECT_NEAR(law.surface.k, 1.223382020 * 14e3, 1e-4);
  EXPECT_TRUE(law.surface.tension_cap && law.surface.compression_cap);
  EXPECT_EQ(law.surface.T, 75e3);
  EXPECT_EQ(law.surface.R, 2.5);
  EXPECT_EQ(law.kappa_0, -1e5);
  EXPECT_EQ(law.D, 1e-6);
  EXPECT_EQ(law.W, 0.1);
}

TEST(SoilMaterials, CapsAreOptionalAndSoilToo) {
  const material::SoilLaw cone =
      soil_law_of(material("    soil: {friction_angle_rad: 0.5, dilation_angle_deg: 0, cohesion: 0}\n"));
  EXPECT_TRUE(cone.plastic);
  EXPECT_FALSE(cone.surface.tension_cap || cone.surface.compression_cap);
  EXPECT_EQ(cone.surface.flow, 0);
  EXPECT_NEAR(cone.surface.m, 2 * std::sin(0.5) / (std::numbers::sqrt3 * (3 - std::sin(0.5))), 1e-15);
  const material::SoilLaw elastic = soil_law_of(material(""));
  EXPECT_FALSE(elastic.plastic);
  EXPECT_NEAR(elastic.shear, 35e6, 1e-3);  // poisson 0.3 by default
}

TEST(SoilMaterials, ComplaintsNameTheKey) {
  const auto soil = [](const std::string& keys) {
    return refusal("    soil:\n      friction_angle_deg: 22\n      cohesion: 14000\n" + keys);
  };
  EXPECT_EQ(soil("      tension: 104000\n"),
            "f:9:16: materials.clay.soil.tension: 104000 Pa, must lie between 0 and the apex of the cone, "
            "103954 Pa");
  EXPECT_EQ(soil("      dilation_angle_deg: 23\n"),
            "f:9:27: materials.clay.soil.dilation_angle_deg: 23 degrees, must lie between 0 and the friction "
            "angle, 22");
  EXPECT_NE(soil("      cap: {ratio: 2.5, start: 1000, hardening: 1e-6, compaction: 0.1}\n")
                .find("f:9:32: materials.clay.soil.cap.start: 1000 Pa, must be at most"),
            std::string::npos);
  EXPECT_NE(refusal("    soil: {friction_angle_deg: 95, cohesion: 1}\n")
                .find("soil.friction_angle_deg: 95 degrees, must be at least 0 and below 90"),
            std::string::npos);
  EXPECT_NE(
      refusal("    soil: {friction_angle_deg: 22, cohesion: 0, tension: 1}\n").find("soil.cohesion: must be"),
      std::string::npos);
  EXPECT_NE(refusal("    poisson: 0.5\n    soil: {friction_angle_deg: 22, cohesion: 0}\n")
                .find("f:6:14: materials.clay.poisson: 0.5, must lie between"),
            std::string::npos);
}

}  // namespace
}  // namespace hardpan::scenario
