#include "hardpan/app/material_report.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/core.h>

#include "hardpan/record/html.h"
#include "hardpan/record/page.h"

namespace hardpan::app {
namespace {

namespace html = record::html;
using lab::Abscissa;
using lab::MaterialPath;
using lab::PathPoint;
using material::InvariantPoint;
using material::SoilLaw;
using record::Curve;
using record::Panel;

constexpr int component_x = 0, component_z = 2, component_xz = 4;
constexpr const char* components[] = {"xx", "yy", "zz", "yz", "xz", "xy"};

// Of a tensor, not of its Mandel vector.
double entry(const Vec6& mandel, int k) { return k < 3 ? mandel[k] : mandel[k] / std::numbers::sqrt2; }

template <class Read>
Curve curve_of(const MaterialPath& path, const std::string& label, const std::vector<double>& x, Read read) {
  Curve curve{label, x, {}};
  for (const PathPoint& point : path.points) curve.y.push_back(read(point));
  return curve;
}

struct Over {
  std::string label;
  std::vector<double> x;
};

Over abscissa_of(const MaterialPath& path) {
  const auto read = [&](auto value) {
    std::vector<double> x;
    for (const PathPoint& point : path.points) x.push_back(value(point));
    return x;
  };
  switch (path.kind->abscissa) {
    case Abscissa::axis:
      return {"shortening of the axis, -e_zz",
              read([](const PathPoint& p) { return -p.strain[component_z]; })};
    case Abscissa::volume:
      return {"loss of volume, -tr(e)", read([](const PathPoint& p) { return -material::trace(p.strain); })};
    case Abscissa::shear:
      return {"angle of shear, 2 e_xz",
              read([](const PathPoint& p) { return 2 * entry(p.strain, component_xz); })};
    case Abscissa::steps:
      break;
  }
  Over over{"step", {}};
  for (std::size_t k = 0; k < path.points.size(); ++k) over.x.push_back(static_cast<double>(k));
  return over;
}

Curve stress_curve(const MaterialPath& path, const std::string& label) {
  Curve curve{label, {}, {}};
  for (const PathPoint& point : path.points) {
    const InvariantPoint at = lab::invariants(point.soil.stress);
    curve.x.push_back(at.I);
    curve.y.push_back(at.s);
  }
  return curve;
}

// As far as stresses reach, where no cap ends it, and some way into tension.
Curve surface_curve(const SoilLaw& law, double kappa, const std::string& label, double lowest,
                    double highest) {
  Curve curve{label, {}, {}};
  for (const InvariantPoint& at :
       material::outline(law.surface, kappa, lowest, std::max(highest, -0.25 * lowest))) {
    curve.x.push_back(at.I);
    curve.y.push_back(at.s);
  }
  return curve;
}

struct Reach {
  double lowest = 0, highest = 0;

  void add(const Curve& curve) {
    for (const double I : curve.x) lowest = std::min(lowest, I), highest = std::max(highest, I);
  }
};

Panel plane(const std::string& title) { return {title, "I1, tension positive [Pa]", "sqrt(J2) [Pa]", {}}; }

// The surface at first, at the end, and where the cap stood farthest out.
Panel stress_path(const SoilLaw& law, const MaterialPath& path) {
  Panel panel = plane("Stresses, and where it yields");
  const Curve stresses = stress_curve(path, "stress");
  Reach reach;
  reach.add(stresses);
  const auto add_surface = [&](double kappa, const char* label) {
    panel.curves.push_back(surface_curve(law, kappa, label, reach.lowest, reach.highest));
  };
  const double before = path.points.front().soil.kappa, after = path.points.back().soil.kappa;
  double farthest = std::min(before, after);
  for (const PathPoint& point : path.points) farthest = std::min(farthest, point.soil.kappa);
  if (law.plastic) {
    add_surface(before, "surface at first");
    if (after != before) add_surface(after, "surface at the end");
    if (farthest < std::min(before, after)) add_surface(farthest, "its cap farthest out");
  }
  panel.curves.push_back(stresses);
  return panel;
}

std::string figure(const std::vector<Panel>& panels, std::string_view caption) {
  return fmt::format("<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n", record::draw_inline("", panels),
                     html::escape(caption));
}

std::string law_section(const SoilLaw& law) {
  html::Table table({{"of the law"}, {"value", true}, {"unit"}});
  const auto add = [&](const char* name, double value, const char* unit) {
    table.row({html::text(name), html::value(value, 6), html::text(unit)});
  };
  add("bulk modulus K", law.bulk, "Pa");
  add("shear modulus G", law.shear, "Pa");
  if (law.plastic) {
    add("slope of the cone m", law.surface.m, "");
    add("cone at I1 = 0, k", law.surface.k, "Pa");
    add("slope of the flow m'", law.surface.flow, "");
    add("I1 of the apex", law.surface.apex(), "Pa");
  }
  if (law.surface.tension_cap) add("I1 at the end of the tension cap T", law.surface.T, "Pa");
  if (law.surface.compression_cap) {
    add("half axes of the cap R_C", law.surface.R, "");
    add("I1 at the end of the cap at first", law.kappa_0, "Pa");
    add("hardening D", law.D, "1/Pa");
    add("largest loss of volume W", law.W, "");
  }
  return html::section("law", "Law", table.html(""));
}

std::string metrics_section(const std::vector<MaterialPath>& paths) {
  std::vector<html::Heading> headings = {{"metric, its unit at the end"}};
  std::vector<std::vector<lab::Metric>> columns;
  for (const MaterialPath& path : paths) {
    headings.push_back({path.kind->name, true});
    columns.push_back(lab::metrics_of(path));
  }
  html::Table table(headings);
  for (std::size_t row = 0; row < columns[0].size(); ++row) {
    std::vector<html::Cell> cells = {html::text(columns[0][row].name)};
    for (const auto& column : columns) cells.push_back(html::value(column[row].value, 6));
    table.row(cells);
  }
  return html::section("metrics", "Metrics",
                       html::note("Peaks are those of the largest amount; permanent strains are plastic "
                                  "ones. 'loaded' is before the unloading.") +
                           table.html(""));
}

std::string path_section(const SoilLaw& law, const MaterialPath& path) {
  std::string text =
      fmt::format("It is {}; {} {:g}", path.kind->doc, path.kind->strain, path.settings.strain);
  if (path.kind->confined) text += fmt::format(", pressure {:g} Pa", path.settings.confining);
  std::string body = html::note(text + ".");
  if (!path.complete) body += html::note(stopped_in(path));
  body += figure(panels_of(law, path), fmt::format("All numbers are in {}.csv.", path.kind->name));
  return html::section(path.kind->name, path.kind->name, body);
}

}  // namespace

record::Table table_of(const MaterialPath& path) {
  record::Table table;
  table.columns = {{"step", ""}, {"leg", ""}};
  const auto add_tensor = [&](const char* name, const char* unit) {
    for (const char* component : components)
      table.columns.push_back({fmt::format("{}.{}", name, component), unit});
  };
  add_tensor("strain", "");
  add_tensor("stress", "Pa");
  add_tensor("plastic_strain", "");
  for (const char* name : {"I1", "sqrt_J2", "kappa"}) table.columns.push_back({name, "Pa"});
  for (const char* name : {"work", "plastic_work", "stored_energy"}) table.columns.push_back({name, "J/m^3"});
  for (std::size_t k = 0; k < path.points.size(); ++k) {
    const PathPoint& point = path.points[k];
    std::vector<double> row = {static_cast<double>(k), static_cast<double>(point.leg + 1)};
    for (const Vec6& tensor : {point.strain, point.soil.stress, point.soil.plastic_strain})
      for (int c = 0; c < 6; ++c) row.push_back(entry(tensor, c));
    const InvariantPoint at = lab::invariants(point.soil.stress);
    for (const double value : {at.I, at.s, point.soil.kappa, point.work, point.plastic_work, point.stored})
      row.push_back(value);
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::vector<Panel> panels_of(const SoilLaw& law, const MaterialPath& path) {
  const Over over = abscissa_of(path);
  const auto curve = [&](const char* label, auto read) { return curve_of(path, label, over.x, read); };
  Panel stresses{"Stresses", over.label, "stress, compression up [Pa]", {}};
  stresses.curves = {curve("axial, -zz", [](const PathPoint& p) { return -p.soil.stress[component_z]; }),
                     curve("lateral, -xx", [](const PathPoint& p) { return -p.soil.stress[component_x]; })};
  if (path.kind->abscissa == Abscissa::shear)
    stresses.curves.push_back(
        curve("shear, xz", [](const PathPoint& p) { return entry(p.soil.stress, component_xz); }));
  Panel volume{"Volume", over.label, "strain of the volume", {}};
  volume.curves = {
      curve("all", [](const PathPoint& p) { return material::trace(p.strain); }),
      curve("plastic", [](const PathPoint& p) { return material::trace(p.soil.plastic_strain); })};
  Panel energy{"Energy", over.label, "J/m³", {}};
  energy.curves = {curve("work", [](const PathPoint& p) { return p.work; }),
                   curve("plastic work", [](const PathPoint& p) { return p.plastic_work; }),
                   curve("stored", [](const PathPoint& p) { return p.stored; })};
  return {stress_path(law, path), stresses, volume, energy};
}

std::vector<Panel> surface_panels(const MaterialResults& results) {
  const SoilLaw& law = results.law;
  std::vector<Curve> curves;
  for (const MaterialPath& path : results.paths)
    if (path.kind->abscissa != Abscissa::steps || results.paths.size() == 1)
      curves.push_back(stress_curve(path, path.kind->name));
  const auto reach_of = [](std::span<const Curve> some) {
    Reach reach;
    for (const Curve& curve : some) reach.add(curve);
    return reach;
  };
  const auto panel_of = [&](const char* title, std::span<const Curve> some) {
    Panel panel = plane(title);
    const Reach reach = reach_of(some);
    if (law.plastic)
      panel.curves.push_back(
          surface_curve(law, law.kappa(0), "surface at first", reach.lowest, reach.highest));
    panel.curves.insert(panel.curves.end(), some.begin(), some.end());
    return panel;
  };
  // Those that stay near first, so that they have the same colours in both panels.
  const double near = 0.5 * reach_of(curves).lowest;
  const auto end_of_near = std::stable_partition(curves.begin(), curves.end(), [&](const Curve& curve) {
    return reach_of({&curve, 1}).lowest > near;
  });
  std::vector<Panel> panels = {panel_of("Where it yields at first, and stresses", curves)};
  if (end_of_near != curves.begin())
    panels.push_back(panel_of("Those of smaller pressures", {curves.begin(), end_of_near}));
  return panels;
}

std::string material_page(const MaterialResults& results) {
  const std::string title =
      results.title.empty() ? results.material : fmt::format("{}: {}", results.material, results.title);
  std::string body = fmt::format("<header>\n<h1>{}</h1>\n<dl class=\"facts\">\n", html::clipped(title));
  body += fmt::format("<dt>scenario</dt><dd>{}</dd>\n", html::clipped(results.scenario));
  body += fmt::format("<dt>command</dt><dd><code>{}</code></dd>\n", html::clipped(results.command));
  body += "</dl>\n</header>\n";
  body += html::note(
      "One point of the material. Strain is Green and Lagrange's, stress the second of Piola and Kirchhoff; "
      "both are positive in tension. The axis is z.");
  body += law_section(results.law) + metrics_section(results.paths);
  body += html::section("surface", "Yield surface",
                        figure(surface_panels(results), "Pressure grows to the left."));
  for (const MaterialPath& path : results.paths) body += path_section(results.law, path);
  return record::page_html({material_page_kind, title, body, ""});
}

std::string stopped_in(const MaterialPath& path) {
  if (path.complete) return "";
  const bool begun = path.points.size() > 1;
  const std::size_t last = begun ? path.points.back().leg : 0;
  const auto in_leg = std::count_if(path.points.begin() + 1, path.points.end(),
                                    [&](const PathPoint& p) { return p.leg == last; });
  const std::size_t leg = in_leg == path.legs[last].steps ? last + 1 : last;
  return fmt::format("{}: it stopped in '{}': no strain was found with the stress that is asked for",
                     path.kind->name, path.legs[leg].name);
}

}  // namespace hardpan::app
