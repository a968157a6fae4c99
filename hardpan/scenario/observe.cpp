#include "hardpan/scenario/observe.h"

#include <cmath>
#include <optional>

#include "hardpan/lab/soil.h"
#include "hardpan/scenario/field_table.h"

namespace hardpan::scenario {
namespace {

using multibody::BodyId;
using multibody::JointInfo;
using multibody::System;

// Reads component c of a field of the thing at `index` (of the bodies or the joints).
using Reader = double (*)(const Simulation&, std::size_t index, Eigen::Index c);

struct FieldReader {
  const char* name;
  Subject subject;
  Reader read;
};

const JointInfo& joint(const Simulation& s, std::size_t index) { return s.bodies.joints()[index]; }

// Before the first step nobody knows.
Vec6 reaction(const Simulation& s, std::size_t i) {
  if (s.stepper.steps() == 0) return Vec6::Constant(std::numeric_limits<double>::quiet_NaN());
  return s.bodies.reaction(joint(s, i), s.stepper.step_size());
}

double violation(const Simulation& s, std::size_t i, Eigen::Index) {
  double square = 0;  // of the rows that hold a place, not a direction
  const JointInfo& info = joint(s, i);
  for (const multibody::Row& row : s.bodies.rows().subspan(info.first_row, info.rows))
    if (row.elastic() && !row.jacobian_b.head<3>().isZero(0)) square += std::pow(row.violation, 2);
  return std::sqrt(square);
}

double length(const Simulation& s, std::size_t i, Eigen::Index) {
  const System& bodies = s.bodies;
  const JointInfo& info = joint(s, i);
  return (bodies.pose(info.b).point(info.point_on_b) - bodies.pose(info.a).point(info.point_on_a)).norm();
}

double energy(const Simulation& s, std::size_t, Eigen::Index c) {
  const multibody::Ledger l = s.ledger();
  const double values[] = {l.kinetic,
                           l.gravity.stored,
                           l.springs.stored,
                           l.joints.stored,
                           l.contacts.stored + l.grains.stored + l.solids.stored,
                           l.work(),
                           l.dissipated(),
                           l.lost(),
                           l.total()};
  return values[c];
}

double momentum(const Simulation& s, std::size_t, Eigen::Index c) {
  const multibody::Ledger l = s.ledger();
  if (c < 3) return l.momentum[c];
  if (c < 6) return l.angular_momentum[c - 3];
  return c == 6 ? (l.momentum - l.impulse).norm() : (l.angular_momentum - l.angular_impulse).norm();
}

double force_of_soil(const Simulation& s, std::size_t i, Eigen::Index c) {
  return lab::soil_force(s.world(), BodyId(i))[c];
}

double contact_force(const Simulation& s, std::size_t i, Eigen::Index c) {
  if (s.stepper.steps() == 0) return std::numeric_limits<double>::quiet_NaN();
  const Vec3 touched = s.contacts.force(BodyId(i), BodyId(), s.stepper.step_size());
  return touched[c] + (s.grains ? s.grains->force(BodyId(i))[c] : 0) +
         (s.solid_contacts ? s.solid_contacts->force(BodyId(i), s.stepper.step_size())[c] : 0);
}

double coordination(const Simulation& s, std::size_t, Eigen::Index) { return lab::coordination(s.world()); }

double grain_energy(const Simulation& s, std::size_t, Eigen::Index c) {
  if (!s.grains) return 0;
  const grains::Books& b = s.grains->grains().books();
  const double kinetic = s.grains->grains().kinetic_energy();
  const double lost = s.stepper.steps() == 0 ? 0 : b.lost(kinetic);
  const double values[] = {kinetic, b.stored, b.viscous, b.friction, b.stiffening, lost};
  return values[c];
}

const multibody::CouplingInfo& coupling(const Simulation& s, std::size_t i) {
  return s.bodies.couplings()[i];
}

double force(const Simulation& s, std::size_t i, std::size_t axis) {
  if (s.stepper.steps() == 0) return std::numeric_limits<double>::quiet_NaN();
  return s.bodies.force(coupling(s, i), axis, s.stepper.step_size());
}

double power(const Simulation& s, std::size_t i, Eigen::Index) {
  double sum = 0;
  for (std::size_t axis = 0; axis < coupling(s, i).axes; ++axis)
    sum += force(s, i, axis) * s.bodies.axis(coupling(s, i), axis).rate;
  return sum;
}

constexpr FieldReader readers[] = {
    {"position", Subject::body,
     [](const Simulation& s, std::size_t i, Eigen::Index c) { return frame_of_user(s.bodies, i).x[c]; }},
    {"velocity", Subject::body,
     [](const Simulation& s, std::size_t i, Eigen::Index c) { return velocity_of_user(s.bodies, i)[c]; }},
    {"orientation", Subject::body,
     [](const Simulation& s, std::size_t i, Eigen::Index c) {
       const Quat& q = s.bodies.state().pose[i].q;
       return c == 0 ? q.w() : q.vec()[c - 1];
     }},
    {"angular_velocity", Subject::body,
     [](const Simulation& s, std::size_t i, Eigen::Index c) {
       return s.bodies.angular_velocity(BodyId(i))[c];
     }},
    {"momentum", Subject::body,
     [](const Simulation& s, std::size_t i, Eigen::Index c) {
       return s.bodies.model().bodies[i].mass * s.bodies.state().velocity[i][c];
     }},
    {"angular_momentum", Subject::body,
     [](const Simulation& s, std::size_t i, Eigen::Index c) {
       return s.bodies.state().angular_momentum[i][c];
     }},
    {"kinetic_energy", Subject::body,
     [](const Simulation& s, std::size_t i, Eigen::Index) { return s.bodies.kinetic_energy(BodyId(i)); }},
    {"contact_force", Subject::body, contact_force},
    {"reaction", Subject::joint,
     [](const Simulation& s, std::size_t i, Eigen::Index c) { return reaction(s, i)[c]; }},
    {"reaction_torque", Subject::joint,
     [](const Simulation& s, std::size_t i, Eigen::Index c) { return reaction(s, i)[c + 3]; }},
    {"violation", Subject::joint, violation},
    {"length", Subject::joint, length},
    {"angle", Subject::shaft,
     [](const Simulation& s, std::size_t i, Eigen::Index) { return s.bodies.state().shaft_angle[i]; }},
    {"speed", Subject::shaft,
     [](const Simulation& s, std::size_t i, Eigen::Index) { return s.bodies.state().shaft_speed[i]; }},
    {"force", Subject::coupling,
     [](const Simulation& s, std::size_t i, Eigen::Index) { return force(s, i, 0); }},
    {"rate", Subject::coupling,
     [](const Simulation& s, std::size_t i, Eigen::Index) { return s.bodies.axis(coupling(s, i), 0).rate; }},
    {"power", Subject::coupling, power},
    {"turbine_torque", Subject::coupling,
     [](const Simulation& s, std::size_t i, Eigen::Index) { return force(s, i, 1); }},
    {"speed_ratio", Subject::coupling,
     [](const Simulation& s, std::size_t i, Eigen::Index) {
       return s.bodies.axis(coupling(s, i), 1).rate / s.bodies.axis(coupling(s, i), 0).rate;
     }},
    {"coordination", Subject::system, coordination},
    {"grain_energy", Subject::system, grain_energy},
    {"energy", Subject::system, energy},
    {"momentum", Subject::system, momentum},
};

struct Target {
  Subject subject = Subject::system;
  std::size_t index = 0;
};

Target find_target(const Simulation& simulation, const std::string& of) {
  if (of.empty()) return {};
  const auto& bodies = simulation.bodies.model().bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies[i].name == of) return {Subject::body, i};
  const auto joints = simulation.bodies.joints();
  for (std::size_t i = 0; i < joints.size(); ++i)
    if (joints[i].name == of) return {Subject::joint, i};
  const auto& shafts = simulation.bodies.model().shafts;
  for (std::size_t i = 0; i < shafts.size(); ++i)
    if (shafts[i].name == of) return {Subject::shaft, i};
  // A thing of the scenario may be made of several couplings: the first one is what it is named for.
  const auto couplings = simulation.bodies.couplings();
  for (std::size_t i = 0; i < couplings.size(); ++i)
    if (couplings[i].name == of) return {Subject::coupling, i};
  HARDPAN_CHECK(false, "nothing named " + of);
}

Reader find_reader(const std::string& field, Subject subject) {
  for (const FieldReader& reader : readers)
    if (reader.subject == subject && field == reader.name) return reader.read;
  HARDPAN_CHECK(false, "no reader for field " + field);
}

struct JointCoordinate {
  std::size_t component;
  bool rate;
};

std::optional<JointCoordinate> find_coordinate(const JointInfo& joint, std::string_view field) {
  for (std::size_t i = 0; i < joint.coordinates.size(); ++i) {
    const std::string_view name = joint.coordinates[i].name;
    if (field == name) return JointCoordinate{i, false};
    if (field == std::string(name) + "_rate") return JointCoordinate{i, true};
  }
  return {};
}

Observable observe_coordinate(std::string name, std::string unit, std::size_t index, JointCoordinate what) {
  return {std::move(name), std::move(unit), [index, what](const Simulation& s) {
            const multibody::AxisState state = s.bodies.coordinate(joint(s, index), what.component);
            return what.rate ? state.rate : state.value;
          }};
}

// The contact force between two bodies.
std::vector<Observable> observe_contact(const Simulation& simulation, const FieldInfo& info,
                                        const std::string& wanted, const std::string& of,
                                        const std::string& against) {
  const BodyId b(find_target(simulation, of).index);
  const bool by_soil = against == "grains" || against == "solid";
  const BodyId a(by_soil ? 0 : find_target(simulation, against).index);
  std::vector<Observable> found;
  for (std::size_t c = 0; c < info.components.size(); ++c) {
    const Component& component = info.components[c];
    if (!wanted.empty() && component.name != wanted) continue;
    found.push_back({of + "." + info.name + "." + against + "." + component.name, component.unit,
                     [a, b, c, by_soil](const Simulation& s) {
                       if (s.stepper.steps() == 0) return std::numeric_limits<double>::quiet_NaN();
                       const auto k = static_cast<Eigen::Index>(c);
                       if (by_soil) return force_of_soil(s, b.index(), k);
                       return s.contacts.force(b, a, s.stepper.step_size())[k];
                     }});
  }
  return found;
}

// The last row of the table.
std::vector<Observable> observe_columns(const Simulation& simulation) {
  std::vector<Observable> found;
  const auto& columns = simulation.measure->kind().columns;
  for (std::size_t c = 0; c < columns.size(); ++c)
    found.push_back(
        {columns[c].name, columns[c].unit, [c](const Simulation& s) { return s.measure->last()[c]; }});
  return found;
}

}  // namespace

Observable observe_metric(const std::string& metric) {
  return {metric, "", [metric](const Simulation& s) {
            if (s.stepper.steps() < s.step_count) return std::numeric_limits<double>::quiet_NaN();
            for (const auto& [name, value] : s.measure->metrics())
              if (name == metric) return value;
            HARDPAN_CHECK(false, "no metric " + metric);
          }};
}

Pose frame_of_user(const multibody::System& system, std::size_t body) {
  const Pose& pose = system.state().pose[body];
  const Vec3& origin = system.model().bodies[body].origin;
  return origin.isZero(0) ? pose : Pose{pose.point(origin), pose.q};
}

Vec3 velocity_of_user(const multibody::System& system, std::size_t body) {
  const Vec3& velocity = system.state().velocity[body];
  const Vec3& origin = system.model().bodies[body].origin;
  if (origin.isZero(0)) return velocity;
  return velocity + system.angular_velocity(BodyId(body)).cross(system.state().pose[body].turned(origin));
}

std::vector<Observable> observe(const Simulation& simulation, const std::string& field, const std::string& of,
                                const std::string& against) {
  const auto [name, wanted] = split_component(field);
  if (name == "measure") return observe_columns(simulation);
  const Target target = find_target(simulation, of);
  const FieldInfo* info = find_field(name, target.subject);
  HARDPAN_CHECK(info, "no field " + name);
  if (!against.empty()) return observe_contact(simulation, *info, wanted, of, against);
  if (target.subject == Subject::joint)
    if (const auto coordinate = find_coordinate(joint(simulation, target.index), name))
      return {observe_coordinate(of + "." + name, info->components[0].unit, target.index, *coordinate)};
  const Reader read = find_reader(name, target.subject);
  std::vector<Observable> found;
  for (std::size_t c = 0; c < info->components.size(); ++c) {
    const Component& component = info->components[c];
    if (!wanted.empty() && component.name != wanted) continue;
    std::string full = of.empty() ? name : of + "." + name;
    if (!component.name.empty()) full += "." + component.name;
    found.push_back({std::move(full), component.unit, [read, index = target.index, c](const Simulation& s) {
                       return read(s, index, static_cast<Eigen::Index>(c));
                     }});
  }
  HARDPAN_CHECK(!found.empty(), "no component " + wanted + " of " + name);
  return found;
}

}  // namespace hardpan::scenario
