#include "hardpan/record/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "hardpan/core/text.h"
#include "hardpan/record/bundle.h"
#include "hardpan/record/compress.h"
#include "hardpan/record/curves_section.h"
#include "hardpan/record/html.h"
#include "hardpan/record/page.h"
#include "hardpan/record/plot_axis.h"
#include "hardpan/record/run_folder.h"
#include "hardpan/record/scenario_keys.h"
#include "hardpan/record/summary_view.h"

namespace hardpan::record {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using html::Cell;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t most_differences = 200;  // rows

struct Run {
  std::string label;
  const RunReader* reader;
  Json summary;
};

std::vector<Run> look_at(std::span<const RunReader> readers) {
  std::vector<fs::path> folders;
  for (const RunReader& reader : readers) folders.push_back(reader.folder());
  const std::vector<std::string> labels = run_labels(folders);
  std::vector<Run> runs;
  for (std::size_t i = 0; i < readers.size(); ++i)
    runs.push_back({labels[i], &readers[i], read_json(readers[i], summary_name)});
  return runs;
}

// The last `parts` names of a path.
std::string tail(const fs::path& path, std::size_t parts) {
  const std::vector<fs::path> names(path.begin(), path.end());
  fs::path out;
  for (std::size_t i = names.size() - std::min(parts, names.size()); i < names.size(); ++i) out /= names[i];
  return out.string();
}

// ---- Tables with a column per run ---------------------------------------------------------------------

html::Table table_of(const std::vector<Run>& runs, std::string first_heading, bool numbers) {
  std::vector<html::Heading> headings = {{std::move(first_heading)}};
  for (const Run& run : runs) headings.push_back({run.label, numbers});
  return html::Table(headings);
}

template <class Show>
void add_row(html::Table& table, const std::vector<Run>& runs, const std::string& name, Show show) {
  std::vector<Cell> cells = {html::text(name)};
  for (const Run& run : runs) cells.push_back(show(run));
  table.row(cells);
}

std::string runs_section(const std::vector<Run>& runs) {
  html::Table table = table_of(runs, "", false);
  const auto words = [](const Json& json) { return html::text(text_in(json)); };
  add_row(table, runs, "title", [](const Run& r) { return html::text(title_of(*r.reader, r.summary)); });
  add_row(table, runs, "status", [](const Run& r) { return verdict_cell(status_of(r.summary), "done"); });
  add_row(table, runs, "expectations", [](const Run& r) { return html::text(expectations_met(r.summary)); });
  for (const char* key : {"scenario", "command", "finished", "state_hash"})
    add_row(table, runs, key, [&](const Run& r) { return words(member(r.summary, key)); });
  for (const char* key : {"version", "commit", "threads", "seed"})
    add_row(table, runs, key, [&](const Run& r) { return words(member(member(r.summary, "program"), key)); });
  return html::section("runs", "Runs", table.html(summary_name));
}

std::vector<ComparedMetric> metrics_of(const std::vector<Run>& runs) {
  std::vector<ComparedMetric> out;
  std::map<std::string, std::size_t> place;
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (const auto& [name, value] : member(runs[i].summary, "metrics").items()) {
      const auto [it, is_new] = place.try_emplace(name, out.size());
      if (is_new) out.push_back({name, std::vector<std::optional<double>>(runs.size())});
      out[it->second].values[i] = number_in(value);
    }
  return out;
}

std::string metrics_section(const std::vector<Run>& runs) {
  html::Table table = table_of(runs, "metric, its unit at the end", true);
  for (const ComparedMetric& metric : metrics_of(runs)) {
    std::vector<Cell> cells = {html::text(metric.name)};
    for (std::size_t i = 0; i < runs.size(); ++i) {
      std::string cell = metric.values[i] ? html::number(*metric.values[i]) : "";
      if (i > 0) cell += fmt::format("<small>{}</small>", difference(metric.values[i], metric.values[0]));
      cells.push_back({cell, true});
    }
    table.row(cells);
  }
  if (table.empty()) return html::section("metrics", "Metrics", html::note("No run has metrics yet."));
  return html::section("metrics", "Metrics",
                       html::note("Small: the difference to the first run, absolute and relative.") +
                           table.html(summary_name));
}

// By metric: runs of different scenarios expect different things.
std::string expectations_section(const std::vector<Run>& runs) {
  std::vector<std::string> names;
  std::map<std::string, std::vector<Cell>> cells;
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (const Json& e : member(runs[i].summary, "expectations")) {
      const std::string name = text_in(member(e, "metric"));
      const auto [it, is_new] = cells.try_emplace(name, runs.size());
      if (is_new) names.push_back(name);
      it->second[i] = verdict_cell(text_in(member(e, "status")), "passed");
      it->second[i].html += fmt::format("<small>{} to {}</small>", html::number(number_in(member(e, "low"))),
                                        html::number(number_in(member(e, "high"))));
    }
  html::Table table = table_of(runs, "metric", false);
  for (const std::string& name : names) {
    std::vector<Cell> row = {html::text(name)};
    row.insert(row.end(), cells[name].begin(), cells[name].end());
    table.row(row);
  }
  return names.empty() ? "" : html::section("expectations", "Expectations", table.html(summary_name));
}

std::vector<std::string> phase_names(const std::vector<Run>& runs) {
  std::vector<std::string> names;
  for (const Run& run : runs)
    for (const auto& item : member(member(run.summary, "timing"), "phases_s").items())
      if (std::find(names.begin(), names.end(), item.key()) == names.end()) names.push_back(item.key());
  return names;
}

std::string timing_section(const std::vector<Run>& runs) {
  html::Table table = table_of(runs, "", true);
  const auto number_or_blank = [](const Json& json) {
    return json.is_null() ? Cell{"", true} : cell_of(json, 4);
  };
  for (const char* key : {"steps", "simulated_s", "wall_s", "real_time_factor"})
    add_row(table, runs, key,
            [&](const Run& r) { return number_or_blank(member(member(r.summary, "timing"), key)); });
  for (const std::string& phase : phase_names(runs))
    add_row(table, runs, phase + " [s]", [&](const Run& r) {
      return number_or_blank(member(member(member(r.summary, "timing"), "phases_s"), phase));
    });
  return html::section("timing", "Time spent", table.html(summary_name));
}

std::string scenario_section(const std::vector<Run>& runs) {
  std::vector<std::string> texts;
  for (const Run& run : runs) texts.push_back(run.reader->text(scenario_name).value_or(""));
  const std::vector<KeyDifference> found = differences(texts);
  if (found.empty())
    return html::section("scenarios", "Scenarios", html::note("The resolved scenarios are the same."));
  html::Table table = table_of(runs, "key", false);
  for (std::size_t i = 0; i < std::min(found.size(), most_differences); ++i) {
    std::vector<Cell> cells = {html::text(found[i].key)};
    for (const std::string& value : found[i].values) cells.push_back({html::clipped(value, 200)});
    table.row(cells);
  }
  std::string rest;
  if (found.size() > most_differences)
    rest = html::note(fmt::format("{} more keys differ: compare the files {} of the runs.",
                                  found.size() - most_differences, scenario_name));
  return html::section("scenarios", "What differs in the scenarios", table.html(scenario_name) + rest);
}

// ---- Curves -------------------------------------------------------------------------------------------

using Place = std::map<std::pair<std::string, std::string>, std::size_t>;  // (name, unit) to column

Place places(const std::vector<Column>& columns) {
  Place out;
  for (std::size_t i = 0; i < columns.size(); ++i) out.try_emplace({columns[i].name, columns[i].unit}, i);
  return out;
}

std::vector<Column> all_columns(std::span<const Table> series) {
  std::vector<Column> columns;
  Place known;
  for (const Table& table : series)
    for (const Column& column : table.columns)
      if (known.try_emplace({column.name, column.unit}, 0).second) columns.push_back(column);
  return columns;
}

// The same table with these columns; NaN in those it does not have.
Table widened(const Table& table, const std::vector<Column>& columns) {
  const Place place = places(table.columns);
  std::vector<std::optional<std::size_t>> source;
  for (const Column& column : columns) {
    const auto it = place.find({column.name, column.unit});
    source.push_back(it == place.end() ? std::nullopt : std::optional(it->second));
  }
  Table out{columns, {}};
  for (const std::vector<double>& row : table.rows) {
    out.rows.emplace_back();
    for (const auto& i : source) out.rows.back().push_back(i ? row[*i] : nan);
  }
  return out;
}

bool has_points(const Curve& curve) { return std::any_of(curve.y.begin(), curve.y.end(), is_plottable); }

// Besides time, which is the first column of all.
bool share_a_curve(std::span<const Table> series) {
  std::size_t sum = 0;
  for (const Table& table : series) sum += table.columns.empty() ? 0 : table.columns.size() - 1;
  const std::size_t different = all_columns(series).size();
  return different > 0 && different - 1 < sum;
}

}  // namespace

std::vector<std::string> run_labels(std::span<const fs::path> folders) {
  std::vector<fs::path> paths;
  for (const fs::path& folder : folders) {
    std::error_code ignored;
    const fs::path whole = fs::weakly_canonical(folder, ignored);
    paths.push_back(ignored ? folder : whole);
  }
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const auto parts = static_cast<std::size_t>(std::distance(paths[i].begin(), paths[i].end()));
    const auto is_taken = [&](std::size_t length) {
      return std::any_of(paths.begin(), paths.end(), [&](const fs::path& other) {
        return other != paths[i] && tail(other, length) == tail(paths[i], length);
      });
    };
    std::size_t length = 1;
    while (length < parts && is_taken(length)) ++length;
    labels.push_back(tail(paths[i], length));
    const auto before = std::count(paths.begin(), paths.begin() + std::ptrdiff_t(i), paths[i]);
    if (before > 0) labels.back() += fmt::format(" ({})", before + 1);  // the same folder again
  }
  return labels;
}

std::vector<ComparedMetric> compare_metrics(std::span<const RunReader> runs) {
  return metrics_of(look_at(runs));
}

std::string difference(std::optional<double> value, std::optional<double> first) {
  if (!value || !first || !std::isfinite(*value - *first)) return "";
  const double change = *value - *first;
  if (change == 0) return "same";
  if (*first == 0) return fmt::format("{:+.4g}", change);
  return fmt::format("{:+.4g} ({:+.3g} %)", change, 100 * change / std::abs(*first));
}

std::vector<Panel> compare_panels(std::span<const Table> series, std::span<const std::string> labels) {
  const std::vector<Column> columns = all_columns(series);
  std::vector<Panel> panels = panels_of({columns, {}});
  for (Panel& panel : panels) panel.curves.clear();
  for (std::size_t run = 0; run < series.size(); ++run) {
    // Of the same columns, so the same panels in the same order.
    std::vector<Panel> own = panels_of(widened(series[run], columns));
    for (std::size_t i = 0; i < own.size(); ++i)
      for (Curve& curve : own[i].curves) {
        if (!has_points(curve)) continue;
        curve.label = curve.label.empty() ? labels[run] : labels[run] + ": " + curve.label;
        panels[i].curves.push_back(std::move(curve));
      }
  }
  std::erase_if(panels, [](const Panel& panel) { return panel.curves.empty(); });
  return panels;
}

std::string compare_html(std::span<const RunReader> readers, const ReportOptions& options) {
  const std::vector<Run> runs = look_at(readers);
  std::vector<std::string> labels;
  std::vector<Table> series;
  for (const Run& run : runs) {
    labels.push_back(run.label);
    series.push_back(run.reader->series());
  }
  const Curves curves(compare_panels(series, labels), options.with_pages,
                      options.curve_bytes + options.replay_bytes, options.svg_bytes);
  const std::string title =
      runs.size() <= 3 ? "Comparison: " + join(labels) : fmt::format("Comparison of {} runs", runs.size());
  std::string body = fmt::format("<header><h1>{}</h1></header>\n", html::clipped(title));
  body += runs_section(runs) + metrics_section(runs) + expectations_section(runs);
  body += curves.section(share_a_curve(series) ? "" : "The runs have no curves in common.");
  body += scenario_section(runs) + timing_section(runs);
  std::string data;
  if (options.with_pages) {
    Bundle bundle;
    const Json panels = curves.add_to(bundle);
    data = gzip(bundle.bytes({{"panels", panels}}));
  }
  return page_html({"compare", title, body, data});
}

}  // namespace hardpan::record
