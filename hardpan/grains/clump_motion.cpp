#include "hardpan/grains/clump_motion.h"

#include <array>
#include <cmath>

#include "hardpan/core/parallel.h"

namespace hardpan::grains {
namespace {

constexpr std::size_t chunk = 64;  // clumps

struct Axes {
  Vec x, y, z;

  explicit Axes(const Quat& q) {
    const Mat3 r = q.toRotationMatrix();
    x = {r(0, 0), r(1, 0), r(2, 0)};
    y = {r(0, 1), r(1, 1), r(2, 1)};
    z = {r(0, 2), r(1, 2), r(2, 2)};
  }
  Vec to_world(const Vec& v) const { return v.x * x + v.y * y + v.z * z; }
  Vec to_body(const Vec& v) const { return {dot(x, v), dot(y, v), dot(z, v)}; }
};

// I^-1 L
Vec spin_of(const Axes& axes, const Vec& inertia, const Vec& l) {
  const Vec p = axes.to_body(l);
  return axes.to_world({p.x / inertia.x, p.y / inertia.y, p.z / inertia.z});
}

// I omega
Vec momentum_of(const Axes& axes, const Vec& inertia, const Vec& spin) {
  const Vec w = axes.to_body(spin);
  return axes.to_world({inertia.x * w.x, inertia.y * w.y, inertia.z * w.z});
}

Quat turned_freely(const Quat& q, const Vec& inertia, const Vec& l, double h) {
  const Vec in_body = Axes(q).to_body(l);
  std::array<double, 3> p = {in_body.x, in_body.y, in_body.z};
  const std::array<double, 3> moments = {inertia.x, inertia.y, inertia.z};
  Quat out = q;
  for (const auto& [axis, time] : {std::pair{0u, h / 2}, {1u, h / 2}, {2u, h}, {1u, h / 2}, {0u, h / 2}}) {
    const double angle = time * p[axis] / moments[axis];
    Quat turn(std::cos(angle / 2), 0, 0, 0);
    turn.vec()[axis] = std::sin(angle / 2);
    out = out * turn;
    double &a = p[(axis + 1) % 3], &b = p[(axis + 2) % 3];  // L stays where it is, the axes turn
    const double c = std::cos(angle), s = std::sin(angle), old = a;
    a = c * a + s * b;
    b = c * b - s * old;
  }
  return out.normalized();
}

Quat halfway(const Quat& a, const Quat& b) {
  Quat sum;
  sum.coeffs() = a.coeffs() + (a.dot(b) < 0 ? -1.0 : 1.0) * b.coeffs();
  return sum.normalized();
}

}  // namespace

Clumps::Clumps(std::span<const Clump> clumps) {
  for (const Clump& clump : clumps) {
    const Quat q = clump.orientation.normalized();
    const Axes axes(q);
    for (const Member& member : clump.members) {
      offset_.push_back(member.offset);
      clump_of_.push_back(static_cast<std::uint32_t>(mass_.size()));
    }
    start_.push_back(static_cast<std::uint32_t>(offset_.size()));
    mass_.push_back(clump.mass);
    inertia_.push_back(clump.inertia);
    state_.position.push_back(clump.position);
    state_.velocity.push_back(clump.velocity);
    state_.spin.push_back(clump.spin);
    state_.angular_momentum.push_back(momentum_of(axes, clump.inertia, clump.spin));
    state_.orientation.push_back(q);
  }
  force_.resize(members());
  torque_.resize(members());
}

Vec Clumps::position_of(std::size_t member) const {
  const std::uint32_t c = clump_of_[member];
  return state_.position[c] + Axes(state_.orientation[c]).to_world(offset_[member]);
}

Vec Clumps::velocity_of(std::size_t member) const {
  const std::uint32_t c = clump_of_[member];
  return state_.velocity[c] + cross(state_.spin[c], position_of(member) - state_.position[c]);
}

void Clumps::find_members(std::span<const std::uint32_t> id, std::size_t first) {
  place_.resize(members());
  if (members() == 0) return;
  for (std::size_t i = 0; i < id.size(); ++i)
    if (id[i] >= first) place_[id[i] - first] = static_cast<std::uint32_t>(i);
}

void Clumps::wrap(const Space& space) {
  const auto& [x, y, z] = space.axes;
  for (std::size_t c = 0; c < size(); ++c) {
    const Vec at = state_.position[c];
    state_.position.set(c, {x.wrapped(at.x), y.wrapped(at.y), z.wrapped(at.z)});
  }
}

void Clumps::move(double h, double kick, const Vec& gravity, const Space& space, State& grains) {
  parallel_for(
      size(),
      [&](std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c) move_one(c, h, kick, gravity, space, grains);
      },
      chunk);
}

void Clumps::move_one(std::size_t c, double h, double kick, const Vec& gravity, const Space& space,
                      State& grains) {
  const Quat was = state_.orientation[c];
  const Axes before(was);
  Vec force{}, torque{};
  for (std::uint32_t k = start_[c]; k < start_[c + 1]; ++k) {
    force = force + force_[k];
    torque = torque + torque_[k] + cross(before.to_world(offset_[k]), force_[k]);
  }
  const Vec v = state_.velocity[c] + kick * ((1 / mass_[c]) * force + gravity),
            l = state_.angular_momentum[c] + kick * torque;
  const Vec x = state_.position[c] + h * v;
  const Quat q = turned_freely(was, inertia_[c], l, h);
  const Vec spin = spin_of(Axes(halfway(was, q)), inertia_[c], l);
  state_.position.set(c, x);
  state_.velocity.set(c, v);
  state_.angular_momentum.set(c, l);
  state_.spin.set(c, spin);
  state_.orientation[c] = q;

  const Axes after(q);
  for (std::uint32_t k = start_[c]; k < start_[c + 1]; ++k) {
    const std::uint32_t i = place_[k];
    Ball& ball = grains.balls[i];
    const Vec arm = after.to_world(offset_[k]), old = ball.position;
    ball.velocity = v + (1 / h) * (arm - before.to_world(offset_[k]));
    ball.spin = spin;
    ball.position = old + space.shortest(x + arm - old);
  }
}

double Clumps::kinetic_energy() const {
  double sum = 0;
  for (std::size_t c = 0; c < size(); ++c) {
    const Vec v = state_.velocity[c];
    sum += 0.5 * (mass_[c] * dot(v, v) + dot(state_.angular_momentum[c], state_.spin[c]));
  }
  return sum;
}

Vec Clumps::momentum() const {
  Vec sum{};
  for (std::size_t c = 0; c < size(); ++c) sum = sum + mass_[c] * state_.velocity[c];
  return sum;
}

// ---- state

void Clumps::save(Archive& archive) const {
  if (size() == 0) return;
  std::vector<double> values;
  for (std::size_t c = 0; c < size(); ++c) {
    for (const Columns* columns :
         {&state_.position, &state_.velocity, &state_.angular_momentum, &state_.spin}) {
      const Vec v = (*columns)[c];
      values.insert(values.end(), {v.x, v.y, v.z});
    }
    const Quat& q = state_.orientation[c];
    values.insert(values.end(), {q.w(), q.x(), q.y(), q.z()});
  }
  archive.put("grains/clumps", values, {size(), 16});
}

void Clumps::restore(const Archive& archive) {
  if (size() == 0) return;
  std::vector<double> values(16 * size());
  archive.get("grains/clumps", std::span(values));
  const double* v = values.data();
  for (std::size_t c = 0; c < size(); ++c, v += 16) {
    state_.position.set(c, {v[0], v[1], v[2]});
    state_.velocity.set(c, {v[3], v[4], v[5]});
    state_.angular_momentum.set(c, {v[6], v[7], v[8]});
    state_.spin.set(c, {v[9], v[10], v[11]});
    state_.orientation[c] = Quat(v[12], v[13], v[14], v[15]);
  }
}

}  // namespace hardpan::grains
