// How two grains push each other: penalty contact with the history of the tangential displacement.
//
// At a contact with overlap d > 0, normal n from grain i to grain j, and v the velocity of j against i there,
// split into v_n = n.v and v_t = v - v_n n, the force on j is F_n n + F_t, on i the opposite:
//
//     F_n = P - F_c,    P = k_n d - c_n v_n,    F_c = 2 pi w R*
//     F_t = f - c_t v_t,     |F_t| <= mu max(0, P)                              (DEM-P eqs. 1, 2)
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
// F_c is the attraction of grains that touch, with w the work of adhesion (J/m^2; gamma_i + gamma_j -
// gamma_ij, so 2 gamma for one material): the pull-off force of Derjaguin, Muller & Toporov (J. Colloid
// Interface Sci. 53 (1975) 314-326), a constant from the first touch to the last, with the energy -F_c d.
// Friction and rolling follow what presses, P.
//
// Where asked for, a contact also resists turning: a spring with a damper under a limit, in the plane
// (rolling) and about the normal (twisting), with W = omega_j - omega_i and the moment M on j, the opposite
// on i:
//
//     M' = -k_r W,    |M - c_r W| <= mu_r R* max(0, P)
//     k_r = (9/4) mu_r^2 k_n R*^2,    c_r = 2 eta sqrt(I_r k_r)
//
// with 1/I_r = sum 1/((7/5) m r^2), and eta of critical damping (Iwashita & Oda, J. Eng. Mech. 124 (1998)
// 285-292; Ai, Chen, Rotter & Ooi, Powder Technology 206 (2011) 269-282, model C). Twisting has the same form
// with mu_tw; it is not in those papers. k_r follows k_n as `incremental` does.
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
  double adhesion = 0;               // w, J/m^2
  double rolling = 0, twisting = 0;  // mu_r, mu_tw
  double turning_damping = 0.3;      // eta, of both

  bool resists_turning() const { return rolling > 0 || twisting > 0; }
};

// Calls act.template operator()<normal, tangential>() with the kinds of a law as constants.
template <class Act>
auto by_kind(const GrainLaw& law, const Act& act) {
  const auto by_tangential = [&]<NormalForce normal>() {
    switch (law.tangential) {
      case TangentialForce::none:
        return act.template operator()<normal, TangentialForce::none>();
      case TangentialForce::pseudo:
        return act.template operator()<normal, TangentialForce::pseudo>();
      case TangentialForce::displacement:
        return act.template operator()<normal, TangentialForce::displacement>();
      default:
        return act.template operator()<normal, TangentialForce::incremental>();
    }
  };
  return law.normal == NormalForce::hertz ? by_tangential.template operator()<NormalForce::hertz>()
                                          : by_tangential.template operator()<NormalForce::hooke>();
}

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
  T overlap;           // > 0, m
  T radius, mass;      // R*, m*
  Vector3<T> normal;   // from i to j
  T v_n;               // m/s
  Vector3<T> v_t;      // in the plane
  Vector3<T> v_led{};  // likewise, in the step that led here, m/s
  T spins = T(0);      // n.(omega_i + omega_j), rad/s
};

namespace grain {

// a/b, and 0 where b is 0.
template <class T>
[[gnu::always_inline]] inline T over(const T& a, const T& b) {
  return select(b > T(0), a / select(b > T(0), b, T(1)), T(0));
}

// 1/x, and 0 where x is so small that this might be none.
template <class T>
[[gnu::always_inline]] inline T inverse(const T& x) {
  const auto large = x > T(1e-300);
  return select(large, T(1) / select(large, x, T(1)), T(0));
}

template <class T>
[[gnu::always_inline]] inline T positive(const T& x) {
  return larger(x, T(0));
}

}  // namespace grain

// What a contact remembers from step to step. All zero: it is new.
template <class T>
struct alignas(32) GrainMemory {  // of numbers: two rows of four
  Vector3<T> force;               // f, N
  T compliance = T(0);            // 1/k_t with which it was made, m/N; none if it is new
  Vector3<T> velocity{};          // of j against i there, in the step that led to the last force, m/s

  [[gnu::always_inline]] T energy() const {
    return 0.5 * compliance * dot(force, force);
  }  // lost if the contact ends
};

// What becomes of energy in a step, J.
template <class T>
struct GrainEnergy {
  T viscous;     // dissipated by dampers, >= 0
  T friction;    // dissipated by sliding, >= 0
  T stiffening;  // taken from f^2/2k_t by a change of stiffness; negative: created
  T stored;      // at its end
};

template <class T>
struct GrainForce {
  T normal;               // N
  T pressing;             // max(0, P), N
  T stiffness;            // k_n, N/m
  Vector3<T> tangential;  // on j, N
  // Factors that all contacts have in common are left to those who sum: power, W; and twice the energy, J.
  T viscous_power, friction, twice_stiffening, twice_stored;

  [[gnu::always_inline]] GrainEnergy<T> energy(double h) const {
    return {h * viscous_power, friction, 0.5 * twice_stiffening, 0.5 * twice_stored};
  }
};

// The step of a law: rates stand half a step before the force, and in the time of the force they are
//
//     v(t) = v(t - h/2) + a (v(t - h/2) - v(t - 3h/2)),     a = 1/2 in equal steps
//
// which is of second order. A new contact has the first of them alone.
struct LawStep {
  double h;            // s
  double ahead = 0.5;  // a

  template <class Known, class T>
  [[gnu::always_inline]] Vector3<T> now(const Known& known, const Vector3<T>& rate,
                                        const Vector3<T>& before) const {
    return rate + select(known, T(ahead), T(0)) * (rate - before);
  }
};

// How j moves against i, from its velocity there in the step that led here.
template <class T>
[[gnu::always_inline]] inline void set_motion(GrainMeeting<T>& at, const Vector3<T>& velocity,
                                              const LawStep& step, GrainMemory<T>& memory) {
  const Vector3<T>& n = at.normal;
  at.v_led = velocity - dot(velocity, n) * n;
  const Vector3<T> now = step.now(memory.compliance > T(0), velocity, memory.velocity);
  at.v_n = dot(now, n);
  at.v_t = now - at.v_n * n;
  memory.velocity = velocity;
}

// What is remembered as it is now: factor times vector.
template <class T>
struct GrainBefore {
  Vector3<T> vector;
  T factor, square;  // square: of both
};

// Turned into the plane of a new normal, and by a small angle about it, as long as before.
template <class T>
[[gnu::always_inline]] inline GrainBefore<T> turned(const Vector3<T>& f, const Vector3<T>& n,
                                                    const T& angle) {
  using std::sqrt;
  const Vector3<T> flat = f - dot(f, n) * n + angle * cross(n, f);
  const T square = dot(f, f), flat_2 = dot(flat, flat);
  return {flat, sqrt(square * flat_2) * grain::inverse(flat_2), square};
}

namespace grain {

// While 1/k_t changes from `old` on, either the displacement u = f/k_t stays or f does: one value or the
// other.
template <TangentialForce tangential, class T>
[[gnu::always_inline]] inline T if_u_stays(const T& compliance, const T& old, const T& yes, const T& no) {
  if constexpr (tangential == TangentialForce::displacement)
    return yes;
  else
    return select(compliance > old, yes, no);
}

// A spring and the damper beside it in one step, by the mean force of the step, as the motion feels it.
template <class T>
struct Held {
  Vector3<T> spring, force;  // f; with the damper
  T viscous_power, friction, twice_stiffening, twice_stored;
};

// Beyond its limit a spring slides: it is brought back, and its damper rests. One that sticks has that share
// of its damper which keeps both within the limit.
template <class T>
struct Limited {
  Vector3<T> spring, both;
  T square;             // of the spring
  T share;              // of the damper
  T part;               // of the spring, of what it was before
  T excess, over_size;  // where it slides: |f| - limit and 1/|f| before; else no excess
};
template <class T>
[[gnu::always_inline]] inline Limited<T> limited(const Vector3<T>& f, const T& size_2,
                                                 const Vector3<T>& damper, const T& whole_2, const T& limit) {
  using std::sqrt;
  const T limit_2 = limit * limit;
  const auto slides = size_2 > limit_2, beyond = whole_2 > limit_2;
  // |f + share d| = limit, and 1/|f|, by one root and one quotient that do not wait for each other.
  const T dd = dot(damper, damper), fd = dot(f, damper);
  const T root = sqrt(select(slides, size_2, fd * fd + dd * (limit_2 - size_2)));
  const T quotient = select(slides, root, root - fd) * inverse(select(slides, size_2, dd));
  Limited<T> out;
  out.part = select(slides, limit * quotient, T(1));
  out.spring = out.part * f;
  out.square = select(slides, limit_2, size_2);
  out.share = select(slides, T(0), select(beyond, select(quotient < T(1), quotient, T(1)), T(1)));
  out.both = out.spring + out.share * damper;
  out.excess = select(slides, root - limit, T(0));
  out.over_size = quotient;
  return out;
}

// The spring follows the rate that led here from `before` (made with 1/k `old`), the damper that of now. k
// and 1/k are those of now.
template <TangentialForce tangential, class T>
[[gnu::always_inline]] inline Held<T> held(const GrainBefore<T>& before, const T& old, const T& k,
                                           const T& compliance, const Vector3<T>& rate_led, const T& c,
                                           const Vector3<T>& rate, const T& limit, double h) {
  const T kept = if_u_stays<tangential>(compliance, old, T(k * old), T(1));
  const Vector3<T> trial = (kept * before.factor) * before.vector - (h * k) * rate_led, drag = -c * rate;
  Held<T> out;
  out.spring = trial;
  out.force = trial + drag;
  out.friction = T(0);
  out.viscous_power = -dot(drag, rate);
  const T along = before.factor * dot(before.vector, trial), whole_2 = dot(out.force, out.force);
  T square = dot(trial, trial), forwards = positive(along);
  // Seldom so, and looked at only where one of a pack is.
  if (any(larger(square, whole_2) > limit * limit)) {
    const Limited<T> within = limited(trial, square, drag, whole_2, limit);
    out.spring = within.spring;
    out.force = within.both;
    // Along the way of the sliding.
    const T mean = positive(T(0.5 * (along * within.over_size + limit)));
    out.friction = mean * within.excess * compliance;
    out.viscous_power = within.share * out.viscous_power;
    square = within.square;
    forwards = within.part * forwards;
  }
  // What the change of stiffness takes. With u kept, f_0^2/2k_0 + W = f^2/2k + heat + this for the work W of
  // the mean force; f_0.f/k_0 k stands for u^2.
  out.twice_stiffening =
      (compliance - old) * if_u_stays<tangential>(compliance, old, forwards, T(-before.square));
  out.twice_stored = compliance * square;
  return out;
}

}  // namespace grain

// What grain_force needs of a law, once for many contacts.
struct GrainFactors {
  double k_n, k_t;  // times sqrt(R* d) for hertz
  double c_n, c_t;  // times sqrt(s m*), or s m* where given
  bool damping_given;
  double friction, attraction;  // F_c over R*

  GrainFactors(const GrainLaw& law)
      : k_n(law.stiffness_n),
        k_t(law.stiffness_t),
        c_n(law.damping_n),
        c_t(law.damping_t),
        damping_given(law.damping_given),
        friction(law.friction),
        attraction(2 * std::numbers::pi * law.adhesion) {
    if (damping_given) return;
    const bool hertz = law.normal == NormalForce::hertz;
    c_n *= 2 * std::sqrt((hertz ? 1.25 : 1.0) * k_n);  // 5/6 of 3/2
    c_t *= 2 * std::sqrt((hertz ? 5.0 / 6.0 : 1.0) * k_t);
  }
};

// Of two spheres: R* or m* is (s - d)(s + d)/(4 s) for the sum s of their radii or masses and the difference
// d.
template <class T>
struct Reduced {
  T radius, mass;
};
template <class T>
[[gnu::always_inline]] inline Reduced<T> reduced(const T& radii, const T& radius_difference, const T& masses,
                                                 const T& mass_difference) {
  const T over = T(0.25) / (radii * masses);
  return {(radii - radius_difference) * (radii + radius_difference) * (masses * over),
          (masses - mass_difference) * (masses + mass_difference) * (radii * over)};
}

// What stiffness and dampers follow, and 1/k_t, none without overlap.
template <class T>
struct GrainScale {
  T stiffness, damping, compliance;
};
template <NormalForce normal, class T>
[[gnu::always_inline]] inline GrainScale<T> grain_scale(const GrainFactors& law, const T& overlap,
                                                        const T& radius, const T& mass) {
  using std::sqrt;
  const T scale = normal == NormalForce::hertz ? T(sqrt(radius * overlap)) : T(1), scaled_mass = scale * mass;
  return {scale, law.damping_given ? scaled_mass : T(sqrt(scaled_mass)),
          grain::over(T(1), T(law.k_t * scale))};
}

// One step of length h. The kinds are arguments of the template, and not taken from the law, so that loops
// over contacts have no branches.
template <NormalForce normal, TangentialForce tangential, class T>
[[gnu::always_inline]] inline GrainForce<T> grain_force(const GrainFactors& law, const GrainScale<T>& scale,
                                                        const GrainBefore<T>& before,
                                                        const GrainMeeting<T>& at, double h,
                                                        GrainMemory<T>& memory) {
  constexpr bool hertz = normal == NormalForce::hertz;
  const T k_n = law.k_n * scale.stiffness, k_t = law.k_t * scale.stiffness;
  const T c_n = law.c_n * scale.damping, c_t = law.c_t * scale.damping;
  GrainForce<T> out;
  const T spring = k_n * at.overlap, damper = c_n * at.v_n, presses = spring - damper;
  const T attraction = law.attraction * at.radius;
  out.normal = presses - attraction;
  out.pressing = grain::positive(presses);
  out.stiffness = k_n;
  out.viscous_power = damper * at.v_n;
  out.twice_stored = ((hertz ? 0.8 : 1.0) * spring - (attraction + attraction)) * at.overlap;
  const T limit = law.friction * out.pressing;
  if constexpr (remembers(tangential)) {
    const auto held = grain::held<tangential>(before, memory.compliance, k_t, scale.compliance, at.v_led, c_t,
                                              at.v_t, limit, h);
    out.tangential = held.force;
    out.friction = held.friction;
    out.twice_stiffening = held.twice_stiffening;
    out.viscous_power = out.viscous_power + held.viscous_power;
    out.twice_stored = out.twice_stored + held.twice_stored;
    memory.force = held.spring;
  } else {  // nothing is stored, so all of its work is gone
    Vector3<T> trial{};
    if constexpr (tangential == TangentialForce::pseudo) trial = (-h * k_t) * at.v_t;
    const Vector3<T> drag = -c_t * at.v_t, whole = trial + drag;
    const auto within = grain::limited(trial, dot(trial, trial), drag, dot(whole, whole), limit);
    out.tangential = within.both;
    out.twice_stiffening = T(0);
    const T power = -dot(out.tangential, at.v_t);
    out.friction = select(within.share < T(1), h * power, T(0));
    out.viscous_power = out.viscous_power + select(within.share < T(1), T(0), power);
  }
  memory.compliance = scale.compliance;
  return out;
}
template <NormalForce normal, TangentialForce tangential, class T>
[[gnu::always_inline]] inline GrainForce<T> grain_force(const GrainFactors& law, const GrainMeeting<T>& at,
                                                        double h, GrainMemory<T>& memory) {
  const auto scale = grain_scale<normal>(law, at.overlap, at.radius, at.mass);
  const auto before = turned(memory.force, at.normal, T(0.5 * h * at.spins));
  return grain_force<normal, tangential>(law, scale, before, at, h, memory);
}

// ---- rolling and twisting

// I_r of two spheres; without end: one sphere on a wall.
inline double rolling_inertia(double mass_i, double radius_i, double mass_j, double radius_j) {
  return 1.4 / (1 / (mass_i * radius_i * radius_i) + 1 / (mass_j * radius_j * radius_j));
}

template <class T>
struct TurnMeeting {
  Vector3<T> rate_led;  // W in the step that led here, rad/s
  Vector3<T> rate;      // now
  T inertia;            // I_r, kg m^2
};

template <class T>
struct TurnMemory {
  Vector3<T> roll;                  // N m
  T twist = T(0);                   // about the normal, N m
  T roll_k = T(0), twist_k = T(0);  // k_r with which they were made, N m; none if it is new
  Vector3<T> rate{};                // W in the step that led to the last moment, rad/s

  T energy() const {
    return grain::over(dot(roll, roll), T(2 * roll_k)) + grain::over(T(twist * twist), T(2 * twist_k));
  }
};

// From W in the step that led here.
template <class T>
TurnMeeting<T> turn_meeting(const Vector3<T>& rate, const LawStep& step, const T& inertia,
                            TurnMemory<T>& memory) {
  const Vector3<T> before = memory.rate;
  memory.rate = rate;
  return {rate, step.now(memory.roll_k + memory.twist_k > T(0), rate, before), inertia};
}

template <class T>
struct TurnMoment {
  Vector3<T> moment;  // on j, N m
  GrainEnergy<T> energy;
};

// One step, after grain_force of the same meeting.
template <class T>
TurnMoment<T> grain_moment(const GrainLaw& law, const GrainMeeting<T>& at, const GrainForce<T>& force,
                           const TurnMeeting<T>& turn, double h, TurnMemory<T>& memory) {
  using std::sqrt;
  const T k_unit = 2.25 * force.stiffness * at.radius * at.radius;
  const auto hold = [&](double mu, const GrainBefore<T>& before, const T& k_old, const Vector3<T>& rate_led,
                        const Vector3<T>& rate) {
    const T k = mu * mu * k_unit, c = 2 * law.turning_damping * sqrt(turn.inertia * k);
    return grain::held<TangentialForce::incremental>(before, grain::over(T(1), k_old), k,
                                                     grain::over(T(1), k), rate_led, c, rate,
                                                     T(mu * at.radius * force.pressing), h);
  };
  const Vector3<T>& n = at.normal;
  const T led_n = dot(turn.rate_led, n), rate_n = dot(turn.rate, n);
  const auto roll = hold(law.rolling, turned(memory.roll, n, T(0.5 * h * at.spins)), memory.roll_k,
                         turn.rate_led - led_n * n, turn.rate - rate_n * n);
  const auto twist = hold(law.twisting, {n, memory.twist, memory.twist * memory.twist}, memory.twist_k,
                          led_n * n, rate_n * n);
  memory.roll = roll.spring;
  memory.twist = dot(twist.spring, n);
  memory.roll_k = law.rolling * law.rolling * k_unit;
  memory.twist_k = law.twisting * law.twisting * k_unit;
  return {roll.force + twist.force,
          {h * (roll.viscous_power + twist.viscous_power), roll.friction + twist.friction,
           0.5 * (roll.twice_stiffening + twist.twice_stiffening), memory.energy()}};
}

}  // namespace hardpan::material
