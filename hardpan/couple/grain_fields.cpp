#include "hardpan/couple/grain_fields.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

namespace hardpan::couple {
namespace {

using grains::Vec;

struct Contact {
  Vec from, to;  // centres, or a centre and a wall
  double force;  // N
};

struct Fields {
  std::vector<double> coordination;
  std::vector<std::array<double, 6>> moment;  // sum f (x) l, N m; its symmetric part
  std::vector<Contact> contacts;

  explicit Fields(std::size_t count) : coordination(count, 0.0), moment(count) {}

  void add(std::size_t grain, const Vec& force, const Vec& arm) {
    coordination[grain] += 1;
    auto& m = moment[grain];
    m[0] += force.x * arm.x;
    m[1] += force.y * arm.y;
    m[2] += force.z * arm.z;
    m[3] += 0.5 * (force.y * arm.z + force.z * arm.y);
    m[4] += 0.5 * (force.x * arm.z + force.z * arm.x);
    m[5] += 0.5 * (force.x * arm.y + force.y * arm.x);
  }
};

Fields fields_of(const GrainBed& bed) {
  const grains::System& system = bed.grains();
  const auto& state = system.state();
  Fields fields(system.size());
  for (const auto& [i, j, force, arm_i] : system.contact_forces()) {
    const Vec way = system.model().space.shortest(state[j].position - state[i].position);
    const double distance = norm(way);
    const Vec n = (1 / distance) * way;
    fields.add(state.id[i], -1.0 * force, arm_i * n);
    fields.add(state.id[j], force, (arm_i - distance) * n);
    fields.contacts.push_back({state[i].position, state[i].position + way, norm(force)});
  }
  system.each_touch([&](const grains::WallTouch& touch) {
    const double arm = system.radius(touch.grain);
    fields.add(state.id[touch.grain], touch.force, (-arm) * touch.normal);
    const Vec x = state[touch.grain].position;
    fields.contacts.push_back({x, x - arm * touch.normal, norm(touch.force)});
  });
  return fields;
}

Vec columns(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

// A force acts at the contact; chains go through it from one middle to the other.
Fields fields_of(const multibody::System& bodies, const BodyContact& contacts, double h) {
  const ContactModel& model = contacts.model();
  const std::size_t machine = model.surfaces.size() - model.grains;
  Fields fields(model.grains);
  for (const Touch& touch : contacts.touches()) {
    if (!touch.pressed()) continue;
    const auto [a, b] = contacts.surfaces_of(touch);
    if (!model.is_grain(b)) continue;
    const Vec3 force = touch.total() / h;
    const Vec3 from = bodies.pose(model.surfaces[b].body).x;
    Vec3 to = touch.point;
    fields.add(b - machine, columns(force), columns(touch.point - from));
    if (model.is_grain(a)) {
      to = bodies.pose(model.surfaces[a].body).x;
      fields.add(a - machine, columns(-force), columns(touch.point - to));
    }
    fields.contacts.push_back({columns(from), columns(to), force.norm()});
  }
  return fields;
}

void put_fields(const Fields& fields, const std::vector<double>& volume, Archive& frame) {
  const std::size_t n = volume.size();
  std::vector<double> pressure(n), stress(6 * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < 6; ++k) stress[6 * i + k] = fields.moment[i][k] / volume[i];
    pressure[i] = -(stress[6 * i] + stress[6 * i + 1] + stress[6 * i + 2]) / 3;
  }
  frame.put("grains/coordination", fields.coordination, {n});
  frame.put("grains/pressure", pressure, {n}, "Pa");
  frame.put("grains/stress", stress, {n, 6}, "Pa");
}

void put_chains(const std::vector<Contact>& contacts, Archive& frame) {
  double mean = 0;
  for (const Contact& contact : contacts) mean += contact.force / static_cast<double>(contacts.size());
  std::vector<double> ends, force;
  for (const auto& [from, to, f] : contacts) {
    if (f <= mean) continue;
    ends.insert(ends.end(), {from.x, from.y, from.z, to.x, to.y, to.z});
    force.push_back(f);
  }
  // Frames of one shape share a file: rows that are not there hold no number.
  force.resize(std::bit_ceil(std::max<std::size_t>(64, force.size())),
               std::numeric_limits<double>::quiet_NaN());
  ends.resize(6 * force.size(), std::numeric_limits<double>::quiet_NaN());
  frame.put("chains/ends", ends, {force.size(), 6}, "m");
  frame.put("chains/force", force, {force.size()}, "N");
}

}  // namespace

void put_grains(const GrainBed& bed, Archive& frame) {
  const grains::System& system = bed.grains();
  const auto& state = system.state();
  const std::size_t n = system.size();
  const Fields fields = fields_of(bed);
  std::vector<double> position(3 * n), velocity(3 * n), radius(n), volume(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t id = state.id[i];
    const Vec x = state[i].position, v = state[i].velocity;
    for (const auto& [into, from] : {std::pair{&position, x}, std::pair{&velocity, v}}) {
      (*into)[3 * id] = from.x;
      (*into)[3 * id + 1] = from.y;
      (*into)[3 * id + 2] = from.z;
    }
    radius[id] = system.radius(i);
    volume[id] = 4.0 / 3.0 * std::numbers::pi * std::pow(system.radius(i), 3);
  }
  frame.put("grains/position", position, {n, 3}, "m");
  frame.put("grains/velocity", velocity, {n, 3}, "m/s");
  frame.put("grains/radius", radius, {n}, "m");
  put_fields(fields, volume, frame);
  put_chains(fields.contacts, frame);
}

void put_grains(const multibody::System& bodies, const BodyContact& contacts, double h, Archive& frame) {
  const multibody::Model& model = bodies.model();
  const std::size_t n = model.grains, machine = model.machine().size();
  std::vector<double> volume(n), radius(n);
  for (std::size_t i = 0; i < n; ++i) {
    const geometry::Shape& shape = model.bodies[machine + i].shapes[0].shape;
    volume[i] = geometry::solid(shape).volume;
    radius[i] = 0.5 * (geometry::bounds(shape, {}).high - geometry::bounds(shape, {}).low).maxCoeff();
  }
  const auto poses = std::span(bodies.state().pose).subspan(machine);
  frame.put("grains/position", multibody::flat_positions(poses), {n, 3}, "m");
  frame.put("grains/orientation", multibody::flat_orientations(poses), {n, 4});
  frame.put("grains/velocity", multibody::flat(std::span(bodies.state().velocity).subspan(machine)), {n, 3},
            "m/s");
  frame.put("grains/radius", radius, {n}, "m");
  const Fields fields = fields_of(bodies, contacts, h);
  put_fields(fields, volume, frame);
  put_chains(fields.contacts, frame);
}

}  // namespace hardpan::couple
