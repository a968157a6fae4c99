// How two grains push each other: penalty contact with the history of the tangential displacement.
//
// At a contact with overlap d > 0, normal n from grain i to grain j, and v the velocity of j against i there,
// split into v_n = n.v and v_t = v - v_n n, the force on j is F_n n + F_t, on i the opposite:
//
//     F_n = k_n d - c_n v_n
//     F_t = f - c_t v_t,     |F_t| <= mu max(0, F_n)                            (DEM-P eqs. 1, 2)
//
//                 hooke                hertz
//     k_n, k_t    given                (4/3) E* sqrt(R* d), 8 G* sqrt(R* d)
//     c_n, c_t    2 zeta sqrt(k m*)    2 sqrt(5/6) zeta sqrt(S m*),  S_n = (3/2) k_n,  S_t = k_t
//
// with zeta = -ln e/sqrt(ln^2 e + pi^2) for a restitution e. Where dampings gamma are given instead, it is
// c = s gamma m* with s = 1 for hooke and s = sqrt(R* d) for hertz (DEM-P eq. 1). The elastic part f of the
// tangential force is
//
//     none            0
//     pseudo          -k_t v_t h                                                 (DEM-P eq. 5)
//     displacement    -k_t u,  u' = v_t                                          (DEM-P eqs. 3, 4, 6)
//     incremental     f' = -k_t v_t, and less by k_t'/k_t where the stiffness falls
//
// and beyond Coulomb's limit it is brought back to it, u with it. What is remembered turns with the contact:
// into the new plane, as long as before, and about the normal with the mean spin of the two. A stiffness that
// grows with the overlap under a fixed u creates energy, (k_2 - k_1) u^2/2: `displacement` is the published
// form, `incremental` creates none (after Thornton, Cummins & Cleary, Powder Technology 210 (2011) 189-197:
// the force is kept while the overlap grows and shrinks with the stiffness). The damper acts only while f
// sticks, and never beyond the limit. The normal force may pull at the end of a contact: only then is the
// restitution what was asked for (Antypov & Elliott, EPL 94 (2011) 50004).
//
// What a step does with the energy is told term by term, none by subtraction.
#pragma once

#include <cmath>
#include <numbers>

#include "hardpan/math/vector3.h"

namespace hardpan::material {

enum class NormalForce { hooke, hertz };
enum class TangentialForce { none, pseudo, displacement, incremental };

constexpr bool remembers(TangentialForce force) {
  return force == TangentialForce::displacement || force == TangentialForce::incremental;
}

// Of a pair of materials.
struct GrainLaw {
  NormalForce normal = NormalForce::hertz;
  TangentialForce tangential = TangentialForce::incremental;
  double stiffness_n = 0, stiffness_t = 0;  // hooke: N/m; hertz: (4/3) E*, 8 G*, Pa
  double damping_n = 0, damping_t = 0;      // by restitution: zeta; given: gamma, 1/s; hertz: 1/(m s)
  bool damping_given = false;
  double friction = 0.5;
};

// Elastic constants of one material.
struct Elasticity {
  double modulus;  // Young's, > 0, Pa
  double poisson;  // -1 < nu < 0.5

  double shear_modulus() const { return modulus / (2 * (1 + poisson)); }
};

inline double effective_modulus(const Elasticity& a, const Elasticity& b) {
  return 1 / ((1 - a.poisson * a.poisson) / a.modulus + (1 - b.poisson * b.poisson) / b.modulus);
}
inline double effective_shear_modulus(const Elasticity& a, const Elasticity& b) {
  const auto part = [](const Elasticity& m) { return 2 * (2 - m.poisson) * (1 + m.poisson) / m.modulus; };
  return 1 / (part(a) + part(b));
}

// zeta of a restitution, 0 <= e <= 1.
inline double damping_ratio(double restitution) {
  if (restitution <= 0) return 1;  // the limit
  const double log = std::log(restitution);
  return -log / std::sqrt(log * log + std::numbers::pi * std::numbers::pi);
}

inline GrainLaw hertz_law(const Elasticity& a, const Elasticity& b, double restitution, double friction) {
  const double zeta = damping_ratio(restitution);
  return {.stiffness_n = 4.0 / 3.0 * effective_modulus(a, b),
          .stiffness_t = 8 * effective_shear_modulus(a, b),
          .damping_n = zeta,
          .damping_t = zeta,
          .friction = friction};
}

inline GrainLaw hooke_law(double stiffness_n, double stiffness_t, double restitution, double friction) {
  const double zeta = damping_ratio(restitution);
  return {.normal = NormalForce::hooke,
          .stiffness_n = stiffness_n,
          .stiffness_t = stiffness_t,
          .damping_n = zeta,
          .damping_t = zeta,
          .friction = friction};
}

template <class T>
struct GrainMeeting {
  T overlap;          // > 0, m
  T radius, mass;     // R*, m*
  Vector3<T> normal;  // from i to j
  T v_n;              // m/s
  Vector3<T> v_t;     // in the plane
  Vector3<T> slip{};  // likewise, how far j moved over i in the step that led here, m
  T spin = T(0);      // n.(omega_i + omega_j)/2, rad/s
};

namespace grain {

// a/b, and 0 where b is 0.
template <class T>
T over(const T& a, const T& b) {
  return select(b > T(0), a / select(b > T(0), b, T(1)), T(0));
}

}  // namespace grain

// What a contact remembers from step to step. All zero: it is new.
template <class T>
struct GrainMemory {
  Vector3<T> force;    // f, N
  T stiffness = T(0);  // k_t with which it was made, N/m

  T energy() const { return grain::over(dot(force, force), T(2 * stiffness)); }  // lost if the contact ends
};

template <class T>
struct GrainForce {
  T normal;               // N
  Vector3<T> tangential;  // on j, N
  // In this step, J:
  T viscous;     // dissipated by dampers, >= 0
  T friction;    // dissipated by sliding, >= 0
  T stiffening;  // taken from f^2/2k_t by a change of stiffness; negative: created
  // At its end, J:
  T stored;
};

namespace grain {

// Turned into the plane of a new normal, and by a small angle about it, as long as before.
template <class T>
Vector3<T> turned(const Vector3<T>& f, const Vector3<T>& n, const T& angle) {
  const Vector3<T> flat = f - dot(f, n) * n + angle * cross(n, f);
  return over(norm(f), norm(flat)) * flat;
}

// Does the displacement u = f/k_t stay while k_t changes? Else f does.
template <TangentialForce tangential, class T>
auto keeps_u(const T& k_t, const T& k_old) {
  if constexpr (tangential == TangentialForce::displacement)
    return k_t > T(-1);  // always
  else
    return k_t < k_old;
}

// By which f is less or more after that.
template <TangentialForce tangential, class T>
T kept(const T& k_t, const T& k_old) {
  return select(keeps_u<tangential>(k_t, k_old), over(k_t, k_old), T(1));
}

// What a step from f_0 to f takes by it. With u kept, f_0^2/2k_0 + W = f^2/2k + heat + this for the work W of
// the mean force; f_0.f/k_0 k stands for u^2.
template <TangentialForce tangential, class T>
T stiffening(const T& k_t, const T& k_old, const Vector3<T>& f_0, const Vector3<T>& f) {
  const T along = dot(f_0, f), forwards = select(along > T(0), along, T(0));
  const T squares = select(keeps_u<tangential>(k_t, k_old), -forwards, dot(f_0, f_0));
  return over(T(0.5 * (k_t - k_old)), k_t) * over(squares, k_old);
}

// The share of the damper d that keeps |f + share d| <= limit, for |f| <= limit.
template <class T>
T damper_share(const Vector3<T>& f, const Vector3<T>& d, const T& limit) {
  using std::sqrt;
  const T dd = dot(d, d), fd = dot(f, d), room = limit * limit - dot(f, f);
  const T inside = fd * fd + dd * select(room > T(0), room, T(0));
  const T share = (sqrt(inside) - fd) / select(dd > T(0), dd, T(1));
  return select(dd > T(0), select(share < T(1), share, T(1)), T(0));
}

}  // namespace grain

// One step of length h. The kinds are arguments of the template, and not taken from the law, so that loops
// over contacts have no branches.
template <NormalForce normal, TangentialForce tangential, class T>
GrainForce<T> grain_force(const GrainLaw& law, const GrainMeeting<T>& at, double h, GrainMemory<T>& memory) {
  using std::sqrt;
  constexpr bool hertz = normal == NormalForce::hertz;
  const T scale = hertz ? T(sqrt(at.radius * at.overlap)) : T(1);
  const T k_n = law.stiffness_n * scale, k_t = law.stiffness_t * scale;
  const auto damper = [&](double damping, const T& k) {
    if (law.damping_given) return T(damping * scale * at.mass);
    return T(2 * damping * (hertz ? std::sqrt(5.0 / 6.0) : 1.0) * sqrt(k * at.mass));
  };
  const T c_n = damper(law.damping_n, hertz ? T(1.5 * k_n) : k_n), c_t = damper(law.damping_t, k_t);

  GrainForce<T> out;
  out.normal = k_n * at.overlap - c_n * at.v_n;
  const T limit = law.friction * select(out.normal > T(0), out.normal, T(0));

  Vector3<T> before{}, trial{};
  if constexpr (tangential == TangentialForce::pseudo) {
    trial = (-k_t * h) * at.v_t;
  } else if constexpr (remembers(tangential)) {
    before = grain::turned(memory.force, at.normal, T(h * at.spin));
    trial = grain::kept<tangential>(k_t, memory.stiffness) * before - k_t * at.slip;
  }
  const T size = norm(trial);
  const auto slides = size > limit;
  const Vector3<T> f = select(slides, grain::over(limit, size) * trial, trial);
  const Vector3<T> drag = -c_t * at.v_t;
  const T share = select(slides, T(0), grain::damper_share(f, drag, limit));
  out.tangential = f + share * drag;
  out.stored = (hertz ? 0.4 : 0.5) * k_n * at.overlap * at.overlap;
  out.viscous = h * (c_n * at.v_n * at.v_n);
  if constexpr (remembers(tangential)) {
    // By the mean force of the step, as the motion feels it.
    out.friction = select(slides, grain::over(T(0.5 * (norm(before) + limit) * (size - limit)), k_t), T(0));
    out.stiffening = grain::stiffening<tangential>(k_t, memory.stiffness, before, f);
    out.viscous = out.viscous + h * (share * c_t * dot(at.v_t, at.v_t));
    memory = {f, k_t};
    out.stored = out.stored + memory.energy();
  } else {  // nothing is stored, so all of its work is gone
    out.stiffening = T(0);
    const T work = -h * dot(out.tangential, at.v_t);
    out.friction = select(share < T(1), work, T(0));
    out.viscous = out.viscous + select(share < T(1), T(0), work);
  }
  return out;
}

}  // namespace hardpan::material
