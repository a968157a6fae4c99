// Any bytes: a scenario is refused with an InputError, or it resolves to a text that resolves to itself and
// builds.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "hardpan/core/error.h"
#include "hardpan/scenario/build.h"
#include "hardpan/scenario/run.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hardpan;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  scenario::Scenario first;
  try {
    first = scenario::load_text(text, "fuzz");
  } catch (const InputError&) {
    return 0;
  }
  try {
    if (scenario::load_text(first.text, "again").text != first.text) std::abort();
    const auto simulation = scenario::build(first.resolved);
    for (int i = 0; i < 3; ++i)
      if (!simulation->stepper.step().ok) break;
  } catch (const InputError&) {
  }
  return 0;
}
