// Contact between bodies: a subsystem that owns no velocities and adds rows to those of the bodies.
//
// At a contact point with normal n (from a to b) and gap g < 0, with u the velocity of b against a there:
//
//     normal    u_n + Sigma N  = -(4/h) Y (g + rest) + Y u_n-,     N >= 0             (solve/spook.h)
//     sliding   u_t + b + Sigma T = -(4/h) Y d,                    |T| <= mu N
//
// What has come within 4 |g| h^2 and closes no faster than gravity explains touches, too, though 0 < g: it
// may close the gap and no more, u_n >= -g/h. Else rounding would decide whether two things that stand side
// by side touch, and a wheel on its rim would lose the ground for a step now and then.
//
// N and T are impulses. Bodies turn while they drift, so u_t changes without any force; `b` is half of that
// change in the last drift. `d` is the deflection of the stick, kept in the state: it follows the
// sliding, d' = d + h (u_t + b), and while the contact slides it stays at the friction force, d = -eps T/h.
// So what sticks does not creep. `rest` is the depth at which a contact was caught: a row that pushed all of
// it back at once would throw the body up. It is let go with a time constant of a second.
//
// Rolling and twisting are resisted by moments, |M| <= arm N, that hold the turn of b against a.
//
// A contact that did not press and closes faster than gravity explains (|g| h) begins the step with an
// impact:
//
//     u_n+ >= -e u_n-,  N >= 0;   u_t+ = 0,  |T| <= mu N       masses and rigid joints only (MESHFREE 4.1)
//
// The convex law of friction opens a sliding contact at mu |u_t| (solve/friction.h): it would ride on a gap
// of mu |u_t| (h/4 + tau) - eps N. So its normal row asks for that much less, with the sliding at the start
// of the step. In an impact that may change by any amount: impacts take Coulomb's law.
//
// What touches attracts itself by the adhesion C of its law, a force like a load (Derjaguin, Muller &
// Toporov): N is what the surfaces push besides, so that they carry N - C h, friction is bounded by mu N, and
// it takes C to pull them apart.
//
// Grains of soil that do not bounce (e = 0) take no impacts: they are many, and something always strikes.
// Their contacts are found before they touch, and end the blow within the step, or within two: one to come
// together and one to stop (Moreau; DEM-C, eq. 9):
//
//     u_n >= -max(g, 0)/h,  N >= 0
#pragma once

#include <array>
#include <span>
#include <vector>

#include "hardpan/couple/contact_model.h"
#include "hardpan/couple/touch.h"
#include "hardpan/geometry/broad_phase.h"
#include "hardpan/math/rotation.h"
#include "hardpan/multibody/system.h"
#include "hardpan/solve/contact_rows.h"
#include "hardpan/solve/stepper.h"

namespace hardpan::couple {

// Energy and momentum that contacts gave to the bodies, beside multibody/ledger.h.
struct ContactBooks {
  multibody::EnergyAccount normal;    // stored: eps N (N/2 - C); dissipated: by a damping that was asked for
  multibody::EnergyAccount friction;  // dissipated: all of what it took
  multibody::EnergyAccount impacts;   // likewise
  Vec3 impulse = Vec3::Zero();        // from what does not move, N s
  Vec3 angular_impulse = Vec3::Zero();  // likewise, about the world's origin, N m s
  // How far contacts that slid have stood off from where their normal forces hold them, at most, m: what is
  // left of the gap of the convex law.
  double lift = 0;
  double adhesion = 0;  // its work, a part of that of `normal`, J

  void add(const ContactBooks& other);
  void add_to(multibody::Ledger& ledger) const;
  // Under names that begin with `of`.
  void save(const std::string& of, Archive& archive) const;
  void restore(const std::string& of, const Archive& archive);
};

class BodyContact final : public solve::Subsystem {
 public:
  // The bodies must outlive it, and come before it in the list of subsystems.
  BodyContact(ContactModel model, multibody::System& bodies, solve::Friction law = solve::Friction::cone);

  const ContactModel& model() const { return model_; }
  const std::vector<Touch>& touches() const { return touches_; }  // of the last step
  const ContactBooks& books() const { return books_; }
  // Force on body b from body a in the last step, world, N; an invalid id: from whatever touches it.
  Vec3 force(multibody::BodyId b, multibody::BodyId a, double h) const;
  // Likewise, from all grains of soil.
  Vec3 force_of_grains(multibody::BodyId body, double h) const;
  // Contacts of a grain that pressed in the last step, mean over all grains; 0 where there are none.
  double coordination() const;
  // Which surfaces met; the impulse is that on the second.
  std::array<std::size_t, 2> surfaces_of(const Touch& touch) const {
    return {touch.pair / model_.surfaces.size(), touch.pair % model_.surfaces.size()};
  }

  void declare(solve::Problem&) override {}
  bool prepare(double time, double h) override;
  void collide(double share, solve::Problem& problem) override;
  solve::StepReport rebound(std::span<const double> impulse, std::span<const double> lambda) override;
  solve::StepReport predict(double, double, solve::Problem&) override { return {}; }
  void assemble(double h, solve::Problem& problem) override;
  solve::StepReport advance(double h, std::span<const double> impulse,
                            std::span<const double> lambda) override;
  void commit() override;
  void begin() override { books_ = {}; }
  void save(Archive& archive) const override;
  void restore(const Archive& archive) override;

 private:
  struct Contact {
    std::uint64_t pair;
    multibody::BodyId a, b;
    const material::ContactLaw* law;
    double gap;             // as geometry::ContactPoint has it
    std::uint64_t feature;  // likewise
    Vec3 point;             // where the impulses act, m
    Vec3 axes[3];           // normal and two tangents
    Vec3 rate;              // of b against a along the axes, at the start of the step
    Vec3 turn;              // angular velocity of b against a, likewise
    Vec3 bend;              // by how much the sliding of the drift exceeds that of its beginning, world, m/s
    Touch touch;            // as remembered
    bool known;             // was there in the last step
    bool struck = false;
    bool dull;           // of a grain, and does not bounce: no impact
    bool waits = false;  // will strike, but not yet: an impact elsewhere has sent it here

    Contact() {}  // find() writes it all: no zeros first
    bool pressed() const { return known && touch.pressed(); }
    bool holds() const { return gap <= 0 || pressed(); }                 // also in an impact
    double attraction() const { return holds() ? law->adhesion : 0.0; }  // N
    bool blow(double speed) const { return dull && rate[0] < -speed; }
  };

  // Of a few pairs, which one thread looks at.
  struct Finds {
    std::vector<Contact> contacts;
    std::vector<geometry::ContactPoint> points;  // of one pair
    std::vector<const Touch*> matched;           // what is remembered of them
    std::vector<Touch>::const_iterator known;    // where the touches of the next pair begin, or before
    bool struck;                                 // one of the contacts
  };

  // How a body moves; zero where it does not.
  struct Motion {
    Vec3 centre, velocity, spin;
    bool moves;
    Vec3 at(const Vec3& point) const { return velocity + cross(spin, point - centre); }
  };

  void detect();
  void attract();
  std::uint64_t key(std::size_t surface_a, std::size_t surface_b) const;
  void find(std::size_t surface_a, std::size_t surface_b, Finds& finds) const;
  double reach(multibody::BodyId body) const;
  void set_motions(std::span<const double> velocities);
  const Motion& motion(multibody::BodyId body) const { return motions_[body.index()]; }
  Vec3 rate(const Contact& contact) const;
  Vec3 bend(const Contact& contact) const;
  Vec3 drift_angle(const Contact& contact) const;
  Vec3 deflection(const Contact& contact) const;
  double opening(const Contact& contact) const;
  double lift(const Contact& contact) const;
  template <class Which, class Write>
  void write_rows(const Which& which, const Write& write, solve::Problem& problem);
  void set_rates(Contact& contact) const;
  void write_jacobians(std::size_t row_contact, const Contact& contact, const solve::Problem& problem);
  void factor_masses(const solve::Problem& problem);
  double mobility(std::size_t row_contact, const Contact& contact);
  void book_outside(const Contact& contact, const Vec3& L, const Vec3& M, ContactBooks& books) const;
  double work_of_moments(const Contact& contact, const Vec3& M) const;
  Vec3 spin(multibody::BodyId body, std::span<const double> velocities) const;
  static Vec3 along(const Contact& contact, const Vec3& parts);
  Vec3 impulses(std::span<const double> lambda, std::size_t row_contact) const;
  Vec3 moments(std::span<const double> lambda, std::size_t row_contact) const;
  void book_step(const Contact& contact, const Vec3& L, const Vec3& M, const Vec3& after, double h,
                 ContactBooks& books) const;
  void fetch(std::size_t row_contact) const;
  template <class Book>
  ContactBooks sum_books(const Book& book);
  Touch remember(const Contact& contact, const Vec3& lambda, const Vec3& after, double h) const;

  ContactModel model_;
  multibody::System& bodies_;
  bool convex_;
  std::vector<Touch> touches_, next_touches_;  // sorted by pair
  ContactBooks books_, next_books_;

  // Workspace.
  geometry::BroadPhase broad_phase_;
  std::vector<Motion> motions_;  // of the bodies, as last set
  std::vector<Pose> poses_;      // of the surfaces
  std::vector<geometry::Aabb> boxes_;
  std::vector<Finds> finds_;
  std::vector<Contact*> contacts_;               // of all finds, in order
  std::vector<Contact*> rowed_;                  // those that have rows
  std::vector<std::array<double, 36>> factors_;  // of masses, by velocity blocks, in an impact
  solve::ContactRows rows_;
  double step_ = 0;          // s
  double strike_speed_ = 0;  // m/s
  double margin_ = 0;        // m
};

}  // namespace hardpan::couple
