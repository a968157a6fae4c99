#include "hardpan/lab/material_point.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>

namespace hardpan::lab {
namespace {

using material::SoilLaw;
using material::SoilResponse;

constexpr int most_halvings = 10, most_iterations = 60;
constexpr int least_halvings = 4;     // that are kept for steps without solution
constexpr double largest_gap = 0.01;  // in the books of a step
constexpr double largest_step = 1;    // of strain, in one iteration

// 1 for components that are given by stress, 0 for the others.
Vec6 chosen(const Leg& leg) {
  Vec6 mask;
  for (int k = 0; k < 6; ++k) mask[k] = leg.by_stress[static_cast<std::size_t>(k)] ? 1 : 0;
  return mask;
}

// The first where the mask is 1, the second elsewhere.
Vec6 either(const Vec6& mask, const Vec6& one, const Vec6& other) {
  return (mask.array() > 0).select(one, other);
}

double stiffness(const SoilLaw& law) { return 3 * law.bulk + 2 * law.shear; }

// What rounding leaves of a stress, and a share of what is asked for.
double tolerance(const SoilLaw& law, const Vec6& strain, const Vec6& plastic_strain, const Vec6& asked) {
  return 1e-11 * asked.norm() + 1e-14 * stiffness(law) * (strain.norm() + plastic_strain.norm());
}

Mat6 elastic_tangent(const SoilLaw& law) {
  const Vec6 one = (Vec6() << 1, 1, 1, 0, 0, 0).finished();
  return law.bulk * one * one.transpose() + 2 * law.shear * (Mat6::Identity() - one * one.transpose() / 3);
}

// With strains that are given left alone.
Mat6 masked(const Mat6& tangent, const Vec6& mask, double diagonal) {
  Mat6 matrix = mask.asDiagonal() * tangent * mask.asDiagonal();
  matrix.diagonal() += (diagonal * (1 - mask.array())).matrix();
  return matrix;
}

}  // namespace

MaterialPoint::MaterialPoint(const SoilLaw& law) : law_(law) {
  now_.soil = material::respond(law, Vec6::Zero(), Vec6::Zero());
}

Vec6 MaterialPoint::given(const Leg& leg) const { return either(chosen(leg), now_.soil.stress, now_.strain); }

bool MaterialPoint::follow(const Leg& leg, std::vector<PathPoint>& points) {
  const Vec6 from = given(leg), to = either(chosen(leg), leg.goal, now_.strain + leg.goal);
  for (int step = 1; step <= leg.steps; ++step) {
    if (!reach(leg, from + (to - from) * step / leg.steps, most_halvings)) return false;
    points.push_back(now_);
  }
  return true;
}

bool MaterialPoint::reach(const Leg& leg, const Vec6& goal, int halvings) {
  const std::optional<Step> step = solve(leg, goal, halvings == 0);
  if (step && (halvings <= least_halvings || is_fine(*step))) {
    commit(*step);
    return true;
  }
  if (halvings == 0) return false;
  const Vec6 half = 0.5 * (given(leg) + goal);
  return reach(leg, half, halvings - 1) && reach(leg, goal, halvings - 1);
}

// From where an elastic step leads: flowing soil has tangents that are singular and tell nothing of the way
// back. Soil that softens may have nothing near, and give way at once: then further and further along where
// the error pushes.
std::optional<MaterialPoint::Step> MaterialPoint::solve(const Leg& leg, const Vec6& goal, bool far) const {
  const Vec6 mask = chosen(leg), asked = mask.cwiseProduct(goal);
  const Vec6& past = now_.soil.plastic_strain;
  const Eigen::LLT<Mat6> elastic(masked(elastic_tangent(law_), mask, stiffness(law_)));
  const auto push = [&](const Vec6& stress) -> Vec6 {
    return elastic.solve(asked - mask.cwiseProduct(stress));
  };
  const Vec6 held = either(mask, now_.strain, goal);
  std::optional<Step> step = approach(mask, asked, held + push(law_.elastic_stress(held - past)));
  const Vec6 along = push(material::respond(law_, held, past).stress);
  for (double reach = 1; far && !step && reach * along.norm() < largest_step; reach *= 2)
    step = approach(mask, asked, held + reach * along);
  return step;
}

// Newton's method. Where it goes astray, a share of the elastic stiffness is added: with more and more of it,
// a short elastic step. Errors are measured by their elastic energy, in which such steps go down wherever the
// tangent is not negative.
std::optional<MaterialPoint::Step> MaterialPoint::approach(const Vec6& mask, const Vec6& asked,
                                                           Vec6 strain) const {
  const Vec6& past = now_.soil.plastic_strain;
  const Mat6 elastic = masked(elastic_tangent(law_), mask, stiffness(law_));
  const Eigen::LLT<Mat6> inverse(elastic);
  const auto size_of = [&](const Vec6& error) { return error.dot(inverse.solve(error)); };
  Mat6 tangent;
  SoilResponse soil = material::respond(law_, strain, past, tangent);
  Vec6 error = asked - mask.cwiseProduct(soil.stress);
  double share = 0;
  for (int k = 0; k < most_iterations; ++k) {
    if (error.norm() <= tolerance(law_, strain, past, asked)) return Step{strain, soil};
    const Mat6 matrix = masked(tangent, mask, stiffness(law_)) + share * elastic;
    const Vec6 step = matrix.fullPivLu().solve(error), next = strain + step;
    Mat6 next_tangent;
    const SoilResponse there = material::respond(law_, next, past, next_tangent);
    const Vec6 next_error = asked - mask.cwiseProduct(there.stress);
    if (step.norm() < largest_step && size_of(next_error) < size_of(error)) {
      strain = next, soil = there, tangent = next_tangent, error = next_error;
      share = share > 1e-6 ? 0.01 * share : 0;
    } else {
      share = std::max(10 * share, 1e-4);
    }
  }
  return std::nullopt;
}

// Work and what became of it differ by (sigma' - sigma)/2 . (e_p' - e_p).
bool MaterialPoint::is_fine(const Step& step) const {
  const Vec6 flow = step.soil.plastic_strain - now_.soil.plastic_strain;
  const double stored = law_.elastic_energy(step.strain - step.soil.plastic_strain) - now_.stored;
  return std::abs(0.5 * (step.soil.stress - now_.soil.stress).dot(flow)) <=
         largest_gap * (std::abs(stored) + step.soil.stress.dot(flow));
}

void MaterialPoint::commit(const Step& step) {
  const auto& [strain, soil] = step;
  now_.work += 0.5 * (now_.soil.stress + soil.stress).dot(strain - now_.strain);
  now_.plastic_work += soil.stress.dot(soil.plastic_strain - now_.soil.plastic_strain);
  now_.strain = strain;
  now_.soil = soil;
  now_.stored = law_.elastic_energy(strain - soil.plastic_strain);
}

}  // namespace hardpan::lab
