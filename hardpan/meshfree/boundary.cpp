#include "hardpan/meshfree/boundary.h"

#include <algorithm>
#include <map>

#include <Eigen/LU>

namespace hardpan::meshfree {
namespace {

// Corners with their weights in parts of parts^2, by numbers: the same point from every face.
using Name = std::vector<std::pair<std::uint32_t, std::size_t>>;

// Twice the area along the normal.
template <class Place>
Vec3 twice_area(const std::array<std::uint32_t, 4>& face, const Place& at) {
  return (at(face[2]) - at(face[0])).cross(at(face[3]) - at(face[1]));
}

}  // namespace

void add_slope(std::uint32_t particle, const Vec3& of, std::vector<Slope>& slopes) {
  const auto known = std::ranges::find(slopes, particle, &Slope::particle);
  if (known == slopes.end())
    slopes.push_back({particle, of});
  else
    known->of += of;
}

Boundary::Boundary(const Cloud& cloud, std::size_t parts) : spacing_(cloud.spacing) {
  if (cloud.sides.empty() || parts == 0) {
    take_particles(cloud);
    return;
  }
  spacing_ /= static_cast<double>(parts);
  for (const auto& side : cloud.sides) divide(cloud, side, parts);
  around_.resize(particle_.size());
  for (std::uint32_t f = 0; f < faces_.size(); ++f)
    for (const std::uint32_t corner : faces_[f]) around_[corner].push_back(f);
}

void Boundary::divide(const Cloud& cloud, const std::vector<std::array<std::uint32_t, 4>>& side,
                      std::size_t parts) {
  std::map<std::uint32_t, std::uint32_t> corners;  // of particles
  std::map<Name, double> areas;
  for (const auto& face : side) {
    auto& own = faces_.emplace_back();
    for (std::size_t k = 0; k < 4; ++k) {
      const auto [at, is_new] = corners.emplace(face[k], static_cast<std::uint32_t>(particle_.size()));
      if (is_new) particle_.push_back(face[k]);
      own[k] = at->second;
    }
    const auto place = [&](std::uint32_t i) -> const Vec3& { return cloud.position[i]; };
    const double area = 0.5 * twice_area(face, place).norm() / static_cast<double>(parts * parts);
    for (std::size_t i = 0; i <= parts; ++i)
      for (std::size_t j = 0; j <= parts; ++j) {
        const std::array weights = {(parts - i) * (parts - j), i * (parts - j), i * j, (parts - i) * j};
        Name name;
        for (std::size_t k = 0; k < 4; ++k)
          if (weights[k] > 0) name.emplace_back(own[k], weights[k]);
        std::ranges::sort(name);
        areas[name] += (i % parts == 0 ? 0.5 : 1.0) * (j % parts == 0 ? 0.5 : 1.0) * area;
      }
  }
  for (const auto& [name, area] : areas) {
    BoundaryPoint& point = points_.emplace_back();
    point.area = area;
    for (const auto& [corner, weight] : name) {
      point.corner[point.count] = corner;
      point.particle[point.count] = particle_[corner];
      point.weight[point.count++] = static_cast<double>(weight) / static_cast<double>(parts * parts);
    }
  }
  outward_.resize(particle_.size());
}

// Outward is away from the others.
void Boundary::take_particles(const Cloud& cloud) {
  const double near = 1.6 * cloud.spacing;
  for (std::uint32_t i = 0; i < cloud.size(); ++i) {
    if (!cloud.on_surface[i]) continue;
    Vec3 away = Vec3::Zero();
    for (std::size_t j = 0; j < cloud.size(); ++j)
      if (const Vec3 from = cloud.position[i] - cloud.position[j]; from.norm() < near) away += from;
    points_.push_back(
        {{i}, {static_cast<std::uint32_t>(particle_.size())}, {1.0}, 1, cloud.spacing * cloud.spacing});
    particle_.push_back(i);
    outward_.push_back(away);
  }
}

void Boundary::normals(const std::function<const Vec3&(std::size_t)>& position,
                       const std::function<Mat3(std::size_t)>& deformation, std::vector<Vec3>& out) {
  out.resize(points_.size());
  if (faces_.empty()) {
    for (std::size_t p = 0; p < points_.size(); ++p)
      out[p] = (deformation(particle_[p]).inverse().transpose() * outward_[p]).normalized();
    return;
  }
  std::ranges::fill(outward_, Vec3::Zero());
  const auto place = [&](std::uint32_t corner) -> const Vec3& { return position(particle_[corner]); };
  for (const auto& face : faces_) {
    const Vec3 normal = twice_area(face, place);
    for (const std::uint32_t corner : face) outward_[corner] += normal;
  }
  for (std::size_t p = 0; p < points_.size(); ++p) {
    Vec3 sum = Vec3::Zero();
    for (std::size_t k = 0; k < points_[p].count; ++k)
      sum += points_[p].weight[k] * outward_[points_[p].corner[k]].normalized();
    out[p] = sum.normalized();
  }
}

// With n = s/|s|, s the sum of w_k o_k/|o_k| over corners: a . dn = a' . ds/|s|, a' = a - (a . n) n, and so
// on down to the faces. Without faces n goes along F^-T N, and a . dn = -(F^-1 a') . dF^T n.
void Boundary::add_slopes_of_normal(std::size_t point, const Vec3& along,
                                    const std::function<const Vec3&(std::size_t)>& position,
                                    const Gradient& gradient, std::vector<Slope>& slopes) const {
  const BoundaryPoint& at = points_[point];
  const auto across = [](const Vec3& a, const Vec3& unit) { return Vec3(a - a.dot(unit) * unit); };
  if (faces_.empty()) {
    const std::size_t i = particle_[point];
    const Mat3 back = gradient.of(i, position).inverse();
    const Vec3 normal = (back.transpose() * outward_[point]).normalized();
    const Vec3 a = back * across(along, normal);
    for (std::size_t e = gradient.begin(i); e < gradient.end(i); ++e)
      add_slope(gradient.neighbour(e), -a.dot(gradient.slope(e)) * normal, slopes);
    return;
  }
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = 0; k < at.count; ++k) sum += at.weight[k] * outward_[at.corner[k]].normalized();
  const Vec3 a = across(along, sum.normalized()) / sum.norm();
  for (std::size_t k = 0; k < at.count; ++k) {
    const Vec3& outward = outward_[at.corner[k]];
    const Vec3 b = at.weight[k] / outward.norm() * across(a, outward.normalized());
    for (const std::uint32_t f : around_[at.corner[k]]) {
      const auto particle = [&](std::size_t n) { return particle_[faces_[f][n]]; };
      const Vec3 one = b.cross(position(particle(2)) - position(particle(0))),
                 other = (position(particle(3)) - position(particle(1))).cross(b);
      add_slope(particle(0), -other, slopes);
      add_slope(particle(1), -one, slopes);
      add_slope(particle(2), other, slopes);
      add_slope(particle(3), one, slopes);
    }
  }
}

}  // namespace hardpan::meshfree
