#include "hardpan/multibody/state.h"

namespace hardpan::multibody {

std::vector<double> flat(std::span<const Vec3> vectors) {
  std::vector<double> values;
  values.reserve(3 * vectors.size());
  for (const Vec3& v : vectors) values.insert(values.end(), {v.x(), v.y(), v.z()});
  return values;
}

std::vector<double> flat_positions(std::span<const Pose> poses) {
  std::vector<double> values;
  values.reserve(3 * poses.size());
  for (const Pose& p : poses) values.insert(values.end(), {p.x.x(), p.x.y(), p.x.z()});
  return values;
}

std::vector<double> flat_orientations(std::span<const Pose> poses) {
  std::vector<double> values;
  values.reserve(4 * poses.size());
  for (const Pose& p : poses) values.insert(values.end(), {p.q.w(), p.q.x(), p.q.y(), p.q.z()});
  return values;
}

void State::save(Archive& archive) const {
  const std::size_t n = pose.size();
  archive.put("bodies/position", flat_positions(pose), {n, 3}, "m");
  archive.put("bodies/orientation", flat_orientations(pose), {n, 4});
  archive.put("bodies/velocity", flat(velocity), {n, 3}, "m/s");
  archive.put("bodies/angular_momentum", flat(angular_momentum), {n, 3}, "kg m^2/s");
  archive.put("shafts/angle", shaft_angle, {shaft_angle.size()}, "rad");
  archive.put("shafts/speed", shaft_speed, {shaft_speed.size()}, "rad/s");
  archive.put("joints/impulse", impulse, {impulse.size()});
  archive.put("joints/rate", rate, {rate.size()});
  archive.put("joints/memory", memory, {memory.size()});
  archive.put("ledger", ledger.pack(), {Ledger::size});
}

void State::restore(const Archive& archive) {
  const auto vectors = [&](const char* name, std::size_t count, std::size_t width) {
    std::vector<double> values(count * width);
    archive.get(name, std::span<double>(values));
    return values;
  };
  const std::size_t n = pose.size();
  const auto x = vectors("bodies/position", n, 3), q = vectors("bodies/orientation", n, 4);
  const auto v = vectors("bodies/velocity", n, 3), l = vectors("bodies/angular_momentum", n, 3);
  for (std::size_t i = 0; i < n; ++i) {
    pose[i].x = Vec3(&x[3 * i]);
    pose[i].q = Quat(q[4 * i], q[4 * i + 1], q[4 * i + 2], q[4 * i + 3]);
    velocity[i] = Vec3(&v[3 * i]);
    angular_momentum[i] = Vec3(&l[3 * i]);
  }
  archive.get("shafts/angle", std::span<double>(shaft_angle));
  archive.get("shafts/speed", std::span<double>(shaft_speed));
  archive.get("joints/impulse", std::span<double>(impulse));
  archive.get("joints/rate", std::span<double>(rate));
  archive.get("joints/memory", std::span<double>(memory));
  std::array<double, Ledger::size> books{};
  archive.get("ledger", std::span<double>(books));
  ledger = Ledger::unpack(books);
}

}  // namespace hardpan::multibody
