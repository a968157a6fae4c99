#include "hardpan/record/report.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "hardpan/record/bundle.h"
#include "hardpan/record/compress.h"
#include "hardpan/record/curves_section.h"
#include "hardpan/record/frame_bundle.h"
#include "hardpan/record/html.h"
#include "hardpan/record/json_text.h"
#include "hardpan/record/page.h"
#include "hardpan/record/page_data.h"
#include "hardpan/record/run_folder.h"
#include "hardpan/record/scene.h"
#include "hardpan/record/summary_view.h"

namespace hardpan::record {
namespace {

using Json = nlohmann::ordered_json;
using html::Cell;

std::string fact(std::string_view name, const std::string& html) {
  return html.empty() ? "" : fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, html);
}

std::string code(const std::string& text) {
  return text.empty() ? "" : fmt::format("<code>{}</code>", html::clipped(text));
}

// ---- What it is ---------------------------------------------------------------------------------------

// A run without summary is told by what it has recorded so far.
double time_reached(const RunReader& run, const Json& summary) {
  const Json& simulated = member(member(summary, "timing"), "simulated_s");
  if (!simulated.is_null()) return number_in(simulated);
  return run.segments().empty() ? 0 : run.segments().back().last_time;
}

std::string verdict(const Json& summary) {
  std::string words = status_of(summary);
  if (summary.is_null()) words += ": the run goes on, or was killed";
  if (const std::string reason = text_in(member(summary, "reason")); !reason.empty()) words += " " + reason;
  if (const std::string met = expectations_met(summary); !met.empty()) words += "; expectations: " + met;
  return fmt::format("<p class=\"verdict {}\">{}</p>\n", is_good(summary) ? "good" : "bad",
                     html::clipped(words));
}

std::string program_of(const RunReader& run, const Json& program) {
  const std::string commit = text_in(member(program, "commit"));
  return html::clipped(fmt::format("hardpan {}{}, {}", run.identity().version,
                                   commit.empty() ? "" : " (commit " + commit + ")",
                                   run.identity().instruction_set));
}

std::string header(const RunReader& run, const Json& summary) {
  const Json& program = member(summary, "program");
  std::string out = fmt::format("<header>\n<h1>{}</h1>\n{}<dl class=\"facts\">\n",
                                html::clipped(title_of(run, summary)), verdict(summary));
  out += fact("scenario", html::clipped(text_in(member(summary, "scenario"))));
  out += fact("simulated", html::number(time_reached(run, summary)) + " s");
  out += fact("finished", html::clipped(text_in(member(summary, "finished"))));
  out += fact("program", program_of(run, program));
  out += fact("threads", html::clipped(text_in(member(program, "threads"))));
  out += fact("seed", html::clipped(text_in(member(program, "seed"))));
  out += fact("state hash", code(text_in(member(summary, "state_hash"))));
  out += fact("scenario hash", code(run.identity().scenario_hash));
  out += fact("command", code(text_in(member(summary, "command"))));
  return out + "</dl>\n</header>\n";
}

// ---- How it went --------------------------------------------------------------------------------------

std::string range_of(const Json& expectation) {
  return fmt::format("<span class=\"whole\">{} to {}</span>",
                     html::number(number_in(member(expectation, "low"))),
                     html::number(number_in(member(expectation, "high"))));
}

std::string order_of(const Json& expectation) {
  const Json& least = member(expectation, "least_order");
  if (least.is_null()) return "";
  const Json& order = member(expectation, "order");
  return fmt::format("{} (at least {})", order.is_null() ? "none" : html::number(number_in(order), 4),
                     html::number(number_in(least), 4));
}

std::string expectations_section(const Json& summary) {
  const Json& expectations = member(summary, "expectations");
  const bool with_order = std::any_of(expectations.begin(), expectations.end(),
                                      [](const Json& e) { return !order_of(e).empty(); });
  std::vector<html::Heading> headings = {{"metric"}, {"result"}, {"value", true}, {"allowed"}, {"source"}};
  if (with_order) headings.insert(headings.end() - 1, {"order"});
  html::Table table(headings);
  for (const Json& e : expectations) {
    const std::string status = text_in(member(e, "status"));
    const bool is_known = status == "passed" || status == "failed";
    std::vector<Cell> cells = {html::text(text_in(member(e, "metric"))),
                               verdict_cell(status, "passed"),
                               is_known ? cell_of(member(e, "value")) : Cell{"", true},
                               {range_of(e)}};
    if (with_order) cells.push_back({order_of(e)});
    cells.push_back(html::text(text_in(member(e, "source"))));
    table.row(cells);
  }
  return table.empty() ? "" : html::section("expectations", "Expectations", table.html(summary_name));
}

std::string metrics_section(const Json& summary) {
  html::Table table({{"metric, its unit at the end"}, {"value", true}});
  for (const auto& [name, value] : member(summary, "metrics").items())
    table.row({html::text(name), cell_of(value)});
  return table.empty() ? "" : html::section("metrics", "Metrics", table.html(summary_name));
}

// ---- The books ----------------------------------------------------------------------------------------

// Accounts are the objects in a subsystem's books; together they have these columns.
std::vector<std::string> account_columns(const Json& books) {
  std::vector<std::string> names;
  for (const Json& entry : books)
    if (entry.is_object())
      for (const auto& item : entry.items())
        if (std::find(names.begin(), names.end(), item.key()) == names.end()) names.push_back(item.key());
  return names;
}

std::string accounts_table(const Json& books) {
  const std::vector<std::string> columns = account_columns(books);
  if (columns.empty()) return "";
  std::vector<html::Heading> headings = {{"account"}};
  for (const std::string& name : columns) headings.push_back({name, true});
  html::Table table(headings);
  std::vector<double> sums(columns.size(), 0.0);
  for (const auto& [name, account] : books.items()) {
    if (!account.is_object()) continue;
    std::vector<Cell> cells = {html::text(name)};
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const bool has = account.contains(columns[i]);
      cells.push_back(has ? cell_of(account[columns[i]], 7) : Cell{"", true});
      if (has) sums[i] += number_in(account[columns[i]]);
    }
    table.row(cells);
  }
  std::vector<Cell> total = {{"<strong>all accounts</strong>"}};
  for (double sum : sums) total.push_back({fmt::format("<strong>{}</strong>", html::number(sum, 7)), true});
  table.row(total);
  return table.html(summary_name);
}

// Scalars and vectors of a subsystem's books.
std::string amounts_table(const Json& books) {
  html::Table table({{"amount"}, {"value, or x", true}, {"y", true}, {"z", true}});
  for (const auto& [name, value] : books.items()) {
    if (value.is_object()) continue;
    std::vector<Cell> cells = {html::text(name)};
    if (value.is_array())
      for (const Json& component : value) cells.push_back(cell_of(component, 7));
    else
      cells.push_back(cell_of(value, 7));
    cells.resize(std::max<std::size_t>(4, cells.size()), {"", true});
    table.row(cells);
  }
  return table.empty() ? "" : table.html(summary_name);
}

std::string ledger_section(const Json& summary) {
  std::string out;
  for (const auto& [subsystem, books] : member(summary, "ledger").items())
    out +=
        fmt::format("<h3>{}</h3>\n", html::clipped(subsystem)) + accounts_table(books) + amounts_table(books);
  return out.empty() ? "" : html::section("ledger", "Energy and momentum", out);
}

// ---- The cost -----------------------------------------------------------------------------------------

std::string bar(double share) {
  const double percent = 100 * std::clamp(share, 0.0, 1.0);
  return fmt::format("<span class=\"bar\"><i style=\"width: {:.1f}%\"></i></span>", percent);
}

std::string phases_table(const Json& timing) {
  const double wall = number_in(member(timing, "wall_s"));
  html::Table table({{"phase"}, {"time [s]", true}, {"share", true}, {""}});
  double rest = wall;
  const auto row = [&](std::string_view name, double seconds) {
    const double share = wall > 0 ? seconds / wall : 0;
    table.row({html::text(name),
               html::value(seconds, 4),
               {fmt::format("{:.1f} %", 100 * share), true},
               {bar(share)}});
  };
  for (const auto& [name, value] : member(timing, "phases_s").items()) {
    row(name, number_in(value));
    rest -= number_in(value);
  }
  if (!table.empty() && rest > 0) row("the rest", rest);
  return table.empty() ? "" : table.html(summary_name);
}

std::string timing_section(const Json& summary) {
  const Json& timing = member(summary, "timing");
  if (timing.is_null()) return "";
  std::string out = fmt::format("<p>{} steps; {} s of wall time in the last session, {} × real time.</p>\n",
                                html::clipped(text_in(member(timing, "steps"))),
                                html::number(number_in(member(timing, "wall_s")), 4),
                                html::number(number_in(member(timing, "real_time_factor")), 4));
  if (const Json& from = member(timing, "resumed_from_step"); number_in(from) > 0)
    out += html::note("Resumed from step " + text_in(from) + ".");
  return html::section("timing", "Time spent", out + phases_table(timing));
}

std::string solver_section(const Json& summary) {
  html::Table table({{"statistic, its unit at the end"}, {"value", true}});
  for (const auto& [name, value] : member(summary, "solver").items())
    table.row({html::text(name), cell_of(value, 4)});
  if (table.empty()) return "";
  const bool is_resumed = number_in(member(member(summary, "timing"), "resumed_from_step")) > 0;
  return html::section("solver", "Solver",
                       (is_resumed ? html::note("Of the last session.") : "") + table.html(summary_name));
}

// ---- How to repeat it ---------------------------------------------------------------------------------

std::string scenario_section(const RunReader& run, const Json& summary, std::size_t most_bytes) {
  const std::string command = text_in(member(summary, "command"));
  std::string out;
  if (!command.empty())
    out += "<p>This run was made by</p>\n<pre>" + html::clipped(command, 20'000) + "</pre>\n";
  out +=
      "<p>The scenario below has every default and every <code>--set</code> filled in. Save it as "
      "<code>scenario.yaml</code> (the folder of the run has it too); this gives the same results:</p>\n"
      "<pre>hardpan run scenario.yaml</pre>\n";
  const std::string text = run.text(scenario_name).value_or("");
  const std::string escaped = html::escape(text);
  std::string shown = escaped;
  if (escaped.size() > most_bytes) {
    shown = html::escape(html::beginning(text, most_bytes * text.size() / escaped.size()));
    out += html::note(
        fmt::format("It is too long for this page, which holds its beginning: all {} bytes are in {}.",
                    text.size(), (run.folder() / scenario_name).string()));
  }
  out += "<details><summary>The resolved scenario</summary>\n<pre>" + shown + "</pre></details>\n";
  return html::section("scenario", "How to repeat it", out);
}

// ---- The replay ---------------------------------------------------------------------------------------

std::string replay_caption(const RunReader& run, const Replay& replay, const ReportOptions& options) {
  if (run.frames() == 0) return "No frames have been recorded.";
  if (!options.with_pages) return "The replay is missing: this program was built without pages for browsers.";
  if (replay.is_too_large) return "The replay is too large for a report; use hardpan view.";
  if (replay.stacks.empty()) return "The replay is missing: the run has no scene.";
  std::string text = fmt::format("{} of {} frames", replay.frames, run.frames());
  if (!replay.has_all_fields) text += ", without velocities and forces";
  if (replay.frames < run.frames() || !replay.has_all_fields) text += "; hardpan view shows all";
  return text + ".";
}

std::string replay_section(const RunReader& run, const Replay& replay, const ReportOptions& options) {
  return html::section(
      "motion", "Replay",
      fmt::format("<figure id=\"replay\"><div class=\"stage\"{}></div><figcaption>{}</figcaption></figure>\n",
                  replay.stacks.empty() ? " hidden" : "",
                  html::clipped(replay_caption(run, replay, options))));
}

std::string data_of(const Curves& curves, const Json& scene, const Replay& replay) {
  Bundle bundle;
  Json head = {{"panels", curves.add_to(bundle)}, {"scene", replay.stacks.empty() ? Json() : scene}};
  head["stacks"] = Json::array();
  for (const FrameStack& stack : replay.stacks) head["stacks"].push_back(add_stack(bundle, stack));
  return gzip(bundle.bytes(head));
}

// As it stands in the file, with what only the script knows. A viewer refuses the same scenes.
Json checked_scene(const RunReader& run) {
  const auto text = run.text(scene_name);
  if (!text) return nullptr;
  const std::string where = (run.folder() / scene_name).string();
  parse_scene(*text, where);
  return parse_json(*text, where);
}

}  // namespace

std::string report_html(const RunReader& run, const ReportOptions& options) {
  const Json summary = read_json(run, summary_name);
  const Json scene = checked_scene(run);
  const Curves curves(panels_of(run.series()), options.with_pages, options.curve_bytes, options.svg_bytes);
  const Replay replay =
      options.with_pages && !scene.is_null() ? fit_replay(run, scene, options.replay_bytes) : Replay();
  std::string body =
      header(run, summary) + expectations_section(summary) + replay_section(run, replay, options);
  body += curves.section() + metrics_section(summary) + ledger_section(summary) + timing_section(summary);
  body += solver_section(summary) + scenario_section(run, summary, options.scenario_bytes);
  return page_html(
      {"report", title_of(run, summary), body, options.with_pages ? data_of(curves, scene, replay) : ""});
}

}  // namespace hardpan::record
