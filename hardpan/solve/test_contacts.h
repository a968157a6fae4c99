// Problems of contact for the tests and benchmarks of the solvers. Deterministic.
#pragma once

#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "hardpan/solve/contact_rows.h"
#include "hardpan/solve/test_problems.h"

namespace hardpan::solve::test {

struct ContactProblem {
  Problem problem;
  BlockRows joints;
  ContactRows contacts;
  std::vector<std::array<Vec3, 3>> frames;  // n, t1, t2 of each contact

  explicit ContactProblem(std::size_t rows_per_contact = 3) : contacts(rows_per_contact) {}
};
using ContactProblemPtr = std::unique_ptr<ContactProblem>;

inline std::size_t add_body(ContactProblem& t, double mass, double inertia, const Vec3& velocity,
                            const Vec3& spin = Vec3::Zero()) {
  const std::size_t b = t.problem.add_block(6);
  for (std::size_t k = 0; k < 6; ++k) t.problem.matrix(b)[7 * k] = k < 3 ? mass : inertia;
  for (std::size_t k = 0; k < 3; ++k) {
    t.problem.momentum(b)[k] = mass * velocity[static_cast<Eigen::Index>(k)];
    t.problem.momentum(b)[3 + k] = inertia * spin[static_cast<Eigen::Index>(k)];
  }
  return b;
}

struct Touch {
  std::size_t a, b = ContactRows::ground;
  Vec3 from_a, from_b = Vec3::Zero();  // from the centres of mass to the point
  Vec3 normal = Vec3::UnitZ();         // on a
  double mu = 0.5, sigma_n = 1e-6, sigma_t = 1e-6, rhs = 0;
  double angle = 0;  // by which the tangents are turned
  double mu_rolling = 0, mu_twisting = 0;
};

// Writes contact c of a group that is large enough. w: velocity of a's point less that of b's.
inline void write_touch(ContactProblem& t, std::size_t c, const Touch& touch) {
  const Vec3 n = touch.normal.normalized(), e = n.unitOrthogonal(), f = n.cross(e);
  const double co = std::cos(touch.angle), si = std::sin(touch.angle);
  const std::array<Vec3, 3> frame = {n, co * e + si * f, co * f - si * e};
  t.frames[c] = frame;
  t.contacts.begin(c, t.problem, touch.a, touch.b);
  const auto put = [](std::span<double, 6> out, const Vec3& linear, const Vec3& angular) {
    for (std::size_t k = 0; k < 3; ++k) {
      out[k] = linear[static_cast<Eigen::Index>(k)];
      out[3 + k] = angular[static_cast<Eigen::Index>(k)];
    }
  };
  for (std::size_t r = 0; r < 3; ++r) {
    put(t.contacts.on_a(c, r), frame[r], touch.from_a.cross(frame[r]));
    put(t.contacts.on_b(c, r), -frame[r], -touch.from_b.cross(frame[r]));
    t.contacts.set(c, r, r == 0 ? touch.sigma_n : touch.sigma_t, r == 0 ? touch.rhs : 0.0, 0.0);
  }
  if (t.contacts.rows_per_contact() == 6) {
    const std::array axes = {frame[1], frame[2], frame[0]};
    for (std::size_t r = 0; r < 3; ++r) {
      put(t.contacts.on_a(c, 3 + r), Vec3::Zero(), axes[r]);
      put(t.contacts.on_b(c, 3 + r), Vec3::Zero(), -axes[r]);
      t.contacts.set(c, 3 + r, touch.sigma_t, 0.0, 0.0);
    }
  }
  t.contacts.set_friction(c, touch.mu, touch.mu_rolling, touch.mu_twisting);
}

inline void write_touches(ContactProblem& t, const std::vector<Touch>& touches) {
  t.contacts.resize(touches.size());
  t.frames.resize(touches.size());
  for (std::size_t c = 0; c < touches.size(); ++c) write_touch(t, c, touches[c]);
  t.problem.clear_groups();
  if (t.joints.rows() > 0) t.problem.add_group(t.joints);
  t.problem.add_group(t.contacts);
}

constexpr double weight_step = 9.81e-2;  // speed that gravity gives in a step of 10 ms

// A box of size 1 x 1 x 1 and 2 kg on four contacts, falling at weight_step and moving.
inline ContactProblemPtr box_on_floor(const Vec3& velocity, const Vec3& spin, double mu,
                                      double sigma = 1e-6) {
  auto t = std::make_unique<ContactProblem>();
  add_body(*t, 2, 2.0 / 6, velocity - weight_step * Vec3::UnitZ(), spin);
  std::vector<Touch> touches;
  for (const double x : {-0.5, 0.5})
    for (const double y : {-0.5, 0.5})
      touches.push_back({.a = 0, .from_a = {x, y, -0.5}, .mu = mu, .sigma_n = sigma, .sigma_t = sigma});
  write_touches(*t, touches);
  return t;
}

// A column of boxes, pushed sideways at the top.
inline ContactProblemPtr box_stack(int boxes, double push, double mu, double sigma = 1e-6) {
  auto t = std::make_unique<ContactProblem>();
  std::vector<Touch> touches;
  for (int b = 0; b < boxes; ++b) {
    const Vec3 velocity(b + 1 == boxes ? push : 0, 0, -weight_step);
    const std::size_t body = add_body(*t, 1, 1.0 / 6, velocity);
    for (const double x : {-0.5, 0.5})
      for (const double y : {-0.5, 0.5})
        touches.push_back({.a = body,
                           .b = b == 0 ? ContactRows::ground : body - 1,
                           .from_a = {x, y, -0.5},
                           .from_b = {x, y, 0.5},
                           .mu = mu,
                           .sigma_n = sigma,
                           .sigma_t = sigma});
  }
  write_touches(*t, touches);
  return t;
}

// Bodies at the points of a lattice n x n x m on a floor, each falling, with random speeds, touching its
// neighbours below and beside at up to four points with random normals near the line of centres.
inline ContactProblemPtr lattice_pile(int n, int m, int points, double mu, double sigma, std::uint64_t seed) {
  auto t = std::make_unique<ContactProblem>();
  Dice dice(seed);
  const auto vec = [&](double size) {
    return Vec3(size * dice.number(), size * dice.number(), size * dice.number());
  };
  std::vector<Touch> touches;
  const auto at = [&](int i, int j, int k) { return static_cast<std::size_t>((k * n + j) * n + i); };
  for (int k = 0; k < m; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        add_body(*t, 1, 1.0 / 6, vec(0.05) - weight_step * Vec3::UnitZ(), vec(0.05));
  const auto touch = [&](std::size_t a, std::size_t b, const Vec3& axis) {  // from b to a
    const Vec3 normal = (axis + vec(0.1)).normalized();
    for (int p = 0; p < points; ++p) {
      const Vec3 side = vec(0.4), offset = side - axis * axis.dot(side);
      touches.push_back({.a = a,
                         .b = b,
                         .from_a = -0.5 * axis + offset,
                         .from_b = 0.5 * axis + offset,
                         .normal = normal,
                         .mu = mu,
                         .sigma_n = sigma,
                         .sigma_t = sigma});
    }
  };
  for (int k = 0; k < m; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        touch(at(i, j, k), k == 0 ? ContactRows::ground : at(i, j, k - 1), Vec3::UnitZ());
        if (i > 0) touch(at(i, j, k), at(i - 1, j, k), Vec3::UnitX());
        if (j > 0) touch(at(i, j, k), at(i, j - 1, k), Vec3::UnitY());
      }
  write_touches(*t, touches);
  return t;
}

// Few bodies of random positive definite mass, contacts between them at random.
inline ContactProblemPtr random_contacts(std::uint64_t seed, int bodies, int contacts, double sigma,
                                         std::size_t rows_per_contact = 3) {
  auto t = std::make_unique<ContactProblem>(rows_per_contact);
  Dice dice(seed);
  const auto vec = [&](double size) {
    return Vec3(size * dice.number(), size * dice.number(), size * dice.number());
  };
  for (int b = 0; b < bodies; ++b) {
    const std::size_t body = add_body(*t, 1, 1, Vec3::Zero());
    Eigen::Matrix<double, 6, 6> m =
        Eigen::Matrix<double, 6, 6>::NullaryExpr([&](auto, auto) { return 0.4 * dice.number(); });
    m = (m * m.transpose() + dice.decade(-0.5, 0.5) * Eigen::Matrix<double, 6, 6>::Identity()).eval();
    std::copy_n(m.data(), 36, t->problem.matrix(body).begin());
    for (double& x : t->problem.momentum(body)) x = dice.number();
  }
  std::vector<Touch> touches;
  for (int c = 0; c < contacts; ++c) {
    const std::size_t a = dice.pick(t->problem.blocks().size()), b = dice.pick(t->problem.blocks().size());
    const double sigma_n = sigma * dice.decade(-0.5, 0.5), sigma_t = sigma * dice.decade(-0.5, 0.5);
    touches.push_back({.a = a,
                       .b = a == b ? ContactRows::ground : b,
                       .from_a = vec(1),
                       .from_b = vec(1),
                       .normal = vec(1) + 1.5 * Vec3::UnitZ(),
                       .mu = dice.number(0, 0.8),
                       .sigma_n = sigma_n,
                       .sigma_t = sigma_t,
                       .rhs = 0.2 * dice.number(),
                       .angle = dice.number(0, 6),
                       .mu_rolling = dice.number(0, 0.1),
                       .mu_twisting = dice.number(0, 0.1)});
  }
  write_touches(*t, touches);
  return t;
}

}  // namespace hardpan::solve::test
