#include "hardpan/couple/touch.h"

#include <algorithm>
#include <bit>

#include "hardpan/core/error.h"

namespace hardpan::couple {

namespace {

// A floor's memory is none of a wall's.
bool pushes_along(const Touch& touch, const Vec3& normal) {
  constexpr double steepest = 0.3;  // cosine: friction may be larger than the normal force
  return touch.impulse.dot(normal) >= steepest * touch.impulse.norm();
}

}  // namespace

void match_touches(std::span<const geometry::ContactPoint> points, std::span<const Touch> known,
                   std::span<const Touch*> found) {
  std::fill(found.begin(), found.end(), nullptr);
  const auto taken = [&](const Touch& touch) {
    return std::find(found.begin(), found.end(), &touch) != found.end();
  };
  for (std::size_t i = 0; i < points.size(); ++i)
    for (const Touch& touch : known)
      if (touch.feature == points[i].feature && !taken(touch)) {
        found[i] = &touch;
        break;
      }
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (found[i]) continue;
    const Vec3 middle = 0.5 * (points[i].on_a + points[i].on_b);
    double nearest = std::numeric_limits<double>::infinity();
    const Touch* best = nullptr;
    for (const Touch& touch : known)
      if (const double distance = (touch.point - middle).squaredNorm();
          distance < nearest && pushes_along(touch, points[i].normal) && !taken(touch)) {
        nearest = distance;
        best = &touch;
      }
    found[i] = best;
  }
}

namespace {

constexpr std::size_t reals = 20;  // of a touch

}  // namespace

void save_touches(const std::vector<Touch>& touches, const std::string& of, Archive& archive) {
  std::vector<std::int64_t> keys;
  std::vector<double> values;
  for (const Touch& t : touches) {
    keys.insert(keys.end(), {std::bit_cast<std::int64_t>(t.pair), std::bit_cast<std::int64_t>(t.feature)});
    for (const Vec3* v : {&t.point, &t.impulse, &t.pull, &t.couple, &t.deflection, &t.slide})
      values.insert(values.end(), v->begin(), v->end());
    values.insert(values.end(), {t.rest, t.sticks ? 1.0 : 0.0});
  }
  archive.put(of + "/count", static_cast<std::int64_t>(touches.size()));
  archive.put(of + "/keys", keys, {touches.size(), 2});
  archive.put(of + "/values", values, {touches.size(), reals});
}

std::vector<Touch> restore_touches(const std::string& of, const Archive& archive) {
  const std::int64_t count = archive.integer(of + "/count");
  constexpr std::int64_t absurd = std::int64_t{1} << 32;
  if (count < 0 || count > absurd) throw IoError("saved state has an impossible number of contacts");
  std::vector<Touch> touches(static_cast<std::size_t>(count));
  std::vector<std::int64_t> keys(2 * touches.size());
  std::vector<double> values(reals * touches.size());
  archive.get(of + "/keys", std::span(keys));
  archive.get(of + "/values", std::span(values));
  for (std::size_t i = 0; i < touches.size(); ++i) {
    Touch& t = touches[i];
    t.pair = std::bit_cast<std::uint64_t>(keys[2 * i]);
    t.feature = std::bit_cast<std::uint64_t>(keys[2 * i + 1]);
    const double* from = &values[reals * i];
    for (Vec3* v : {&t.point, &t.impulse, &t.pull, &t.couple, &t.deflection, &t.slide}) {
      *v = Eigen::Map<const Vec3>(from);
      from += 3;
    }
    t.rest = from[0];
    t.sticks = from[1] != 0;
  }
  return touches;
}

}  // namespace hardpan::couple
