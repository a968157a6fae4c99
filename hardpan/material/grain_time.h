// The shortest time in the life of a grain, on which its step must depend.
//
//     hertz    Rayleigh time  pi r sqrt(rho/G)/(0.1631 nu + 0.8766): that of a surface wave from pole to pole
//              (Thornton & Randall, in Micromechanics of Granular Materials, Elsevier 1988, 133-142)
//     hooke    collision time  pi sqrt(m/2k) of two equal grains, undamped
#pragma once

#include <cmath>
#include <numbers>

#include "hardpan/material/grain_law.h"

namespace hardpan::material {

// Of a grain of radius r, m, and density rho, kg/m^3.
inline double rayleigh_time(const Elasticity& stuff, double radius, double density) {
  return std::numbers::pi * radius * std::sqrt(density / stuff.shear_modulus()) /
         (0.1631 * stuff.poisson + 0.8766);
}

inline double collision_time(double stiffness, double mass) {
  return std::numbers::pi * std::sqrt(0.5 * mass / stiffness);
}

}  // namespace hardpan::material
