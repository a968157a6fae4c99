#include "hardpan/lab/material_paths.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "hardpan/core/random.h"

namespace hardpan::lab {
namespace {

using material::SoilLaw;

constexpr int x = 0, y = 1, z = 2, xz = 4;
constexpr const char* loading = "load";

using Chosen = std::array<bool, 6>;
constexpr Chosen none = {}, sides = {true, true}, axis = {false, false, true}, normals = {true, true, true};
constexpr Chosen axis_and_shear = {false, false, true, false, true};

Vec6 diagonal(double at_x, double at_y, double at_z) {
  Vec6 v = Vec6::Zero();
  v[x] = at_x, v[y] = at_y, v[z] = at_z;
  return v;
}

Leg squeeze(const char* name, double pressure, const PathSettings& s) {
  return {name, normals, diagonal(-pressure, -pressure, -pressure), s.steps};
}

std::vector<Leg> uniaxial(const PathSettings& s) {
  return {{loading, sides, diagonal(0, 0, -s.strain), s.steps}, squeeze("unload", 0, s)};
}

std::vector<Leg> hydrostatic(const PathSettings& s) {
  return {{loading, none, -s.strain / 3 * diagonal(1, 1, 1), s.steps}, squeeze("unload", 0, s)};
}

std::vector<Leg> triaxial(const PathSettings& s) {
  const double p = s.confining;
  return {squeeze("consolidate", p, s),
          {loading, sides, diagonal(-p, -p, -s.strain), s.steps},
          squeeze("unload", p, s)};
}

std::vector<Leg> oedometer(const PathSettings& s) {
  return {{loading, none, diagonal(0, 0, -s.strain), s.steps}, {"unload", axis, Vec6::Zero(), s.steps}};
}

// gamma = 2 e_xz, and by Mandel sqrt2 e_xz.
std::vector<Leg> simple_shear(const PathSettings& s) {
  const Vec6 held = diagonal(0, 0, -s.confining);
  return {squeeze("consolidate", s.confining, s),
          {loading, axis, held + s.strain / std::numbers::sqrt2 * Vec6::Unit(xz), s.steps},
          {"unload", axis_and_shear, held, s.steps}};
}

// Corners at random within a cube of strains, by Mandel, and back to the start; three times.
std::vector<Leg> cycles(const PathSettings& s) {
  constexpr std::uint64_t rounds = 3, corners = 4;
  const CounterRandom random(s.seed);
  std::vector<Leg> legs;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    Vec6 at = Vec6::Zero();
    for (std::uint64_t corner = 0; corner <= corners; ++corner) {
      Vec6 next = Vec6::Zero();
      if (corner < corners)
        for (int k = 0; k < 6; ++k)
          next[k] = random.uniform(6 * (corners * round + corner) + static_cast<std::uint64_t>(k), -s.strain,
                                   s.strain);
      legs.push_back({"cycle " + std::to_string(round + 1), none, next - at, std::max(1, s.steps / 3)});
      at = next;
    }
  }
  return legs;
}

// 100 kPa is what cells are usually run at. Soft stuff gets less, and so does soil that such a pressure alone
// would rob of 95 % of what it can compact, exp(D (I1 - kappa_0)) = 0.05.
double usual_pressure(const SoilLaw& law) {
  const double pressure = std::min(1e5, 0.01 * law.bulk);
  return law.surface.compression_cap ? std::min(pressure, (3 / law.D - law.kappa_0) / 3) : pressure;
}

// Of soil without cap: ten times the shear at which the cone yields. With one: as much as it can compact, or
// twice that where it also moves aside.
double strain_by(const SoilLaw& law, double share_of_compaction) {
  if (!law.plastic) return 0.01;
  if (law.surface.compression_cap) return std::min(0.3, share_of_compaction * law.W);
  return std::min(0.1, 10 * (law.surface.k + 3 * law.surface.m * usual_pressure(law)) / law.shear);
}

double to_shear(const SoilLaw& law) { return strain_by(law, 2); }
double to_compact(const SoilLaw& law) { return strain_by(law, 1); }
double to_cycle(const SoilLaw& law) { return strain_by(law, 0.2); }

constexpr PathKind kinds[] = {
    {"uniaxial", "shortened along the axis, sides free", "shortening of the axis", false, Abscissa::axis,
     uniaxial, to_shear},
    {"hydrostatic", "pressed from all sides alike", "loss of volume", false, Abscissa::volume, hydrostatic,
     to_compact},
    {"triaxial", "consolidated under the confining pressure, then shortened along the axis",
     "shortening of the axis", true, Abscissa::axis, triaxial, to_shear},
    {"oedometer", "shortened along the axis, sides held", "shortening of the axis", false, Abscissa::axis,
     oedometer, to_compact},
    {"simple-shear", "consolidated, then sheared; the pressure along the axis is kept, sides are held",
     "angle of shear", true, Abscissa::shear, simple_shear, to_shear},
    {"cycles", "led through three closed cycles of strain, at random", "largest of a component", false,
     Abscissa::steps, cycles, to_cycle},
};

template <class Read>
double largest(const MaterialPath& path, Read read) {
  double value = 0;
  for (const PathPoint& point : path.points)
    if (std::abs(read(point)) > std::abs(value)) value = read(point);
  return value;
}

}  // namespace

std::span<const PathKind> path_kinds() { return kinds; }

const PathKind* find_path(const std::string& name) {
  for (const PathKind& kind : kinds)
    if (name == kind.name) return &kind;
  return nullptr;
}

PathSettings usual_settings(const SoilLaw& law, const PathKind& kind) {
  PathSettings settings;
  settings.strain = kind.usual_strain(law);
  settings.confining = kind.confined ? usual_pressure(law) : 0;
  return settings;
}

MaterialPath drive(const SoilLaw& law, const PathKind& kind, const PathSettings& settings) {
  MaterialPath path{&kind, settings, kind.legs(settings), {}, true};
  MaterialPoint point(law);
  path.points.push_back(point.now());
  for (std::size_t leg = 0; leg < path.legs.size() && path.complete; ++leg) {
    const std::size_t begin = path.points.size();
    path.complete = point.follow(path.legs[leg], path.points);
    for (std::size_t k = begin; k < path.points.size(); ++k) path.points[k].leg = leg;
  }
  return path;
}

const PathPoint& loaded(const MaterialPath& path) {
  for (std::size_t k = path.points.size(); k-- > 1;)
    if (path.legs[path.points[k].leg].name == loading) return path.points[k];
  return path.points.back();
}

material::InvariantPoint invariants(const Vec6& stress) {
  const double I = material::trace(stress);
  return {I, (stress - diagonal(I, I, I) / 3).norm() / std::numbers::sqrt2};
}

std::vector<Metric> metrics_of(const MaterialPath& path) {
  const PathPoint &turn = loaded(path), &end = path.points.back();
  const auto axial = [](const PathPoint& p) { return p.soil.stress[z]; };
  const auto difference = [](const PathPoint& p) { return p.soil.stress[z] - p.soil.stress[x]; };
  const auto shear = [](const PathPoint& p) { return p.soil.stress[xz] / std::numbers::sqrt2; };
  const auto s = [](const PathPoint& p) { return invariants(p.soil.stress).s; };
  std::vector<Metric> metrics = {{"peak_axial_stress_Pa", largest(path, axial)},
                                 {"peak_stress_difference_Pa", largest(path, difference)},
                                 {"peak_shear_stress_Pa", largest(path, shear)},
                                 {"peak_sqrt_J2_Pa", largest(path, s)},
                                 {"axial_strain_loaded", turn.strain[z]},
                                 {"volume_strain_loaded", material::trace(turn.strain)},
                                 {"permanent_axial_strain", end.soil.plastic_strain[z]},
                                 {"permanent_volume_strain", material::trace(end.soil.plastic_strain)},
                                 {"work_J_per_m3", end.work},
                                 {"plastic_work_J_per_m3", end.plastic_work},
                                 {"stored_energy_loaded_J_per_m3", turn.stored},
                                 {"stored_energy_J_per_m3", end.stored}};
  const double before = path.points.front().soil.kappa;
  if (std::isfinite(before)) {  // there is one
    metrics.push_back({"cap_before_Pa", before});
    metrics.push_back({"cap_after_Pa", end.soil.kappa});
  }
  return metrics;
}

}  // namespace hardpan::lab
