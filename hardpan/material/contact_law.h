// How two surfaces meet: a value for each pair of materials.
#pragma once

namespace hardpan::material {

struct ContactLaw {
  double friction = 0.5;       // Coulomb's coefficient, >= 0
  double restitution = 0;      // Newton's, 0 to 1
  double compliance = 1e-8;    // of a contact point, in every direction, > 0, m/N
  double relaxation_time = 0;  // damping over stiffness, s; 0: two steps, the least that does not ring
  double rolling = 0;          // largest rolling moment over the normal force, >= 0, m
  double twisting = 0;         // likewise about the normal, m
  double adhesion = 0;         // attraction of what touches, at every contact point, >= 0, N
};

}  // namespace hardpan::material
