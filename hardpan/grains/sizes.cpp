#include "hardpan/grains/sizes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "hardpan/core/error.h"

namespace hardpan::grains {
namespace {

constexpr int fine = 400;  // steps of a distribution that is not made of sieves

double cube_inverse(double d) { return 1 / (d * d * d); }

double normal_share(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

}  // namespace

Sizes Sizes::equal(double diameter) {
  Sizes sizes;
  sizes.diameter_ = {diameter, diameter};
  sizes.share_ = {0, 1};
  return sizes;
}

Sizes Sizes::uniform(double smallest, double largest) {
  HARDPAN_CHECK(smallest > 0 && smallest < largest, "sizes from small to large");
  Sizes sizes;
  for (int k = 0; k <= fine; ++k) {
    const double u = static_cast<double>(k) / fine;
    sizes.diameter_.push_back(smallest + u * (largest - smallest));
    sizes.share_.push_back(u);
  }
  return sizes;
}

Sizes Sizes::log_normal(double median_by_mass, double deviation, double smallest, double largest) {
  HARDPAN_CHECK(smallest > 0 && smallest < largest, "sizes from small to large");
  const double median = median_by_mass * std::exp(-3 * deviation * deviation);
  Sizes sizes;
  for (int k = 0; k <= fine; ++k) {
    const double d = smallest * std::pow(largest / smallest, static_cast<double>(k) / fine);
    sizes.diameter_.push_back(d);
    sizes.share_.push_back(normal_share(std::log(d / median) / deviation));
  }
  sizes.normalise();
  return sizes;
}

Sizes Sizes::passing(std::span<const double> diameter, std::span<const double> share) {
  HARDPAN_CHECK(diameter.size() == share.size() && diameter.size() >= 2, "two sieves or more");
  Sizes sizes;
  double sum = 0;
  for (std::size_t k = 0; k < diameter.size(); ++k) {
    if (k > 0)  // mass per dD goes with 1/D, number with 1/D^4
      sum += (share[k] - share[k - 1]) * (cube_inverse(diameter[k - 1]) - cube_inverse(diameter[k])) /
             (3 * std::log(diameter[k] / diameter[k - 1]));
    sizes.diameter_.push_back(diameter[k]);
    sizes.share_.push_back(sum);
  }
  sizes.normalise();
  return sizes;
}

void Sizes::normalise() {
  const double low = share_.front(), all = share_.back() - low;
  HARDPAN_CHECK(all > 0, "a distribution of sizes with nothing in it");
  for (double& share : share_) share = (share - low) / all;
  share_.back() = 1;
}

double Sizes::diameter(double u) const {
  const auto above = std::upper_bound(share_.begin() + 1, share_.end() - 1, u) - share_.begin();
  const auto k = static_cast<std::size_t>(above);
  const double part = (u - share_[k - 1]) / (share_[k] - share_[k - 1]);
  const double low = cube_inverse(diameter_[k - 1]), high = cube_inverse(diameter_[k]);
  return std::clamp(1 / std::cbrt(low + part * (high - low)), diameter_[k - 1], diameter_[k]);
}

double deviation_of_uniformity(double uniformity) {
  constexpr double z60 = 0.2533471031357997, z10 = -1.2815515655446004;
  return std::log(uniformity) / (z60 - z10);
}

}  // namespace hardpan::grains
