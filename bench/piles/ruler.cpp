#include "bench/piles/ruler.h"

#include <algorithm>

#include "hardpan/geometry/aabb.h"

namespace hardpan::bench {

Depths Ruler::depths(const Engine& engine) const {
  std::vector<geometry::PlacedShape> all;
  for (std::size_t i = 0; i < pile_.start.size(); ++i) all.push_back({pile_.shape, engine.motion(i).pose});
  const std::size_t moving = all.size();
  all.insert(all.end(), pile_.ground.begin(), pile_.ground.end());
  std::vector<geometry::Aabb> boxes;
  for (const auto& placed : all) boxes.push_back(geometry::bounds(placed.shape, placed.pose));
  geometry::BroadPhase broad_phase;
  std::vector<geometry::ContactPoint> points;
  for (const auto& [a, b] : broad_phase.pairs(boxes))
    if (a < moving || b < moving)
      geometry::collide(all[a].shape, all[a].pose, all[b].shape, all[b].pose, 0, points);
  Depths depths{points.size()};
  for (const geometry::ContactPoint& point : points) {
    depths.mean -= point.gap / static_cast<double>(points.size());
    depths.largest = std::max(depths.largest, -point.gap);
  }
  return depths;
}

double Ruler::kinetic_energy(const Engine& engine) const {
  double sum = 0;
  for (std::size_t i = 0; i < pile_.start.size(); ++i) {
    const Motion m = engine.motion(i);
    const Vec3 spin = m.pose.local_vector(m.angular_velocity);
    sum += 0.5 * pile_.mass * (m.velocity.squaredNorm() + spin.dot(inertia_ * spin));
  }
  return sum;
}

double Ruler::potential_energy(const Engine& engine) const {
  double sum = 0;
  for (const Vec3& x : positions(engine)) sum -= pile_.mass * pile_.gravity.dot(x);
  return sum;
}

std::vector<Vec3> Ruler::positions(const Engine& engine) const {
  std::vector<Vec3> positions;
  for (std::size_t i = 0; i < pile_.start.size(); ++i) positions.push_back(engine.motion(i).pose.x);
  return positions;
}

}  // namespace hardpan::bench
