#include "hardpan/grains/clump.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <Eigen/Eigenvalues>
#include <fmt/core.h>

#include "hardpan/core/error.h"

namespace hardpan::grains {
namespace {

constexpr int lines = 1000;  // along each side of the shadow

Vec3 vector(const Vec& v) { return {v.x, v.y, v.z}; }
Vec columns(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

// Of unit density, about the origin.
struct Moments {
  double volume = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
};

bool apart(std::span<const Member> spheres) {
  for (std::size_t i = 0; i < spheres.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (norm(spheres[i].offset - spheres[j].offset) < spheres[i].radius + spheres[j].radius) return false;
  return true;
}

Moments sum_of(std::span<const Member> spheres) {
  Moments sum;
  for (const auto& [offset, r] : spheres) {
    const double volume = 4.0 / 3.0 * std::numbers::pi * r * r * r;
    const Vec3 at = vector(offset);
    sum.volume += volume;
    sum.first += volume * at;
    sum.second += volume * (at * at.transpose() + 0.2 * r * r * Mat3::Identity());
  }
  return sum;
}

// Adds the parts of a line along z that spheres cover, for an area dA around it.
class Line {
 public:
  Line(std::span<const Member> spheres, double x, double y) : x_(x), y_(y) {
    for (const auto& [offset, r] : spheres) {
      const double u = x - offset.x, v = y - offset.y, rest = r * r - u * u - v * v;
      if (rest > 0) parts_.push_back({offset.z - std::sqrt(rest), offset.z + std::sqrt(rest)});
    }
    std::ranges::sort(parts_);
  }
  void add_to(Moments& sum, double area) const {
    for (std::size_t k = 0; k < parts_.size();) {
      const double from = parts_[k].first;
      double to = parts_[k].second;
      while (++k < parts_.size() && parts_[k].first < to) to = std::max(to, parts_[k].second);
      add(sum, area, from, to);
    }
  }

 private:
  void add(Moments& sum, double area, double from, double to) const {
    const double length = area * (to - from), z = 0.5 * (from + to);
    const Vec3 at(x_, y_, z);
    sum.volume += length;
    sum.first += length * at;
    sum.second += length * (at * at.transpose());
    sum.second(2, 2) += length * (to - from) * (to - from) / 12;
  }

  double x_, y_;
  std::vector<std::pair<double, double>> parts_;
};

Moments union_of(std::span<const Member> spheres) {
  Vec low = spheres[0].offset, high = low;
  for (const auto& [at, r] : spheres) {
    low = {std::min(low.x, at.x - r), std::min(low.y, at.y - r), 0};
    high = {std::max(high.x, at.x + r), std::max(high.y, at.y + r), 0};
  }
  const double dx = (high.x - low.x) / lines, dy = (high.y - low.y) / lines;
  Moments sum;
  for (int i = 0; i < lines; ++i)
    for (int j = 0; j < lines; ++j)
      Line(spheres, low.x + (i + 0.5) * dx, low.y + (j + 0.5) * dy).add_to(sum, dx * dy);
  return sum;
}

}  // namespace

Clump solid_clump(std::span<const Member> spheres, double density) {
  if (spheres.empty()) throw InputError("a clump without members");
  for (const Member& sphere : spheres)
    if (!(sphere.radius > 0)) throw InputError("a member of a clump has no size");
  const Moments solid = apart(spheres) ? sum_of(spheres) : union_of(spheres);
  const Vec3 centre = solid.first / solid.volume;
  const Mat3 second = solid.second - solid.volume * centre * centre.transpose();
  const Mat3 inertia = density * (second.trace() * Mat3::Identity() - second);
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(inertia);
  Mat3 axes = solver.eigenvectors();
  if (axes.determinant() < 0) axes.col(2) *= -1;
  Clump clump;
  clump.position = columns(centre);
  clump.orientation = Quat(axes).normalized();
  clump.mass = density * solid.volume;
  clump.density = density;
  clump.inertia = columns(solver.eigenvalues());
  for (const Member& sphere : spheres)
    clump.members.push_back({columns(axes.transpose() * (vector(sphere.offset) - centre)), sphere.radius});
  return clump;
}

Clump placed(Clump clump, const Vec& position, const Quat& orientation) {
  clump.position = columns(vector(position) + orientation * vector(clump.position));
  clump.orientation = (orientation * clump.orientation).normalized();
  return clump;
}

void check_clump(const Clump& clump, std::size_t index, std::size_t materials) {
  const auto refuse = [&](const char* why) { throw InputError(fmt::format("clump {}: {}", index, why)); };
  const auto finite = [](const Vec& v) { return vector(v).allFinite(); };
  if (clump.members.empty()) refuse("it has no members");
  for (const Member& member : clump.members)
    if (!(member.radius > 0) || !std::isfinite(member.radius) || !finite(member.offset))
      refuse("the radii of members must be above 0, and their places finite");
  const Vec& i = clump.inertia;
  if (!(clump.mass > 0) || !std::isfinite(clump.mass)) refuse("its mass must be above 0");
  if (!(i.x > 0) || !(i.y > 0) || !(i.z > 0) || !finite(i)) refuse("its moments of inertia must be above 0");
  const double slack = 1 + 1e-9;
  if (i.x > slack * (i.y + i.z) || i.y > slack * (i.z + i.x) || i.z > slack * (i.x + i.y))
    refuse("no body has one moment of inertia above the sum of the others");
  if (!finite(clump.position) || !finite(clump.velocity) || !finite(clump.spin))
    refuse("its place or its motion is not finite");
  if (!(std::abs(clump.orientation.norm() - 1) < 1e-6)) refuse("its orientation is no unit quaternion");
  if (clump.material >= materials) refuse("it is of a material that is not there");
}

}  // namespace hardpan::grains
