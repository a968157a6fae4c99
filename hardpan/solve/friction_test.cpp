// Friction: closed forms, the three laws against an independent reading of them, agreement of the solvers.
#include "hardpan/solve/friction.h"

#include <array>
#include <cmath>
#include <sstream>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "hardpan/solve/test_contacts.h"

namespace hardpan::solve {
namespace {

using namespace test;

constexpr std::array all_laws = {Friction::cone, Friction::box, Friction::convex};

std::vector<SolverOptions> solvers_of(Friction law) {
  std::vector<SolverOptions> list = {
      {.kind = SolverKind::newton, .friction = law},
      {.kind = SolverKind::newton, .matrix_free = true, .friction = law},
      {.kind = SolverKind::pgs, .max_iterations = 20'000, .friction = law},
  };
  if (law != Friction::box)
    list.push_back({.kind = SolverKind::apgd, .max_iterations = 20'000, .friction = law});
  if (law == Friction::convex) return list;
  list.push_back({.kind = SolverKind::direct, .friction = law});
  list.push_back({.kind = SolverKind::split, .friction = law});
  return list;
}

std::string name_of(const SolverOptions& o) {
  const std::array kinds = {"direct", "newton", "pgs", "split", "apgd"};
  const std::array laws = {"cone", "box", "convex"};
  return std::string(kinds[static_cast<std::size_t>(o.kind)]) + (o.matrix_free ? " matrix-free, " : ", ") +
         laws[static_cast<std::size_t>(o.friction)];
}

// ---- closed forms

// A mass of 2 kg, touched at its centre: slides at v0 in a direction, falls by g h.
ContactProblemPtr sliding_mass(double v0, double angle, double mu, double sigma) {
  auto t = std::make_unique<ContactProblem>();
  add_body(*t, 2, 1, {v0 * std::cos(angle), v0 * std::sin(angle), -weight_step});
  write_touches(*t, {{.a = 0, .from_a = Vec3::Zero(), .mu = mu, .sigma_n = sigma, .sigma_t = sigma}});
  return t;
}

TEST(Friction, AMassSticksAndSlidesInEveryDirection) {
  constexpr double mu = 0.4, sigma = 1e-3, d = 0.5 + sigma;  // 1/m + Sigma
  for (const Friction law : {Friction::cone, Friction::convex})
    for (const SolverOptions& options : solvers_of(law))
      for (int k = 0; k < 12; ++k)
        for (const double v0 :
             {0.5 * mu * weight_step, 0.99 * mu * weight_step, 1.01 * mu * weight_step, 2.0}) {
          const double angle = 0.1 + k * M_PI / 6;
          const auto t = sliding_mass(v0, angle, mu, sigma);
          const Solved s = solved(*make_solver(options), t->problem);
          ASSERT_TRUE(s.report.ok && s.report.converged) << name_of(options) << s.report.reason;
          EXPECT_EQ(s.report.friction, law);
          const bool slides = v0 > mu * weight_step;
          // Convex: w_n = mu |w_t|, that is lambda_n d - g h = mu (v0 - mu lambda_n d).
          const double n = law == Friction::cone || !slides ? weight_step / d
                                                            : (weight_step + mu * v0) / (d * (1 + mu * mu));
          const double f = slides ? mu * n : v0 / d;
          EXPECT_NEAR(s.lambda[0], n, 1e-8) << name_of(options) << v0;
          EXPECT_NEAR(s.v[0], (v0 - f / 2) * std::cos(angle), 1e-8) << name_of(options) << v0;
          EXPECT_NEAR(s.v[1], (v0 - f / 2) * std::sin(angle), 1e-8) << name_of(options) << v0;
          // The gap that convex sliding opens (THEORY 1).
          if (law == Friction::convex && slides) {
            EXPECT_NEAR(s.v[2] + sigma * n, mu * (v0 - f * d), 1e-8);
          }
        }
}

TEST(Friction, ABoxIsStrongerAlongItsDiagonal) {
  constexpr double mu = 0.4, sigma = 1e-3, d = 0.5 + sigma;
  for (const SolverOptions& options : solvers_of(Friction::box))
    for (const double turn : {0.0, M_PI / 4}) {
      auto t = sliding_mass(2, 0, mu, sigma);
      write_touches(
          *t,
          {{.a = 0, .from_a = Vec3::Zero(), .mu = mu, .sigma_n = sigma, .sigma_t = sigma, .angle = turn}});
      const Solved s = solved(*make_solver(options), t->problem);
      ASSERT_TRUE(s.report.ok && s.report.converged) << name_of(options);
      const double f = mu * weight_step / d * (turn > 0 ? std::sqrt(2.0) : 1.0);
      EXPECT_NEAR(s.v[0], 2 - f / 2, 1e-8) << name_of(options);
      EXPECT_NEAR(s.v[1], 0, 1e-8);
    }
}

// A ball of 0.5 m, 2 kg: slips and is spun up by mu N, or rolls when that is enough.
TEST(Friction, ABallSlipsOrRolls) {
  constexpr double m = 2, r = 0.5, inertia = 0.4 * m * r * r, sigma = 1e-6;
  for (const SolverOptions& options : solvers_of(Friction::cone))
    for (const double mu : {0.1, 1.5}) {
      constexpr double v0 = 0.3;
      auto t = std::make_unique<ContactProblem>();
      add_body(*t, m, inertia, {v0, 0, -weight_step});
      write_touches(*t, {{.a = 0, .from_a = {0, 0, -r}, .mu = mu, .sigma_n = sigma, .sigma_t = sigma}});
      const Solved s = solved(*make_solver(options), t->problem);
      ASSERT_TRUE(s.report.ok && s.report.converged) << name_of(options);
      const double n = weight_step / (1 / m + sigma);
      const double f = std::min(mu * n, v0 / (1 / m + r * r / inertia + sigma));
      EXPECT_NEAR(s.v[0], v0 - f / m, 1e-8) << name_of(options);
      EXPECT_NEAR(s.v[4], f * r / inertia, 1e-8) << name_of(options);
    }
}

// In a groove of 90 degrees, sliding along it: both sides carry weight/sqrt(2).
TEST(Friction, AWedgeSlidesOnBothSides) {
  constexpr double m = 2, mu = 0.3, sigma = 1e-6;
  for (const SolverOptions& options : solvers_of(Friction::cone)) {
    auto t = std::make_unique<ContactProblem>();
    add_body(*t, m, 1, {1, 0, -weight_step});
    std::vector<Touch> touches;
    for (const double side : {-1.0, 1.0})
      touches.push_back({.a = 0,
                         .from_a = Vec3::Zero(),
                         .normal = {0, side, 1},
                         .mu = mu,
                         .sigma_n = sigma,
                         .sigma_t = sigma,
                         .angle = 0.7});
    write_touches(*t, touches);
    const Solved s = solved(*make_solver(options), t->problem);
    ASSERT_TRUE(s.report.ok && s.report.converged) << name_of(options);
    EXPECT_NEAR(s.v[0], 1 - 2 * mu * s.lambda[0] / m, 1e-6) << name_of(options);
    EXPECT_NEAR(s.lambda[0], m * weight_step / std::sqrt(2.0), 1e-4) << name_of(options);
  }
}

// ---- the laws, read independently

// Largest violation of a law by (v, lambda): impulses outside, signs, directions, products.
double violation(const ContactProblem& t, Friction law, const Solved& s) {
  VecX r(s.v.size()), w(s.lambda.size()), v = s.v, lambda = s.lambda;
  t.problem.residual(span_of(v), span_of(lambda), span_of(r), span_of(w));
  double worst = r.cwiseAbs().maxCoeff();
  const auto note = [&](double x) { worst = std::max(worst, x); };
  for (const Cone& cone : t.contacts.cones()) {
    const auto n = static_cast<Eigen::Index>(cone.normal), f = static_cast<Eigen::Index>(cone.first);
    const auto lt = lambda.segment(f, static_cast<Eigen::Index>(cone.count)),
               wt = w.segment(f, static_cast<Eigen::Index>(cone.count));
    const double radius = cone.mu * lambda[n];
    note(-lambda[n]);
    if (law == Friction::box) {
      note(lt.cwiseAbs().maxCoeff() - radius);
      for (Eigen::Index k = 0; k < lt.size(); ++k) note(radius * std::abs(wt[k]) + lt[k] * wt[k]);
    } else {
      note(lt.norm() - radius);
    }
    if (law == Friction::cone) note(radius * wt.norm() + lt.dot(wt));
    if (law == Friction::convex) continue;
    note(-w[n]);
    note(std::abs(w[n] * lambda[n]));
  }
  if (law == Friction::convex)
    for (std::size_t c = 0; c < t.contacts.contacts(); ++c) {
      const std::size_t per = t.contacts.rows_per_contact();
      const auto first = static_cast<Eigen::Index>(c * per), count = static_cast<Eigen::Index>(per);
      double dual = w[first];
      for (const Cone& cone : t.contacts.cones())
        if (cone.normal == c * per)
          dual -=
              cone.mu *
              w.segment(static_cast<Eigen::Index>(cone.first), static_cast<Eigen::Index>(cone.count)).norm();
      note(-dual);
      note(std::abs(w.segment(first, count).dot(lambda.segment(first, count))));
    }
  return worst;
}

ContactProblemPtr varied_contacts(std::uint64_t k) {
  const int n = static_cast<int>(k);
  if (k % 10 == 7) return box_on_floor({0.1 * n, 0.3, 0}, {0.1, 0, 0.01 * n}, 0.5, 1e-4);
  if (k % 10 == 8) return box_stack(2 + n % 4, 0.02 * n, 0.4, 1e-3);
  return random_contacts(k, 1 + n % 4, 1 + n % 6, n % 2 ? 1e-2 : 1e-3, n % 5 == 3 ? 6 : 3);
}

struct Tally {
  int solved = 0, converged = 0;
};

TEST(Friction, EverySolverObeysItsLawAndAllAgree) {
  for (const Friction law : all_laws) {
    const auto solvers = solvers_of(law);
    std::vector<Tally> tally(solvers.size());
    for (std::uint64_t k = 0; k < 120; ++k) {
      const auto t = varied_contacts(k);
      VecX reference;
      for (std::size_t m = 0; m < solvers.size(); ++m) {
        const Solved s = solved(*make_solver(solvers[m]), t->problem);
        const std::string what = name_of(solvers[m]) + " on problem " + std::to_string(k);
        ASSERT_TRUE(s.report.ok) << what << ": " << s.report.reason;
        ASSERT_TRUE(s.v.allFinite() && s.lambda.allFinite()) << what;
        ++tally[m].solved;
        if (!s.report.converged) continue;
        ++tally[m].converged;
        EXPECT_LE(violation(*t, law, s), 1e-8) << what;
        if (reference.size() == 0)
          reference = s.v;
        else
          EXPECT_LE((s.v - reference).cwiseAbs().maxCoeff(), 2e-6) << what;
      }
    }
    for (std::size_t m = 0; m < solvers.size(); ++m) {
      RecordProperty(name_of(solvers[m]), tally[m].converged);
      // Redundant contacts of little compliance are not for those that go from contact to contact.
      const bool sweeps = solvers[m].kind == SolverKind::pgs || solvers[m].kind == SolverKind::split ||
                          solvers[m].kind == SolverKind::apgd;
      EXPECT_GE(tally[m].converged, sweeps ? 90 : 115) << name_of(solvers[m]);
    }
  }
}

TEST(Friction, TheErrorOfARowIsTheChangeOfQThatMakesItExact) {
  EXPECT_TRUE(rc::check([](std::uint64_t seed) {
    const auto t = random_contacts(seed, 2, 4, 0.1, seed % 2 ? 3 : 6);
    RowTable rows;
    RC_ASSERT(rows.gather(t->problem).empty());
    Dice dice(seed);
    const std::size_t count = t->problem.rows();
    for (const Friction law : all_laws) {
      std::vector<double> lambda(count), w(count), e(count), again(count);
      for (std::size_t i = 0; i < count; ++i) lambda[i] = 2 * dice.number(), w[i] = dice.number();
      admit(rows, law, lambda);
      e = w;
      row_errors(rows, law, lambda, e);
      for (std::size_t i = 0; i < count; ++i) again[i] = w[i] - e[i];
      row_errors(rows, law, lambda, again);
      for (std::size_t i = 0; i < count; ++i) RC_ASSERT(std::abs(again[i]) <= 1e-12);
      // Nearest: w - e is orthogonal to e, as the set is a cone.
      double product = 0;
      for (std::size_t i = 0; i < count; ++i) product += e[i] * (w[i] - e[i]);
      RC_ASSERT(std::abs(product) <= 1e-12);
    }
  }));
}

TEST(Friction, WithoutFrictionConesArePlainBounds) {
  for (std::uint64_t k = 0; k < 20; ++k) {
    const auto t = random_contacts(k, 3, 5, 1e-2);
    for (std::size_t c = 0; c < t->contacts.contacts(); ++c) t->contacts.set_friction(c, 0);
    TestProblem plain;
    for (const Problem::Block& b : t->problem.blocks()) plain.problem.add_block(b.size);
    for (std::size_t b = 0; b < t->problem.blocks().size(); ++b) {
      std::ranges::copy(t->problem.matrix(b), plain.problem.matrix(b).begin());
      std::ranges::copy(t->problem.momentum(b), plain.problem.momentum(b).begin());
    }
    std::stringstream file;
    t->problem.write(file);
    const StoredProblem stored = read_problem(file);
    const auto& all = dynamic_cast<const BlockRows&>(*stored.groups.at(0));
    for (std::size_t i = 0; i < all.rows(); i += 3) {
      std::vector<std::size_t> blocks;
      struct Sink final : MatrixSink {
        std::size_t row = 0;
        std::vector<std::pair<std::size_t, std::vector<double>>> terms;
        void jacobian(std::size_t r, std::size_t block, std::span<const double> values) override {
          if (r == row) terms.push_back({block, {values.begin(), values.end()}});
        }
      } sink;
      sink.row = i;
      all.assemble(0, sink);
      for (const auto& [block, values] : sink.terms) blocks.push_back(block);
      const std::size_t row = add_row(plain, blocks, values_of(all, i));
      for (std::size_t k2 = 0; k2 < sink.terms.size(); ++k2)
        std::ranges::copy(sink.terms[k2].second, plain.rows.jacobian(row, k2).begin());
    }
    plain.problem.add_group(plain.rows);
    const Solved exact = solved(SolverKind::direct, plain.problem);
    for (const Friction law : all_laws)
      for (const SolverOptions& options : solvers_of(law)) {
        const Solved s = solved(*make_solver(options), t->problem);
        ASSERT_TRUE(s.report.ok && s.report.converged) << name_of(options) << k;
        EXPECT_LE((s.v - exact.v).cwiseAbs().maxCoeff(), 1e-7) << name_of(options) << k;
      }
  }
}

TEST(Friction, TurningTheTangentsChangesNothing) {
  for (const Friction law : {Friction::cone, Friction::convex})
    for (std::uint64_t k = 0; k < 12; ++k) {
      auto t = box_stack(3, 0.3 + 0.1 * static_cast<double>(k), 0.4, 1e-2);
      auto turned = box_stack(3, 0.3 + 0.1 * static_cast<double>(k), 0.4, 1e-2);
      Dice dice(k);
      std::vector<Touch> touches;
      for (std::size_t b = 0; b < 3; ++b)
        for (const double x : {-0.5, 0.5})
          for (const double y : {-0.5, 0.5})
            touches.push_back({.a = b,
                               .b = b == 0 ? ContactRows::ground : b - 1,
                               .from_a = {x, y, -0.5},
                               .from_b = {x, y, 0.5},
                               .mu = 0.4,
                               .sigma_n = 1e-2,
                               .sigma_t = 1e-2,
                               .angle = dice.number(0, 6)});
      write_touches(*turned, touches);
      for (const SolverOptions& o : solvers_of(law)) {
        if (o.kind == SolverKind::split || o.matrix_free) continue;
        SolverOptions options = o;
        options.tolerance = 1e-13;
        const Solved a = solved(*make_solver(options), t->problem),
                     b = solved(*make_solver(options), turned->problem);
        ASSERT_TRUE(a.report.ok && b.report.ok);
        if (!a.report.converged || !b.report.converged) continue;
        EXPECT_LE((a.v - b.v).cwiseAbs().maxCoeff(), 1e-9) << name_of(options) << k;
      }
    }
}

TEST(Friction, NeverDrives) {
  for (std::uint64_t k = 0; k < 40; ++k) {
    const auto t = random_contacts(k, 3, 6, 1e-2);
    for (const Friction law : all_laws) {
      const Solved s = solved(
          *make_solver({.kind = SolverKind::pgs, .max_iterations = 20'000, .friction = law}), t->problem);
      VecX r(s.v.size()), w(s.lambda.size()), v = s.v, lambda = s.lambda;
      t->problem.residual(span_of(v), span_of(lambda), span_of(r), span_of(w));
      for (const Cone& cone : t->contacts.cones()) {
        const auto f = static_cast<Eigen::Index>(cone.first), n = static_cast<Eigen::Index>(cone.count);
        EXPECT_LE(lambda.segment(f, n).dot(w.segment(f, n)), 1e-8);
      }
    }
  }
}

// ---- data

TEST(Friction, BadConesAreNamed) {
  const auto fault = [](const Cone& cone, const RowValues& n = {.sigma = 1, .lower = 0},
                        const RowValues& t = {.sigma = 1}) {
    TestProblem p;
    add_mass(p, 6, 1);
    add_row(p, std::array<std::size_t, 1>{0}, n);
    for (int k = 0; k < 2; ++k) add_row(p, std::array<std::size_t, 1>{0}, t);
    p.rows.add_cone(cone);
    p.problem.add_group(p.rows);
    RowTable rows;
    return rows.gather(p.problem);
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(fault({0, 1, 2, 0.5}), "");
  EXPECT_NE(fault({0, 2, 2, 0.5}), "");
  EXPECT_NE(fault({3, 1, 2, 0.5}), "");
  EXPECT_NE(fault({0, 1, 4, 0.5}), "");
  EXPECT_NE(fault({0, 1, 0, 0.5}), "");
  EXPECT_NE(fault({0, static_cast<std::size_t>(-1), 2, 0.5}), "");
  EXPECT_NE(fault({0, 1, static_cast<std::size_t>(-1), 0.5}), "");
  EXPECT_NE(fault({0, 0, 2, 0.5}), "");
  EXPECT_NE(fault({0, 1, 2, -0.5}), "");
  EXPECT_NE(fault({0, 1, 2, nan}), "");
  EXPECT_NE(fault({0, 1, 2, unbounded}), "");
  EXPECT_NE(fault({0, 1, 2, 0.5}, {.sigma = 1}), "");
  EXPECT_NE(fault({0, 1, 2, 0.5}, {.sigma = 1, .lower = 0, .upper = 3}), "");
  EXPECT_NE(fault({0, 1, 2, 0.5}, {.sigma = 1, .lower = 0}, {.sigma = 1, .lower = -1}), "");
}

TEST(Friction, EndsAndNeverReturnsNanWhateverTheData) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr std::array special = {0.0,    -0.0,  -1.0,      1e-300,     1e300, -1e300,
                                  5e-324, 1e-12, unbounded, -unbounded, nan,   1e8};
  EXPECT_TRUE(rc::check([&](std::uint64_t seed) {
    Dice dice(seed);
    const auto t = random_contacts(seed, 2, 5, dice.decade(-12, 0), seed % 3 ? 3 : 6);
    const auto nasty = [&] { return special[dice.pick(special.size())]; };
    for (std::size_t hits = 1 + dice.pick(3); hits > 0; --hits) {
      const std::size_t c = dice.pick(5), r = dice.pick(3), i = c * t->contacts.rows_per_contact() + r;
      if (dice.pick(3) == 0) t->contacts.on_a(c, r)[dice.pick(6)] = nasty();
      if (dice.pick(3) == 0) t->contacts.set_friction(c, nasty(), 0.1, 1e9);
      if (dice.pick(3) == 0) t->contacts.set(c, r, t->contacts.sigma()[i], nasty(), nasty());
      if (dice.pick(6) == 0) t->contacts.set(c, 0, nasty(), 0, 0);
      if (dice.pick(6) == 0) t->problem.momentum(0)[0] = nasty();
      if (dice.pick(4) == 0) std::ranges::fill(t->contacts.on_a(c, r), 0.0);
    }
    for (const Friction law : all_laws)
      for (SolverOptions options : solvers_of(law)) {
        options.max_iterations = 100;
        const Solved s = solved(*make_solver(options), t->problem);
        RC_ASSERT(s.report.ok == s.report.reason.empty());
        if (!s.report.ok) continue;
        RC_ASSERT(s.v.allFinite());
        RC_ASSERT(s.lambda.allFinite());
        RC_ASSERT(std::isfinite(s.report.residual.velocity));
      }
  }));
}

TEST(Friction, ComesBackFromDiskWithTheSameBits) {
  for (std::uint64_t k = 0; k < 10; ++k) {
    const auto t = varied_contacts(k);
    std::stringstream file, again;
    t->problem.write(file);
    const StoredProblem stored = read_problem(file);
    stored.problem.write(again);
    ASSERT_EQ(file.str(), again.str());
    for (const Friction law : all_laws)
      for (const SolverOptions& options : solvers_of(law)) {
        const Solved a = solved(*make_solver(options), t->problem),
                     b = solved(*make_solver(options), stored.problem);
        EXPECT_EQ(a.v, b.v) << name_of(options);
        EXPECT_EQ(a.lambda, b.lambda) << name_of(options);
      }
  }
}

TEST(Friction, ProblemsOfVersionTwoAreRead) {
  std::stringstream old(
      "hardpan-problem 2\nblocks 1\n1 0x1p+1 0x1p+0\ngroups 1\nblock-rows 1\n0x1p-2 0x1p+0 0x0p+0 inf 0x0p+0 "
      "1 0 0x1p+0\n");
  const StoredProblem stored = read_problem(old);
  EXPECT_EQ(stored.problem.rows(), 1u);
  EXPECT_TRUE(stored.groups[0]->cones().empty());
}

}  // namespace
}  // namespace hardpan::solve
