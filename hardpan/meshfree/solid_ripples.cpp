// A solid's rows against ripples (solid.h): where they begin, what they bear, their part in the books.
#include <algorithm>
#include <limits>
#include <numbers>

#include "hardpan/core/parallel.h"
#include "hardpan/meshfree/solid.h"

namespace hardpan::meshfree {
namespace {

constexpr double least_kept = 1e-6;  // of the stiffness, of ripples that flow

}  // namespace

// Of a column under its weight, M u'' = -rho g: where ripples begin, so that it does not hang on their rows.
Vec3 Solid::ripple_of_weight(std::size_t i) const {
  const SolidMaterial& material = model_.material_of(i);
  const double g = model_.gravity.norm(), M = material.law.bulk + 4.0 / 3 * material.law.shear;
  if (!(g > 0)) return Vec3::Zero();
  const Vec3 down = model_.gravity / g;
  return ripple_rows_.of(i, [&](std::size_t j) {
    const double depth = down.dot(model_.cloud.position[j] - model_.cloud.position[i]);
    return Vec3(-0.5 * material.density * g / M * depth * depth * down);
  });
}

double Solid::ripple_stiffness(std::size_t i) const {
  return model_.ripple_stiffness * 2 * model_.material_of(i).law.shear;
}

// A share of the shear strength that soil has under the pressure where the last velocities lead.
double Solid::ripple_strength(std::size_t i) const {
  const material::SoilLaw& law = model_.material_of(i).law;
  if (!law.plastic) return std::numeric_limits<double>::infinity();
  const double s = law.surface.k - law.surface.m * material::trace(points_[i].response.stress);
  return model_.ripple_strength * std::numbers::sqrt2 * std::max(0.0, s);
}

void Solid::write_ripples(double h) {
  const double t = relaxation(h) + 0.25 * h;
  parallel_for(size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Point& point = points_[i];
      point.ripple = point.F.transpose() * point.g - state_.ripple[i];
      const double ahead = ripple_stiffness(i) * (point.ripple + relaxation(h) * point.ripple_rate).norm(),
                   strength = ripple_strength(i);
      point.kept = ahead > strength ? std::max(least_kept, strength / ahead) : 1;
      const double stiffness = h * t * model_.cloud.volume[i] * point.kept * ripple_stiffness(i);
      const Vec3 rhs = (0.25 * h * point.ripple_rate - point.ripple) / t;
      ripple_rows_.set_point(i, point.F, point.g);
      for (std::size_t a = 0; a < 3; ++a)
        ripple_rows_.set(3 * i + a, 1 / stiffness, rhs[static_cast<Eigen::Index>(a)]);
      strain_rows_.set_ripple(i, point.g, stiffness, rhs);
    }
  });
}

// r - r_p where the law sees it.
Vec3 Solid::ripple_ahead(std::size_t i, double h) const {
  const Point& point = points_[i];
  return point.ripple + relaxation(h) * point.ripple_rate_after +
         0.25 * h * (point.ripple_rate_after - point.ripple_rate);
}

// What flows, and what viscous stress takes, of ripples, as solid_books.cpp has it for strains.
void Solid::book_ripples(double h) {
  for (std::size_t i = 0; i < size(); ++i) {
    const Vec3 &rate = points_[i].ripple_rate_after, ahead = ripple_ahead(i, h);
    const Vec3 flow = next_.ripple[i] - state_.ripple[i];
    const double kappa = model_.cloud.volume[i] * ripple_stiffness(i);
    next_.books.plastic += kappa * (ahead - flow).dot(flow);
    next_.books.viscous +=
        kappa * relaxation(h) * (rate - flow / h).dot(0.5 * h * (points_[i].ripple_rate + rate) - flow);
  }
}

}  // namespace hardpan::meshfree
