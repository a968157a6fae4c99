#include "hardpan/scenario/summary.h"

#include <cmath>
#include <ctime>

#include <fmt/chrono.h>
#include <nlohmann/json.hpp>

#include "hardpan/core/parallel.h"
#include "hardpan/core/version.h"

namespace hardpan::scenario {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no NaN and no infinity.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json expectation_json(const Expectation& e, const Outcome* outcome) {
  Json json = {{"metric", e.name}, {"low", number(e.low)}, {"high", number(e.high)}, {"source", e.source}};
  if (e.order) json["least_order"] = *e.order;
  if (!outcome) {
    json["status"] = "not evaluated";
    return json;
  }
  json["value"] = number(outcome->value);
  if (outcome->values.size() > 1) {
    json["values_at_halved_steps"] = Json::array();
    for (double value : outcome->values) json["values_at_halved_steps"].push_back(number(value));
    if (outcome->order) json["order"] = number(*outcome->order);
  }
  json["status"] = outcome->passed ? "passed" : "failed";
  return json;
}

// Names of files need not be UTF-8.
std::string text_of(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json account_json(const multibody::EnergyAccount& account) {
  return {{"work_J", number(account.work)},
          {"stored_J", number(account.stored)},
          {"dissipated_J", number(account.dissipated)},
          {"lost_J", number(account.lost)}};
}

Json vector_json(const Vec3& v) { return {number(v.x()), number(v.y()), number(v.z())}; }

Json ledger_json(const multibody::Ledger& books) {
  return {
      {"kinetic_J", number(books.kinetic)},
      {"gravity", account_json(books.gravity)},
      {"joints", account_json(books.joints)},
      {"springs", account_json(books.springs)},
      {"loads", account_json(books.loads)},
      {"motors", account_json(books.motors)},
      {"friction", account_json(books.friction)},
      {"impacts", account_json(books.impacts)},
      {"contacts", account_json(books.contacts)},
      {"solids", account_json(books.solids)},
      {"momentum_kgm_per_s", vector_json(books.momentum)},
      {"outside_impulse_kgm_per_s", vector_json(books.impulse)},
      {"momentum_imbalance_kgm_per_s", vector_json(books.momentum - books.impulse)},
      {"angular_momentum_kgm2_per_s", vector_json(books.angular_momentum)},
      {"outside_angular_impulse_kgm2_per_s", vector_json(books.angular_impulse)},
      {"angular_momentum_imbalance_kgm2_per_s", vector_json(books.angular_momentum - books.angular_impulse)}};
}

Json solver_json(const SolverStatistics& solver, double step) {
  const double mean = static_cast<double>(solver.iterations) / static_cast<double>(solver.solves);
  return {{"solves", solver.solves},
          {"iterations_mean", solver.solves > 0 ? Json(mean) : Json(0)},
          {"iterations_max", solver.most_iterations},
          {"unconverged", solver.unconverged},
          {"residual_momentum_max_Ns", number(solver.largest.momentum)},
          {"residual_velocity_max_m_per_s", number(solver.largest.velocity)},
          {"residual_force_max_N", number(solver.largest.impulse / step)}};
}

std::string utc_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

}  // namespace

std::string summary_json(const Scenario& scenario, const RunResult& result, const std::string& command) {
  Json json = {{"format", 1},
               {"status", name_of(result.status)},
               {"scenario", scenario.name},
               {"title", scenario.resolved.at("title").text()},
               {"state_hash", result.state_hash},
               {"finished", utc_now()}};
  if (!command.empty()) json["command"] = command;
  if (!result.reason.empty()) json["reason"] = result.reason;
  json["metrics"] = Json::object();
  for (const Metric& metric : result.metrics) json["metrics"][metric.name] = number(metric.value);
  json["expectations"] = Json::array();
  for (std::size_t i = 0; i < result.expectations.size(); ++i)
    json["expectations"].push_back(
        expectation_json(result.expectations[i], i < result.outcomes.size() ? &result.outcomes[i] : nullptr));
  json["ledger"] = {{"multibody", ledger_json(result.ledger)}};
  json["timing"] = {{"wall_s", result.wall},
                    {"simulated_s", result.simulated},
                    {"real_time_factor", number(result.real_time_factor)},
                    {"steps", result.steps},
                    {"resumed_from_step", result.resumed_from}};
  json["timing"]["phases_s"] = Json::object();
  for (const Profiler::Phase& phase : result.phases) json["timing"]["phases_s"][phase.name] = phase.seconds;
  json["solver"] = solver_json(result.solver, scenario.resolved.at("time").at("step").number());
  json["program"] = {{"version", version()},
                     {"commit", commit()},
                     {"instruction_set", instruction_set()},
                     {"threads", thread_count()},
                     {"seed", scenario.resolved.at("seed").integer()}};
  return text_of(json);
}

}  // namespace hardpan::scenario
