// `initial`: where a run begins, if not with what its scenario describes: the end of another run, or of a
// preparation, which is the scenario itself with some changes, run first. Prepared states are kept in a
// cache, by the content of what made them.
#pragma once

#include <filesystem>
#include <optional>

#include "hardpan/core/archive.h"
#include "hardpan/scenario/run.h"
#include "hardpan/scenario/spec.h"

namespace hardpan::scenario {

Object initial_object();

// The scenario of the preparation; nothing where there is none. InputError where the changes are wrong.
std::optional<Scenario> preparation_of(const Scenario& scenario);

// A state of another run, of the scenario's `initial.from`; nothing where there is none. InputError.
std::optional<Archive> state_of_other_run(const Scenario& scenario);

// HARDPAN_CACHE, else hardpan below XDG_CACHE_HOME or ~/.cache; empty: there is no place for a cache.
std::filesystem::path cache_folder();
// The end of a preparation, or where one was interrupted.
enum class Stage { end, on_the_way };
std::optional<Archive> cached_state(const Scenario& preparation, Stage stage);
// Says so, and goes on, where it cannot be written. An end takes the place of what was on the way.
void cache_state(const Scenario& preparation, Stage stage, const Archive& state);

}  // namespace hardpan::scenario
