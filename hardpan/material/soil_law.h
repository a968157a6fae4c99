// Soil as a solid: linear between stress and strain as long as it is elastic (Hencky's law, where the strain
// is logarithmic and the stress Kirchhoff's; St. Venant & Kirchhoff's, where the strain is that of Green &
// Lagrange and the stress the second one of Piola & Kirchhoff: meshfree/strain.h), and plastic beyond
// the surface of soil_surface.h. The compression cap hardens with the volume that is lost,
//
//     kappa = kappa_0 + ln(1 + tr(e_p)/W)/D,     at most where its tangent point meets that of the tension
//     cap
//
// so that e_p alone is the state: soil that has dilated gives way until it is as dense as it was. A strain e
// leads from e_p to the stress
//
//     sigma = C (e - e_p'),     e_p' = e_p + l n(sigma),     f(sigma, kappa(e_p')) = 0
//
// fully implicit. For a fixed kappa there is one way back (soil_surface.h), and the I1 to which it leads is
// continuous in kappa. So is kappa less the kappa of the hardening that follows; it is not positive for a cap
// far away and not negative at the largest kappa: it has a zero between, which is found within brackets, and
// the return cannot fail. Where soil compacts there is one zero; where it dilates under the cap it softens,
// and there may be several in one large step.
//
// Tensors by Mandel: (xx, yy, zz, sqrt2 yz, sqrt2 xz, sqrt2 xy), so that a dot product is a double
// contraction. Stresses are positive in tension.
#pragma once

#include <numbers>
#include <string>

#include "hardpan/material/soil_surface.h"
#include "hardpan/math/types.h"

namespace hardpan::material {

inline Vec6 mandel(const Mat3& t) {
  constexpr double root = std::numbers::sqrt2;
  Vec6 v;
  v << t(0, 0), t(1, 1), t(2, 2), root * t(1, 2), root * t(0, 2), root * t(0, 1);
  return v;
}
inline Mat3 tensor(const Vec6& v) {
  constexpr double over = 1 / std::numbers::sqrt2;
  const double yz = over * v[3], xz = over * v[4], xy = over * v[5];
  Mat3 t;
  t << v[0], xy, xz, xy, v[1], yz, xz, yz, v[2];
  return t;
}
inline double trace(const Vec6& tensor) { return tensor[0] + tensor[1] + tensor[2]; }

// What people give. Caps are optional; angles in rad.
struct SoilParameters {
  double young = 0, poisson = 0;  // Pa, -
  bool plastic = true;            // no: elastic alone
  double friction_angle = 0;      // phi, rad
  double dilation_angle = 0;      // psi <= phi; equal: associated flow
  double cohesion = 0;            // c, Pa
  bool tension_cap = false;
  double tension = 0;  // T: I1 at its end, Pa
  bool compression_cap = false;
  double cap_ratio = 1;       // R_C: half axes along I1 over s
  double cap_start = 0;       // kappa_0: I1 at its end, Pa
  double hardening_rate = 0;  // D, 1/Pa
  double max_compaction = 0;  // W: largest plastic loss of volume, -
};

// What is wrong with them, in words, with the key; empty where nothing is.
std::string fault_of(const SoilParameters& given);

struct SoilLaw {
  double bulk = 0, shear = 0;  // K, G, Pa
  bool plastic = false;
  SoilSurface surface;
  double kappa_0 = 0, D = 0, W = 0, kappa_max = 0;

  SoilLaw() = default;
  explicit SoilLaw(const SoilParameters& given);  // parameters without fault

  Mat6 elastic_stiffness() const;
  double young() const { return 9 * bulk * shear / (3 * bulk + shear); }
  double kappa(double plastic_volume) const;      // of tr(e_p)
  double hardening(double plastic_volume) const;  // d kappa/d tr(e_p)
  Vec6 elastic_stress(const Vec6& elastic_strain) const;
  double elastic_energy(const Vec6& elastic_strain) const;  // J/m^3
};

struct SoilResponse {
  Vec6 stress = Vec6::Zero();
  Vec6 plastic_strain = Vec6::Zero();  // after it
  SoilRegion region = SoilRegion::elastic;
  double kappa = 0;
};

SoilResponse respond(const SoilLaw& law, const Vec6& strain, const Vec6& plastic_strain);

// The same, with d stress/d strain.
SoilResponse respond(const SoilLaw& law, const Vec6& strain, const Vec6& plastic_strain, Mat6& tangent);

}  // namespace hardpan::material
