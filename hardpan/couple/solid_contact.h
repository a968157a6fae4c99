// Contact of bodies with a solid of particles: a subsystem that owns no velocities.
//
// The solid touches with points of its surface (meshfree/boundary.h), each carried by up to four particles:
// what a body pushes there is shared by their weights, so that momentum and its moment are kept. What a body
// meets at a point is a ball that touches the surface from within, half as large as the way to the next
// point: a sharp edge then rides up and down on the surface, where it would hook on points without size. A
// ball does not know what is beside its own surface: it counts only what comes within 60 degrees of its
// normal. (For 0 parts: balls around the particles of the surface, as in MESHFREE 3.4; they stick out by
// their radius, half a spacing, and a body feels the hills between them.) With n the normal from the body to
// the solid, g the gap, u the velocity of the solid's point against the body's there:
//
//     normal    u_n + Sigma N >= -max(g, 0)/h,               N >= 0      before it touches, and when it does
//               u_n + Sigma N  = -(4/h) Y (g + rest) + Y u_n-            while it presses (solve/spook.h)
//     sliding   u_t + Sigma T  = -(4/h) Y d,                 |T| <= mu N
//
// in the words of body_contact.h, with the compliance eps = softness d/(E A), A the share of the surface:
// the solid's own is in its particles. There are no impacts: what meets is a few particles of the solid, and
// ends in the step, or in the next one where it first has to reach the surface; so does a blow that bodies
// pass on to what already presses. The names of touches are those of points, which belong to the material:
// what sticks is anchored in it, however it deforms.
//
// u_n is the rate of the gap, which the ball's turning is a part of: with m the surface's normal, r the
// radius,
//
//     u_n = n . (v_x - r dm/dt - v_body(x - r m))
//
// and the normal force acts on all particles that m depends on. So it goes through the middle of the ball,
// on both sides; it would do work that no gap shows, and turn wheels, were it to act at x. Friction does.
#pragma once

#include <vector>

#include "hardpan/couple/body_contact.h"
#include "hardpan/meshfree/boundary.h"
#include "hardpan/meshfree/solid.h"
#include "hardpan/solve/block_rows.h"

namespace hardpan::couple {

struct SolidContactModel {
  std::vector<std::size_t> materials;  // of the solid's materials: theirs in the contact model
  std::size_t parts = 2;               // of each edge between particles (meshfree/boundary.h); 0: balls
  double softness = 0.01;              // depth over what the layer of particles behind gives way by
};

class SolidContact final : public solve::Subsystem {
 public:
  // Surfaces, laws and bodies are those of `contacts`. All must outlive it, and come before it in the list of
  // subsystems.
  SolidContact(SolidContactModel model, const BodyContact& contacts, multibody::System& bodies,
               meshfree::Solid& solid, solve::Friction law = solve::Friction::cone);

  const std::vector<meshfree::BoundaryPoint>& points() const { return boundary_.points(); }
  const std::vector<Touch>& touches() const { return touches_; }  // of the last step; pair: the surface
  const ContactBooks& books() const { return books_; }
  Vec3 position(const meshfree::BoundaryPoint& point) const;
  // On a body, of the last step, world, N; and its moment about a point, N m.
  Vec3 force(multibody::BodyId body, double h) const;
  Vec3 moment(multibody::BodyId body, const Vec3& about, double h) const;

  void declare(solve::Problem&) override {}
  bool prepare(double time, double h) override;
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
    std::size_t surface, point;
    multibody::BodyId body;
    const material::ContactLaw* law;
    double compliance;  // m/N
    double gap;
    Vec3 place;                // of the point, m
    Vec3 lever;                // from there to the middle of the ball
    std::size_t first, count;  // of the slopes of the gap
    Vec3 axes[3];              // from the body to the solid, and two tangents
    Vec3 rate;                 // along them, at the start of the step
    Touch touch;               // as remembered
    bool struck = false;       // in this step, by an impact of bodies
    bool arrived = false;      // in the last drift, through the surface

    bool presses() const { return gap <= 0 && touch.pressed() && !struck; }
  };

  const material::ContactLaw& law(std::size_t surface, const meshfree::BoundaryPoint& point) const;
  double bulge() const;
  void look(std::size_t surface, const Pose& pose, const geometry::Aabb& box, double margin);
  Vec3 velocity_of_body(multibody::BodyId body, const Vec3& at, std::span<const double> velocities) const;
  Vec3 rate(const Contact& contact, bool after) const;
  std::span<const meshfree::Slope> slopes(const Contact& contact) const {
    return std::span(slopes_).subspan(contact.first, contact.count);
  }
  void find_slopes(Contact& contact);
  Vec3 deflection(const Contact& contact) const;
  Touch remember(const Contact& contact, const Vec3& lambda, const Vec3& after, double h) const;
  void book(const Contact& contact, const Vec3& L, const Vec3& after, double h, ContactBooks& books) const;

  SolidContactModel model_;
  const ContactModel& surfaces_;
  multibody::System& bodies_;
  meshfree::Solid& solid_;
  bool convex_;
  meshfree::Boundary boundary_;
  std::vector<Touch> touches_, next_touches_;  // sorted by surface, then point
  ContactBooks books_, next_books_;

  // Workspace.
  std::vector<Vec3> places_, normals_;  // of points
  std::vector<Contact> contacts_;
  std::vector<meshfree::Slope> slopes_, found_slopes_;  // of gaps
  std::vector<geometry::ContactPoint> found_;
  solve::BlockRows rows_;
  std::vector<std::size_t> blocks_;
  double step_ = 0, margin_ = 0;
};

}  // namespace hardpan::couple
