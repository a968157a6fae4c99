#include "hardpan/geometry/blunt.h"

#include <Eigen/LU>

namespace hardpan::geometry {
namespace {

// L, relative to the smaller shape, and to half the thickness of a box if that is less.
constexpr double deepest = 1e-3, deepest_of_thin = 0.1;
// R_0, relative to L: above rounding.
constexpr double least_bluntness = 1e-4;
// K. Tips that slip by x turn the normal by x/(K s); friction as stiff as the contact holds that if K > 1.
constexpr double growth = 3;
// A way that is shorter by less than this, relative to R, is none of its own.
constexpr double same_way = 1e-10;
constexpr std::size_t most_ways = 8;

struct HalfSpace {
  Vec3 n;
  double reach;  // n . v <= reach
};

using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3, 3>;
using Column = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 3, 1>;

class Ways {
 public:
  explicit Ways(double tolerance) : tolerance_(tolerance) {}

  bool add(const HalfSpace& h) {
    if (count_ == most_ways) return false;
    all_[count_++] = h;
    return true;
  }

  // The point of all half-spaces nearest to the origin, which is outside of the last one. That one is a
  // border then, and there are at most three of them: all choices are tried, one that meets the conditions of
  // the optimum is it.
  std::optional<Vec3> nearest() const {
    const std::size_t last = count_ - 1;
    if (const std::optional<Vec3> v = on({last})) return v;
    for (std::size_t i = 0; i < last; ++i)
      if (const std::optional<Vec3> v = on({last, i})) return v;
    for (std::size_t i = 0; i < last; ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (const std::optional<Vec3> v = on({last, i, j})) return v;
    return std::nullopt;
  }

 private:
  // v = sum y_i n_i on these borders; the optimum if no y is positive and all else holds.
  std::optional<Vec3> on(std::initializer_list<std::size_t> borders) const {
    const auto size = static_cast<Eigen::Index>(borders.size());
    Small products(size, size);
    Column reach(size);
    for (Eigen::Index i = 0; i < size; ++i) {
      reach[i] = all_[borders.begin()[i]].reach;
      for (Eigen::Index j = 0; j < size; ++j)
        products(i, j) = all_[borders.begin()[i]].n.dot(all_[borders.begin()[j]].n);
    }
    const Eigen::FullPivLU<Small> lu(products);
    if (!lu.isInvertible()) return std::nullopt;
    const Column y = lu.solve(reach);
    if (y.maxCoeff() > 0) return std::nullopt;
    Vec3 v = Vec3::Zero();
    for (Eigen::Index i = 0; i < size; ++i) v += y[i] * all_[borders.begin()[i]].n;
    for (std::size_t k = 0; k < count_; ++k)
      if (all_[k].n.dot(v) > all_[k].reach + tolerance_) return std::nullopt;
    return v;
  }

  double tolerance_;
  std::size_t count_ = 0;
  std::array<HalfSpace, most_ways> all_;
};

double deepest_blunt(const Convex& c, double small) {
  return c.core == Core::box ? std::min(deepest * small, deepest_of_thin * c.half.minCoeff())
                             : deepest * small;
}

}  // namespace

std::optional<double> bluntness(const Pair& pair, double separation) {
  const auto polyhedron = [](const Convex& c) { return c.core == Core::box || c.core == Core::hull; };
  if (!polyhedron(pair.a) || !polyhedron(pair.b)) return std::nullopt;
  const double limit = std::min(deepest_blunt(pair.a, pair.small), deepest_blunt(pair.b, pair.small));
  const double touching = 1e-12 * pair.small + 1e-15 * pair.size, depth = std::max(0.0, -separation);
  if (separation > touching || depth >= limit) return std::nullopt;
  return depth + (least_bluntness * limit + growth * depth) * (1 - depth / limit);
}

Vec3 blunt_normal(const Pair& pair, const WayOut& shortest, double bluntness,
                  WayOut (*after)(const Pair& moved)) {
  const double tolerance = same_way * bluntness + 1e-15 * (pair.size + pair.t.norm());
  Ways ways(0.1 * tolerance);
  Vec3 v = -(bluntness + shortest.separation) * shortest.normal;
  ways.add({shortest.normal, -shortest.separation - bluntness});
  Pair moved = pair;
  for (;;) {
    moved.t = pair.t + v;
    const WayOut next = after(moved);
    if (-next.separation >= bluntness - tolerance) break;
    if (!ways.add({next.normal, next.normal.dot(v) - next.separation - bluntness})) break;
    const std::optional<Vec3> nearest = ways.nearest();
    if (!nearest) return shortest.normal;
    v = *nearest;
  }
  const Vec3 n = -v.normalized();
  return (n - shortest.normal).squaredNorm() <= 2 * tolerance / bluntness ? shortest.normal : n;
}

}  // namespace hardpan::geometry
