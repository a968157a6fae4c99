// Soils, strains and pasts for tests.
#pragma once

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "hardpan/core/random.h"
#include "hardpan/material/soil_law.h"

namespace hardpan::material::test {

constexpr double degree = std::numbers::pi / 180;

// Of Dolarevic & Ibrahimbegovic 2007, as MESHFREE 4.3 has it.
inline SoilParameters clay(bool capped) {
  SoilParameters p;
  p.young = 91e6;
  p.poisson = 0.3;
  p.friction_angle = p.dilation_angle = 22 * degree;
  p.cohesion = 14e3;
  p.tension_cap = p.compression_cap = capped;
  p.tension = 75e3;
  p.cap_ratio = 2.5;
  p.hardening_rate = 1e-6;
  p.max_compaction = 0.1;
  return p;
}

inline Vec6 diagonal(double x, double y, double z) {
  Vec6 v = Vec6::Zero();
  v.head<3>() << x, y, z;
  return v;
}

struct RandomSoil {
  SoilLaw law;
  bool associated;
};

inline RandomSoil random_soil(const CounterRandom& random, std::uint64_t draw) {
  const auto within = [&](std::uint64_t k, double low, double high) {
    return random.uniform(draw + k, low, high);
  };
  const auto decades = [&](std::uint64_t k, double low, double high) {
    return std::pow(10, within(k, std::log10(low), std::log10(high)));
  };
  SoilParameters p;
  p.young = decades(0, 1e5, 1e9);
  p.poisson = within(1, 0, 0.49);
  p.friction_angle = random.uniform(draw + 2) < 0.1 ? 0.0 : within(3, 0, 45) * degree;
  const bool associated = random.uniform(draw + 4) < 0.6;
  p.dilation_angle = associated ? p.friction_angle : within(5, 0, 1) * p.friction_angle;
  p.cohesion = decades(6, 10, 1e5);
  p.tension_cap = random.uniform(draw + 7) < 0.7;
  p.compression_cap = random.uniform(draw + 8) < 0.7;
  p.cap_ratio = within(9, 0.5, 5);
  p.hardening_rate = decades(10, 1e-8, 1e-4);
  p.max_compaction = within(11, 0.01, 0.4);
  SoilLaw law(p);
  p.tension = within(12, 0.05, 0.95) * std::min(law.surface.apex(), 10 * p.cohesion);
  law = SoilLaw(p);
  p.cap_start = law.surface.largest_kappa() - decades(13, 10, 1e7);
  EXPECT_EQ(fault_of(p), "");
  return {SoilLaw(p), associated};
}

inline Vec6 random_strain(const CounterRandom& random, std::uint64_t draw) {
  Vec6 e;
  for (int k = 0; k < 6; ++k) e[k] = random.uniform(draw + static_cast<std::uint64_t>(k), -1, 1);
  if (random.uniform(draw + 6) < 0.2) e = e[0] * diagonal(1, 1, 1);  // hydrostatic
  if (random.uniform(draw + 7) < 0.3) e += random.uniform(draw + 8, -20, 20) * diagonal(1, 1, 1);
  return std::pow(10, random.uniform(draw + 9, -6, 0.5)) * e;
}

// A plastic strain that a soil may have.
inline Vec6 random_past(const CounterRandom& random, std::uint64_t draw, const SoilLaw& law) {
  Vec6 e;
  for (int k = 0; k < 6; ++k) e[k] = 0.1 * random.uniform(draw + static_cast<std::uint64_t>(k), -1, 1);
  const double volume = law.surface.compression_cap ? random.uniform(draw + 6, -0.999 * law.W, 0.2) : 0;
  return e + (volume - trace(e)) / 3 * diagonal(1, 1, 1);
}

}  // namespace hardpan::material::test
