// The paths of laboratory tests that a point of soil is led along: there and back. The axis is z.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hardpan/lab/material_point.h"
#include "hardpan/lab/metric.h"

namespace hardpan::lab {

struct PathSettings {
  double strain = 0;  // how far it is loaded; what it is the strain of, the path says. Below 0: the other way
  double confining = 0;    // pressure under which it is sheared, Pa
  int steps = 200;         // per leg
  std::uint64_t seed = 0;  // of cycles
};

// What the curves of a path are drawn over.
enum class Abscissa { axis, volume, shear, steps };

struct PathKind {
  const char* name;
  const char* doc;     // one line
  const char* strain;  // what PathSettings::strain is: "shortening of the axis"
  bool confined;       // whether it has a confining pressure
  Abscissa abscissa;
  std::vector<Leg> (*legs)(const PathSettings&);
  // How far it takes to see what a soil does.
  double (*usual_strain)(const material::SoilLaw&);
};

std::span<const PathKind> path_kinds();
const PathKind* find_path(const std::string& name);  // nullptr where there is none

PathSettings usual_settings(const material::SoilLaw& law, const PathKind& kind);

struct MaterialPath {
  const PathKind* kind = nullptr;
  PathSettings settings;
  std::vector<Leg> legs;
  std::vector<PathPoint> points;  // the first is the start
  bool complete = true;           // no: a stress was asked for that soil cannot have
};

MaterialPath drive(const material::SoilLaw& law, const PathKind& kind, const PathSettings& settings);

// The last point that is still loaded; the last one at all where nothing is unloaded by itself (cycles).
const PathPoint& loaded(const MaterialPath& path);

// The same names for all paths. Stresses: those of the largest amount.
std::vector<Metric> metrics_of(const MaterialPath& path);

material::InvariantPoint invariants(const Vec6& stress);

}  // namespace hardpan::lab
