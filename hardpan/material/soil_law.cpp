#include "hardpan/material/soil_law.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/core.h>

namespace hardpan::material {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

Vec6 unit() {
  Vec6 one = Vec6::Zero();
  one.head<3>().setOnes();
  return one;
}

Vec6 deviator(const Vec6& tensor) { return tensor - trace(tensor) / 3 * unit(); }

SoilSurface surface_of(const SoilParameters& given) {
  const auto slope = [](double angle) {
    return 2 * std::sin(angle) / (std::numbers::sqrt3 * (3 - std::sin(angle)));  // eta/3
  };
  SoilSurface surface;
  surface.m = slope(given.friction_angle);
  surface.flow = slope(given.dilation_angle);
  surface.k = 6 * std::cos(given.friction_angle) /
              (std::numbers::sqrt3 * (3 - std::sin(given.friction_angle))) * given.cohesion;
  surface.tension_cap = given.tension_cap;
  surface.T = given.tension;
  surface.compression_cap = given.compression_cap;
  surface.R = given.cap_ratio;
  return surface;
}

// The stress before anything yields, by invariants.
struct Trial {
  double volume;  // elastic, tr(e - e_p)
  Vec6 deviator;  // of the stress, Pa
  InvariantPoint at;

  Trial(const SoilLaw& law, const Vec6& strain, const Vec6& plastic_strain)
      : volume(trace(strain) - trace(plastic_strain)),
        deviator(2 * law.shear * material::deviator(strain - plastic_strain)),
        at{3 * law.bulk * volume, deviator.norm() / std::numbers::sqrt2} {}
};

// Where the way back leads when the cap stands at kappa, and where the cap should stand then.
struct Attempt {
  SoilReturn back;
  double kappa;  // by the hardening

  Attempt(const SoilLaw& law, double at, const InvariantPoint& trial, double plastic_volume)
      : back(law.surface.beyond(trial, at) > 0 ? come_back(law.surface, at, trial, law.bulk, law.shear)
                                               : SoilReturn{.at = trial}),
        kappa(law.kappa(plastic_volume + (trial.I - back.at.I) / (3 * law.bulk))) {}
};

// The kappa that agrees with the hardening that it leads to. Regula falsi (Illinois), halved where that is
// slow.
double kappa_after(const SoilLaw& law, const InvariantPoint& trial, double plastic_volume) {
  const auto excess = [&](double kappa) { return kappa - Attempt(law, kappa, trial, plastic_volume).kappa; };
  double high = law.kappa(plastic_volume), at_high = excess(high);
  if (at_high == 0) return high;
  double low, at_low;
  if (at_high < 0) {  // it has dilated: the cap comes closer
    low = high, at_low = at_high;
    high = std::min(law.kappa_max, low - at_low);
    at_high = excess(high);
    if (at_high < 0) {  // it softens faster than it yields
      high = law.kappa_max;
      at_high = excess(high);
    }
  } else {
    const double scale = std::abs(trial.I) + trial.s + law.surface.k + std::abs(high);
    low = std::max(high - at_high, high - scale);
    at_low = excess(low);
    for (double reach = scale; at_low > 0; reach *= 4) {
      low = high - reach;
      at_low = excess(low);
    }
  }
  int same = 0;  // how often the same end stayed
  for (int k = 0; k < 300 && at_low < 0 && at_high > 0; ++k) {
    if (high - low <= 2e-16 * (std::abs(high) + std::abs(low))) break;
    double middle = std::isfinite(at_high) && std::isfinite(at_low)
                        ? (low * at_high - high * at_low) / (at_high - at_low)
                        : 0.5 * (low + high);
    if (k % 8 == 7 || !(middle > low && middle < high)) middle = 0.5 * (low + high);
    const double value = excess(middle);
    if (value == 0 || std::abs(value) <= 1e-15 * std::abs(middle)) return middle;
    if (value < 0) {
      low = middle, at_low = value;
      if (same < 0) at_high *= 0.5;
      same = -1;
    } else {
      high = middle, at_high = value;
      if (same > 0) at_low *= 0.5;
      same = 1;
    }
  }
  return at_low == 0 ? low : high;
}

Mat6 tangent_of(const SoilLaw& law, const Trial& trial, const SoilReturn& back, const Slope& slope) {
  const Vec6 one = unit();
  const Mat6 deviatoric = Mat6::Identity() - one * one.transpose() / 3;
  const double length = trial.deviator.norm();
  // The direction of the deviator; where there is none, all directions are alike and only their share counts.
  const Vec6 n = length > 0 ? Vec6(trial.deviator / length) : Vec6(Vec6::Zero());
  const double share = length > 0 ? back.at.s / trial.at.s : slope.ss;
  const Vec6 I = 3 * law.bulk * one, s = std::numbers::sqrt2 * law.shear * n;  // of the trial, by the strain
  return one / 3 * (slope.II * I + slope.Is * s).transpose() +
         std::numbers::sqrt2 * n * (slope.sI * I + slope.ss * s).transpose() +
         2 * law.shear * share * (deviatoric - n * n.transpose());
}

SoilResponse respond(const SoilLaw& law, const Vec6& strain, const Vec6& plastic_strain, Mat6* tangent) {
  const Trial trial(law, strain, plastic_strain);
  const double volume = trace(plastic_strain);
  SoilResponse response{.plastic_strain = plastic_strain, .kappa = law.kappa(volume)};
  SoilReturn back{.at = trial.at};
  double hardening = 0;
  if (law.plastic && law.surface.beyond(trial.at, response.kappa) > 0) {
    if (law.surface.compression_cap) response.kappa = kappa_after(law, trial.at, volume);
    back = come_back(law.surface, response.kappa, trial.at, law.bulk, law.shear);
    const double lost = (trial.at.I - back.at.I) / (3 * law.bulk);
    hardening = law.hardening(volume + lost);
    const double share = trial.at.s > 0 ? back.at.s / trial.at.s : 0;
    response.plastic_strain += lost / 3 * unit() + (1 - share) / (2 * law.shear) * trial.deviator;
    response.stress = back.at.I / 3 * unit() + share * trial.deviator;
  } else {
    response.stress = trial.at.I / 3 * unit() + trial.deviator;
  }
  response.region = back.region;
  if (tangent)
    *tangent =
        tangent_of(law, trial, back,
                   slope_of(law.surface, response.kappa, trial.at, back, law.bulk, law.shear, hardening));
  return response;
}

}  // namespace

std::string fault_of(const SoilParameters& given) {
  if (!(given.young > 0)) return fmt::format("young: {} Pa, must be greater than 0", given.young);
  if (!(given.poisson > -1 && given.poisson < 0.5))
    return fmt::format("poisson: {}, must lie between -1 and 0.5", given.poisson);
  if (!given.plastic) return {};
  constexpr double right_angle = std::numbers::pi / 2, degree = right_angle / 90;
  if (!(given.friction_angle >= 0 && given.friction_angle < right_angle))
    return fmt::format("friction_angle: {:.6g} degrees, must be at least 0 and below 90",
                       given.friction_angle / degree);
  if (!(given.dilation_angle >= 0 && given.dilation_angle <= given.friction_angle))
    return fmt::format("dilation_angle: {:.6g} degrees, must lie between 0 and the friction angle, {:.6g}",
                       given.dilation_angle / degree, given.friction_angle / degree);
  if (!(given.cohesion >= 0)) return fmt::format("cohesion: {} Pa, must be at least 0", given.cohesion);
  if (!(given.cohesion > 0) && (given.tension_cap || given.compression_cap || given.friction_angle == 0))
    return "cohesion: must be greater than 0 where there are caps, or no friction";
  const SoilSurface surface = surface_of(given);
  if (given.tension_cap && !(given.tension > 0 && given.tension < surface.apex()))
    return fmt::format("tension: {} Pa, must lie between 0 and the apex of the cone, {:.6g} Pa",
                       given.tension, surface.apex());
  if (!given.compression_cap) return {};
  if (!(given.cap_ratio > 0)) return fmt::format("cap_ratio: {}, must be greater than 0", given.cap_ratio);
  if (!(given.hardening_rate > 0))
    return fmt::format("hardening_rate: {} 1/Pa, must be greater than 0", given.hardening_rate);
  if (!(given.max_compaction > 0 && given.max_compaction < 1))
    return fmt::format("max_compaction: {}, must lie between 0 and 1", given.max_compaction);
  if (!(given.cap_start <= surface.largest_kappa()))
    return fmt::format(
        "cap_start: {} Pa, must be at most {:.6g} Pa, where soil without stress is still elastic and "
        "the caps do not meet",
        given.cap_start, surface.largest_kappa());
  return {};
}

SoilLaw::SoilLaw(const SoilParameters& given)
    : bulk(given.young / (3 * (1 - 2 * given.poisson))),
      shear(given.young / (2 * (1 + given.poisson))),
      plastic(given.plastic),
      surface(surface_of(given)),
      kappa_0(given.cap_start),
      D(given.hardening_rate),
      W(given.max_compaction),
      kappa_max(surface.largest_kappa()) {}

double SoilLaw::kappa(double plastic_volume) const {
  if (!surface.compression_cap) return -infinite;
  const double left = 1 + plastic_volume / W;
  return left > 0 ? std::min(kappa_max, kappa_0 + std::log(left) / D) : -infinite;
}

double SoilLaw::hardening(double plastic_volume) const {
  if (!surface.compression_cap || kappa(plastic_volume) >= kappa_max) return 0;
  return 1 / (D * std::max(0.0, W + plastic_volume));
}

Vec6 SoilLaw::elastic_stress(const Vec6& elastic_strain) const {
  return bulk * trace(elastic_strain) * unit() + 2 * shear * deviator(elastic_strain);
}

double SoilLaw::elastic_energy(const Vec6& elastic_strain) const {
  return 0.5 * elastic_stress(elastic_strain).dot(elastic_strain);
}

Mat6 SoilLaw::elastic_stiffness() const {
  Mat6 C = 2 * shear * Mat6::Identity();
  C.topLeftCorner<3, 3>().array() += bulk - 2 * shear / 3;
  return C;
}

SoilResponse respond(const SoilLaw& law, const Vec6& strain, const Vec6& plastic_strain) {
  return respond(law, strain, plastic_strain, nullptr);
}

SoilResponse respond(const SoilLaw& law, const Vec6& strain, const Vec6& plastic_strain, Mat6& tangent) {
  return respond(law, strain, plastic_strain, &tangent);
}

}  // namespace hardpan::material
