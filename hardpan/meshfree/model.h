// What a solid is made of, and what is done to it from outside. Constant during a run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hardpan/material/soil_law.h"
#include "hardpan/math/curve.h"
#include "hardpan/meshfree/cloud.h"
#include "hardpan/meshfree/strain.h"

namespace hardpan::meshfree {

struct SolidMaterial {
  material::SoilLaw law;
  double density = 0;  // kg/m^3
};

// Particles whose places along one direction are given: those of a plate without friction, one for each of
// three directions where they are glued.
struct Hold {
  std::vector<std::uint32_t> particles;
  Vec3 direction = Vec3::UnitZ();  // unit
  Curve way;                       // along it, from where they are at the start of the run, over time, m
  std::string name = {};
};

// Stress on a face, positive where it pulls. Particles take it by their share of the surface along its
// normal.
struct Traction {
  enum class Measure {
    cauchy,     // force over the area and along the normal that the face has now
    kirchhoff,  // the same over the determinant of F: what laws in logarithmic strains are written in
    piola,  // so that S n = stress n, S the second one of Piola & Kirchhoff: F (stress n) over the first area
  };
  std::vector<std::uint32_t> particles;
  Vec3 normal = Vec3::UnitZ();  // outward, unit, at first
  Measure measure = Measure::cauchy;
  Curve stress;  // over time, Pa
  std::string name = {};
};

struct SolidModel {
  Cloud cloud;
  std::vector<SolidMaterial> materials;
  std::vector<std::uint32_t> material;                        // of particles
  Vec3 gravity = Vec3::Zero();                                // m/s^2
  StrainMeasure strain_measure = StrainMeasure::logarithmic;  // in which laws are written
  double reach = 0;  // l over the spacing, from 1.5, or Gradient::nearest; 0: as is usual (reach_of)
  double ripple_stiffness = 0.05;  // over 2 G, >= 0
  double ripple_strength = 0.03;   // chi: over the shear strength of soil, >= 0
  double stabilisation = 0;        // alpha of rows of balance, >= 0
  double relaxation_time = -1;     // tau of viscous stress, s; below 0: one step
  bool iterate = true;             // plasticity within the step; no: predicted at its beginning
  std::vector<Hold> holds;
  std::vector<Traction> tractions;

  const SolidMaterial& material_of(std::size_t particle) const { return materials[material[particle]]; }
};

// The nearest neighbours in a whole lattice without rows of balance, else two spacings.
double reach_of(const SolidModel& model);

// What is wrong with it, in words; empty where nothing is.
std::string fault_of(const SolidModel& model);

}  // namespace hardpan::meshfree
