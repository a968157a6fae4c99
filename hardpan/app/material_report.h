// What `hardpan material` writes: tables, curves and a page of the paths of a material.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "hardpan/lab/material_paths.h"
#include "hardpan/record/svg.h"

namespace hardpan::app {

struct MaterialResults {
  std::string title;     // of the scenario
  std::string scenario;  // file
  std::string material;  // name
  std::string command;   // that makes them again
  material::SoilLaw law;
  std::vector<lab::MaterialPath> paths;
};

inline constexpr const char* material_page_kind = "material";

record::Table table_of(const lab::MaterialPath& path);

// The plane of the invariants with the surface before and after, stresses, volumes, energies.
std::vector<record::Panel> panels_of(const material::SoilLaw& law, const lab::MaterialPath& path);
// The surface at first, and the stresses of all paths but the cycles; those of small pressures once more.
std::vector<record::Panel> surface_panels(const MaterialResults& results);

std::string material_page(const MaterialResults& results);

// Where a path has stopped, in words; empty where it has not.
std::string stopped_in(const lab::MaterialPath& path);

}  // namespace hardpan::app
