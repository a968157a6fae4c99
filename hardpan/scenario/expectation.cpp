#include "hardpan/scenario/expectation.h"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "hardpan/core/text.h"

namespace hardpan::scenario {
namespace {

// "kg m^2/s" -> "kgm2_per_s"
std::string unit_suffix(const std::string& unit) {
  std::string suffix;
  for (char c : unit) {
    if (c == '/')
      suffix += "_per_";
    else if (std::isalnum(static_cast<unsigned char>(c)))
      suffix += c;
  }
  return suffix.empty() ? suffix : "_" + suffix;
}

std::string word_of(const Value& entry) { return entry.at("reduce").text(); }

std::string default_name(const Value& entry, const Expectation& e, const std::string& unit) {
  std::string name = e.of.empty() ? e.field : e.of + "_" + e.field;
  if (!e.against.empty()) name += "_" + e.against;
  std::replace(name.begin(), name.end(), '.', '_');
  name += e.reduce == Reduce::at ? fmt::format("_at_{}s", shortest(e.at)) : "_" + word_of(entry);
  if (e.halvings > 0) name += "_limit";  // extrapolated to step zero
  return name + unit_suffix(e.reduce == Reduce::period ? "s" : unit);
}

double extrapolate(std::vector<double> values) {
  // Neville's scheme at zero for nodes 1, 1/2, 1/4, ...
  for (std::size_t level = 1; level < values.size(); ++level)
    for (std::size_t i = values.size() - 1; i >= level; --i)
      values[i] += (values[i] - values[i - 1]) / (std::exp2(static_cast<double>(level)) - 1.0);
  return values.back();
}

std::optional<double> least_order(const std::vector<double>& values, std::optional<double> target) {
  std::vector<double> errors;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (target)
      errors.push_back(std::abs(values[i] - *target));
    else if (i > 0)
      errors.push_back(std::abs(values[i] - values[i - 1]));
  }
  if (errors.size() < 2) return std::nullopt;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < errors.size(); ++i)
    least = std::min(least, std::log2(errors[i - 1] / errors[i]));
  return least;
}

}  // namespace

std::vector<Expectation> expectations(const Value& resolved, const Simulation& simulation) {
  std::vector<Expectation> all;
  const Value* list = resolved.find("expect");
  if (!list) return all;
  for (const Value& entry : list->items()) {
    Expectation e;
    if (const Value* field = entry.find("field")) e.field = field->text();
    if (const Value* metric = entry.find("metric")) e.metric = metric->text();
    if (const Value* of = entry.find("of")) e.of = of->text();
    if (const Value* against = entry.find("against")) e.against = against->text();
    e.reduce = reduce_of(word_of(entry));
    if (const Value* at = entry.find("at")) e.at = at->number();
    if (const Value* between = entry.find("between")) {
      e.low = between->items()[0].number();
      e.high = between->items()[1].number();
    } else {
      e.target = entry.at("equals").number();
      const double tolerance = entry.at("tolerance").number();
      e.low = *e.target - tolerance;
      e.high = *e.target + tolerance;
    }
    e.halvings = static_cast<int>(entry.at("halvings").integer());
    if (const Value* order = entry.find("order")) e.order = order->number();
    e.source = entry.at("source").text();
    const Value* name = entry.find("name");
    e.name = name ? name->text()
             : !e.metric.empty()
                 ? e.metric + (e.halvings > 0 ? "_limit" : "")
                 : default_name(entry, e, observe(simulation, e.field, e.of, e.against).front().unit);
    all.push_back(std::move(e));
  }
  return all;
}

std::vector<Watch> watches(const std::vector<Expectation>& expectations, const Simulation& simulation) {
  std::vector<Watch> all;
  for (const Expectation& e : expectations)
    all.emplace_back(
        e.metric.empty() ? observe(simulation, e.field, e.of, e.against).front() : observe_metric(e.metric),
        e.reduce, e.at);
  return all;
}

Outcome judge(const Expectation& expectation, const std::vector<double>& values) {
  Outcome outcome{extrapolate(values), values, least_order(values, expectation.target), false};
  // A NaN fails every comparison.
  outcome.passed = outcome.value >= expectation.low && outcome.value <= expectation.high;
  if (expectation.order)
    outcome.passed = outcome.passed && outcome.order && *outcome.order >= *expectation.order;
  return outcome;
}

}  // namespace hardpan::scenario
