#include "hardpan/scenario/initial.h"

#include <cstdlib>

#include <fmt/core.h>

#include "hardpan/core/error.h"
#include "hardpan/core/file.h"
#include "hardpan/core/hash.h"
#include "hardpan/core/log.h"
#include "hardpan/core/version.h"
#include "hardpan/record/hdf5_image.h"
#include "hardpan/record/run_reader.h"
#include "hardpan/scenario/language.h"
#include "hardpan/scenario/merge.h"

namespace hardpan::scenario {
namespace {

namespace fs = std::filesystem;

// What belongs to the run and not to its preparation.
constexpr const char* of_the_run[] = {"initial", "outputs", "expect", "measure"};

// Any change of the program may change what it computes.
const std::string& program_checksum() {
  static const std::string sum = [] {
    try {
      return checksum(read_file("/proc/self/exe"));
    } catch (const IoError&) {
      return std::string(version());
    }
  }();
  return sum;
}

fs::path file_of(const Scenario& preparation, Stage stage) {
  const std::string key = checksum(preparation.hash + "\n" + program_checksum());
  return cache_folder() / "prepared" / (key + (stage == Stage::end ? ".h5" : ".part.h5"));
}

}  // namespace

Object initial_object() {
  return {
      .name = "initial",
      .doc =
          "Where the run begins, if not with what the scenario describes. Time begins at 0, and so do the "
          "books; bodies, grains and what contacts remember are taken over.",
      .fields = {field("from", text().not_empty(),
                       "folder of a run of the same bodies, joints and grains, relative to where the program "
                       "is started"),
                 field("time", number("s").at_least(0),
                       "of the checkpoint to take: the last one that is not later; default: the last one"),
                 field("prepare", patch("changes"),
                       "changes of this scenario, merged into it key by key (null takes a key out): the "
                       "result is run first, and its end is where this one begins. Results are kept and "
                       "found again")},
      .groups = {exactly_one({{"from", "time"}, {"prepare"}}), needs("time", {"from"})}};
}

std::optional<Scenario> preparation_of(const Scenario& scenario) {
  const Value* initial = scenario.resolved.find("initial");
  const Value* changes = initial ? initial->find("prepare") : nullptr;
  if (!changes) return std::nullopt;
  Value tree = scenario.resolved;
  for (const char* key : of_the_run) tree.erase(key);
  merge(tree, *changes);
  try {
    return finished(tree, scenario.name);
  } catch (const InputError& error) {
    throw InputError(changes->mark(), fmt::format("initial.prepare: {}", error.what()));
  }
}

std::optional<Archive> state_of_other_run(const Scenario& scenario) {
  const Value* initial = scenario.resolved.find("initial");
  const Value* from = initial ? initial->find("from") : nullptr;
  if (!from) return std::nullopt;
  const auto refuse = [&](const std::string& why) {
    throw InputError(from->mark(), fmt::format("initial.from: {}", why));
  };
  try {
    const record::RunReader run(from->text());
    const Value* time = initial->find("time");
    const record::CheckpointInfo* best = nullptr;
    for (const record::CheckpointInfo& info : run.checkpoints())
      if (!time || info.time <= time->number() * (1 + 1e-12)) best = &info;
    if (!best) refuse(fmt::format("{} has no checkpoint that early", from->text()));
    if (auto state = run.read(*best)) return state;
    refuse(fmt::format("{}: its checkpoint has gone", from->text()));
  } catch (const IoError& error) {
    refuse(error.what());
  }
  return std::nullopt;
}

fs::path cache_folder() {
  const auto variable = [](const char* name) -> fs::path {
    const char* value = std::getenv(name);
    return value ? value : "";
  };
  if (const fs::path own = variable("HARDPAN_CACHE"); !own.empty()) return own;
  if (const fs::path cache = variable("XDG_CACHE_HOME"); !cache.empty()) return cache / "hardpan";
  if (const fs::path home = variable("HOME"); !home.empty()) return home / ".cache" / "hardpan";
  return {};
}

std::optional<Archive> cached_state(const Scenario& preparation, Stage stage) {
  std::error_code ignored;
  const fs::path file = file_of(preparation, stage);
  if (cache_folder().empty() || !fs::exists(file, ignored)) return std::nullopt;
  try {
    return record::from_hdf5(read_file(file), file.string()).arrays;
  } catch (const IoError& error) {
    log::note("a prepared state cannot be read and is made anew: {}", error.what());
    return std::nullopt;
  }
}

void cache_state(const Scenario& preparation, Stage stage, const Archive& state) {
  if (cache_folder().empty()) return;
  const fs::path file = file_of(preparation, stage);
  std::error_code failed;
  fs::create_directories(file.parent_path(), failed);
  try {
    write_file_atomically(file, record::to_hdf5({"checkpoint", std::string(version()), state}));
  } catch (const IoError& error) {
    log::note("the prepared state is not kept for the next run: {}", error.what());
  }
  if (stage == Stage::end) fs::remove(file_of(preparation, Stage::on_the_way), failed);
}

}  // namespace hardpan::scenario
