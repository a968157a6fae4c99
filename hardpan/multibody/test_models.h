// Builders shared by the tests of this module: random bodies, joints placed in the world, runs.
#pragma once

#include <numbers>
#include <string>
#include <utility>

#include "hardpan/core/random.h"
#include "hardpan/math/rotation.h"
#include "hardpan/multibody/system.h"
#include "hardpan/solve/stepper.h"

namespace hardpan::multibody::test {

inline constexpr double pi = std::numbers::pi;

class Random {
 public:
  explicit Random(std::uint64_t seed) : source_(seed) {}
  double uniform(double low, double high) { return source_.uniform(counter_++, low, high); }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(source_.words(counter_++)[0]) % n; }
  Vec3 vector(double scale) {
    const double x = uniform(-scale, scale), y = uniform(-scale, scale);
    return {x, y, uniform(-scale, scale)};
  }
  Vec3 direction() {
    for (;;)
      if (const Vec3 v = vector(1); v.norm() > 0.1 && v.norm() < 1) return v.normalized();
  }
  Quat rotation() { return Quat(Eigen::AngleAxisd(uniform(-pi, pi), direction())); }
  Pose pose(double scale) {
    const Vec3 x = vector(scale);
    return {x, rotation()};
  }
  // Of a body that can exist: second moments s_i give I = sum(s) - s_i, turned by a random rotation.
  Mat3 inertia(double mass, double size) {
    const Vec3 s = mass * size * size * Vec3(uniform(0.01, 1), uniform(0.01, 1), uniform(0.01, 1));
    const Mat3 R = rotation().toRotationMatrix();
    const Vec3 principal = Vec3::Constant(s.sum()) - s;
    return R * principal.asDiagonal() * R.transpose();
  }

 private:
  CounterRandom source_;
  std::uint64_t counter_ = 0;
};

// exp of a rotation vector in the world frame, applied to a pose that is also moved by d.
inline Pose moved(const Pose& pose, const Vec3& d, const Vec3& turn) {
  const double angle = turn.norm();
  const Quat q(Eigen::AngleAxisd(angle, angle > 0 ? Vec3(turn / angle) : Vec3::UnitX()));
  return {pose.x + d, (q * pose.q).normalized()};
}

inline BodyId add_body(Model& model, const Vec3& x, double mass = 1, double inertia = 0.1) {
  Body body;
  body.name = "body " + std::to_string(model.bodies.size());
  body.mass = mass;
  body.inertia = inertia * Mat3::Identity();
  body.pose.x = x;
  model.bodies.push_back(body);
  return BodyId(model.bodies.size() - 1);
}

inline BodyId add_random_body(Model& model, Random& random, double spread = 1) {
  const double mass = random.uniform(0.5, 3);
  const BodyId id = add_body(model, random.vector(spread), mass);
  Body& body = model.bodies.back();
  body.inertia = random.inertia(mass, 0.5);
  body.pose.q = random.rotation();
  body.velocity = random.vector(0.5);
  body.angular_velocity = random.vector(1);
  return id;
}

inline Pose pose_of(const Model& model, BodyId id) {
  return id.valid() ? model.bodies[id.index()].pose : Pose{};
}

inline const BodyId world{};

// Rows of about rock: 1e-8 m/N, held within two steps.
inline Rigidity rigid(double h) { return {1e-8, 2 * h}; }

inline BallJoint ball(const Model& model, BodyId a, BodyId b, const Vec3& point, Rigidity rigidity) {
  return {
      {"ball", a, b}, pose_of(model, a).local_point(point), pose_of(model, b).local_point(point), rigidity};
}

inline HingeJoint hinge(const Model& model, BodyId a, BodyId b, const Vec3& point, const Vec3& axis,
                        Rigidity rigidity) {
  const Pose A = pose_of(model, a), B = pose_of(model, b);
  Vec3 t1, t2;
  tangents(axis, t1, t2);
  HingeJoint joint{{"hinge", a, b},
                   A.local_point(point),
                   B.local_point(point),
                   A.local_vector(axis),
                   B.local_vector(axis),
                   A.local_vector(t1),
                   A.local_vector(t2),
                   B.local_vector(t1),
                   rigidity,
                   rigidity};
  return joint;
}

inline DistanceJoint rod(const Model& model, BodyId a, BodyId b, const Vec3& s_A, const Vec3& s_B,
                         Rigidity rigidity) {
  const double length = (pose_of(model, b).point(s_B) - pose_of(model, a).point(s_A)).norm();
  return {{"rod", a, b}, s_A, s_B, length, rigidity};
}

template <class Joint>
CoordinateRef add_joint(Model& model, Joint joint) {
  return add(model, std::move(joint));
}

inline Axis along(const CoordinateRef& coordinate, double factor = 1) { return {{{coordinate, factor}}}; }

inline Elastic elastic(const CoordinateRef& coordinate, double stiffness, double damping, double rest) {
  return {"spring", {along(coordinate)}, stiffness, damping, rest, {}, {}};
}

// A spring and damper between two points in body coordinates.
inline void add_spring(Model& model, BodyId a, BodyId b, const Vec3& s_A, const Vec3& s_B, double length,
                       double stiffness, double damping) {
  const CoordinateRef line = add(model, LineJoint{{"spring", a, b}, s_A, s_B});
  add(model, elastic(line, stiffness, damping, length));
}

inline Quat random_axes(const Vec3& z) {
  Mat3 R;
  Vec3 t1, t2;
  tangents(z, t1, t2);
  R << t1, t2, z;
  return Quat(R).normalized();
}

// Springs along the coordinates of a joint, or none.
inline void add_random_springs(Model& model, Random& random, CoordinateRef first,
                               std::span<const CoordinateName> coordinates) {
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    first.component = i;
    const double k = random.below(2) == 0 ? random.uniform(0, 20) : 0.0;
    const double c = random.below(2) == 0 ? random.uniform(0, 0.5) : 0.0;
    const double rest = random.uniform(-1, 1);
    if (k > 0 || c > 0) add(model, elastic(first, k, c, rest));
  }
}

// A joint of the kind `kind`, of those that have a frame on each body.
inline void add_framed_joint(Model& model, Random& random, std::size_t kind, BodyId a, BodyId b,
                             const Vec3& point, double h) {
  const JointFrames frames = frames_at({"framed", a, b}, pose_of(model, a), pose_of(model, b), point,
                                       random_axes(random.direction()));
  const Rigidity r = rigid(h);
  switch (kind) {
    case 0:
      add(model, FixedJoint{frames, r, r});
      break;
    case 1:
      add_random_springs(model, random, add(model, SliderJoint{frames, r, r}), SliderJoint::coordinates);
      break;
    case 2:
      add_random_springs(model, random, add(model, CylindricalJoint{frames, r, r}),
                         CylindricalJoint::coordinates);
      break;
    case 3:
      add_random_springs(model, random, add(model, ScrewJoint{frames, random.uniform(0.2, 1), r, r}),
                         ScrewJoint::coordinates);
      break;
    case 4:
      add_random_springs(model, random, add(model, PlanarJoint{frames, r, r}), PlanarJoint::coordinates);
      break;
    case 5:
      add_random_springs(model, random, add(model, UniversalJoint{frames, r, r}),
                         UniversalJoint::coordinates);
      break;
    case 6:
      add(model, SkateJoint{frames, r});
      break;
    case 7: {
      RollingJoint joint{frames, random.uniform(0.1, 0.5), random.below(2) == 0, r};
      joint.frame_B =
          pose_of(model, b).q.conjugate() * random_axes(pose_of(model, a).turned(joint.axis_on_A(0)));
      joint.s_A = pose_of(model, a).local_point(joint.contact(pose_of(model, a), pose_of(model, b)));
      add(model, std::move(joint));
      break;
    }
    default:
      add(model,
          BushingJoint{frames, Vec3(100, 200, 300), Vec3(1, 2, 0), Vec3(10, 20, 5), Vec3(0.1, 0, 0.3)});
  }
}

// An arc through `point`, curved like a hoop of radius one.
inline void add_curve(Model& model, Random& random, BodyId a, BodyId b, const Vec3& point, double h) {
  const Quat axes = random_axes(random.direction());
  std::vector<Vec3> points;
  for (int i = -6; i <= 6; ++i) {
    const double u = 0.25 * i;
    points.push_back(
        pose_of(model, a).local_point(point + axes * Vec3(std::sin(u), 1 - std::cos(u), 0.2 * u)));
  }
  PointOnCurveJoint joint{{"curve", a, b},       points[0], pose_of(model, b).local_point(point),
                          Spline(points, false), 0,         rigid(h)};
  joint.start = joint.curve.closest(pose_of(model, a).local_point(point));
  add_random_springs(model, random, add(model, std::move(joint)), PointOnCurveJoint::coordinates);
}

// A tree of bodies hung on the world or on earlier bodies by random kinds of joints, assembled without
// violation.
inline Model random_mechanism(std::uint64_t seed, std::size_t bodies, double h, bool with_world = true) {
  Random random(seed);
  Model model;
  model.gravity = with_world ? random.vector(10) : Vec3::Zero();
  for (std::size_t i = 0; i < bodies; ++i) {
    const BodyId b = add_random_body(model, random);
    const std::size_t parent = random.below(i + 1);
    const BodyId a = parent < i ? BodyId(parent) : world;
    if (!a.valid() && !with_world) continue;
    const Vec3 point = pose_of(model, b).point(random.vector(0.5));
    switch (const std::size_t kind = random.below(14)) {
      case 0:
        add_joint(model, ball(model, a, b, point, rigid(h)));
        break;
      case 1: {
        const CoordinateRef angle = add(model, hinge(model, a, b, point, random.direction(), rigid(h)));
        const double k = random.below(2) == 0 ? random.uniform(0, 20) : 0.0;
        const double c = random.below(2) == 0 ? random.uniform(0, 0.5) : 0.0;
        const double rest = random.uniform(-1, 1);
        if (k > 0 || c > 0) add(model, elastic(angle, k, c, rest));
        break;
      }
      case 2:
        add_joint(model, rod(model, a, b, random.vector(0.3), random.vector(0.3), rigid(h)));
        break;
      case 3: {
        const Vec3 s_A = random.vector(0.3), s_B = random.vector(0.3);
        const double length = random.uniform(0, 1), k = random.uniform(1, 500);
        add_spring(model, a, b, s_A, s_B, length, k, random.uniform(0, 5));
        break;
      }
      case 4:
        add_curve(model, random, a, b, point, h);
        break;
      default:
        add_framed_joint(model, random, kind - 5, a, b, point, h);
    }
    if (with_world && random.below(3) == 0) {
      const double from = random.uniform(0, 0.05);
      model.loads.push_back({"load", b, random.vector(0.3), random.vector(20), random.vector(2), from,
                             from + random.uniform(0, 0.2)});
    }
  }
  return model;
}

// A chain that hangs from the world's origin along `along`, links joined by balls at their ends.
inline Model hanging_chain(std::size_t links, double mass, double length, Rigidity rigidity,
                           const Vec3& along = -Vec3::UnitZ()) {
  Model model;
  for (std::size_t i = 0; i < links; ++i) {
    const double start = length * static_cast<double>(i);
    const BodyId b = add_body(model, along * (start + 0.5 * length), mass, mass * length * length / 12);
    const BodyId a = i > 0 ? BodyId(i - 1) : world;
    add_joint(model, ball(model, a, b, along * start, rigidity));
  }
  return model;
}

struct Sim {
  System system;
  solve::Stepper stepper;
  Sim(Model model, double h) : system(std::move(model)), stepper(h, {&system}) {}
  Sim(const Sim&) = delete;
  Sim& operator=(const Sim&) = delete;

  // Stops at the first step that fails.
  solve::StepReport go(int steps) {
    solve::StepReport report;
    for (int i = 0; i < steps && report.ok; ++i) report = stepper.step();
    return report;
  }
  const Pose& pose(std::size_t body) const { return system.state().pose[body]; }
  const Vec3& velocity(std::size_t body) const { return system.state().velocity[body]; }
  const Ledger& books() const { return system.ledger(); }
  std::string hash() const { return stepper.save().hash(); }
};

}  // namespace hardpan::multibody::test

#define ASSERT_GO(sim, steps)                                    \
  do {                                                           \
    const ::hardpan::solve::StepReport report = (sim).go(steps); \
    ASSERT_TRUE(report.ok) << report.reason;                     \
  } while (false)
