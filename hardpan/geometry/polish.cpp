#include "hardpan/geometry/polish.h"

#include <cmath>

#include <Eigen/LU>
#include <Eigen/QR>

#include "hardpan/geometry/surface_part.h"

namespace hardpan::geometry {
namespace {

// Parts are sought within these angles of the estimated normal, whose error is not known.
constexpr std::array normal_errors{3e-2, 1e-3, 3e-5, 1e-6, 0.0};
constexpr double proof = 1e-13;  // relative to the size

using System = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 8, 8>;
using Column = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 8, 1>;

struct Attempt {
  SurfacePart a, b;
  Vec3 n;
  double g;
  Vec3 on_a, on_b;
};

struct Step {
  double normal, all;  // relative to the size of the pair
};

// Parallel edges and faces leave the system singular but consistent: then the shortest step.
Column solve(const System& m, const Column& f) {
  const Eigen::PartialPivLU<System> lu(m);
  const auto pivots = lu.matrixLU().diagonal().cwiseAbs();
  if (pivots.minCoeff() > 1e-9 * pivots.maxCoeff()) return lu.solve(f);
  Eigen::CompleteOrthogonalDecomposition<System> qr;
  qr.setThreshold(1e-11);
  qr.compute(m);
  return qr.solve(f);
}

Step newton(const Pair& pair, Attempt& x) {
  const PartValue a = evaluate(x.a, x.n), b = evaluate(x.b, pair.r.transpose() * -x.n);
  x.on_a = a.point;
  x.on_b = pair.r * b.point + pair.t;
  const int free_a = x.a.free, free_b = x.b.free, size = 4 + free_a + free_b;
  System m = System::Zero(size, size);
  Column f(size);
  m.topLeftCorner<3, 3>() = -pair.r * b.by_normal * pair.r.transpose() - a.by_normal - x.g * Mat3::Identity();
  m.block<3, 1>(0, 3) = -x.n;
  m.block<1, 3>(3, 0) = x.n.transpose() * pair.size;
  f.head<3>() = x.on_b - x.on_a - x.g * x.n;
  f[3] = 0.5 * (x.n.squaredNorm() - 1) * pair.size;
  for (int i = 0; i < free_a; ++i) {
    const auto k = static_cast<std::size_t>(i);
    m.block<3, 1>(0, 4 + i) = -a.by_t[k];
    m.block<1, 3>(4 + i, 0) = a.condition_by_normal[k].transpose() * pair.size;
    f[4 + i] = a.condition[k] * pair.size;
  }
  for (int i = 0; i < free_b; ++i) {
    const auto k = static_cast<std::size_t>(i);
    const int at = 4 + free_a + i;
    m.block<3, 1>(0, at) = pair.r * b.by_t[k];
    m.block<1, 3>(at, 0) = -(pair.r * b.condition_by_normal[k]).transpose() * pair.size;
    f[at] = b.condition[k] * pair.size;
  }
  m.leftCols<3>() /= pair.size;  // all unknowns are lengths now: size n, g, t
  const Column step = solve(m, f);
  x.n -= step.head<3>() / pair.size;
  x.g -= step[3];
  x.a.t.head(free_a) -= step.segment(4, free_a);
  x.b.t.head(free_b) -= step.tail(free_b);
  return {step.head<3>().norm() / pair.size, step.norm() / pair.size};
}

bool converge(const Pair& pair, Attempt& x) {
  for (int step = 0; step < 8; ++step) {
    const Step moved = newton(pair, x);
    if (!(moved.normal < 0.3)) return false;
    if (moved.all < 1e-14) break;
  }
  x.on_a = evaluate(x.a, x.n).point;
  x.on_b = pair.r * evaluate(x.b, pair.r.transpose() * -x.n).point + pair.t;
  return true;
}

// What separates the cores along n: at most their signed distance, whatever n.
double separation_along(const Pair& pair, const Vec3& n) {
  return n.dot(pair.support_b(-n)) - n.dot(pair.support_a(n));
}

bool proven(const Pair& pair, Attempt& x, double known) {
  if (!x.n.allFinite() || !(std::abs(x.n.norm() - 1) < 1e-6)) return false;
  x.n.normalize();
  const double tolerance = proof * (pair.size + pair.t.norm());
  const double between = separation_along(pair, x.n);
  if (!(std::abs(between - x.g) <= tolerance) || between < known - tolerance) return false;
  if ((x.on_b - x.on_a - x.g * x.n).norm() > 10 * tolerance) return false;
  return contains(pair.a, x.on_a, 10 * tolerance) &&
         contains(pair.b, pair.r.transpose() * (x.on_b - pair.t), 10 * tolerance);
}

}  // namespace

bool polish(const Pair& pair, Witness& witness) {
  const Vec3 &n = witness.normal, n_b = pair.r.transpose() * -n;
  const Vec3 p_b = pair.r.transpose() * (witness.on_b - pair.t);
  std::array<SurfacePart, normal_errors.size()> a, b;
  std::size_t count_a = 0, count_b = 0;
  for (const double angle : normal_errors) {
    a[count_a] = part_facing(pair.a, n, witness.on_a, angle);
    b[count_b] = part_facing(pair.b, n_b, p_b, angle);
    if (count_a == 0 || !(a[count_a] == a[count_a - 1])) ++count_a;
    if (count_b == 0 || !(b[count_b] == b[count_b - 1])) ++count_b;
  }
  const double known = separation_along(pair, n);
  for (std::size_t i = 0; i < count_a; ++i)
    for (std::size_t j = 0; j < count_b; ++j) {
      Attempt x{a[i], b[j], n, witness.gap, {}, {}};
      if (!converge(pair, x) || !proven(pair, x, known)) continue;
      witness = {x.n, x.on_a, x.on_b, x.g};
      return true;
    }
  return false;
}

}  // namespace hardpan::geometry
