// How often each instruction of this program is run: exact, on machines without counters, too, and some
// hundred times slower (the processor stops after each one: the trap flag of x86-64).
#pragma once

#include <cstdint>
#include <functional>
#include <map>

namespace hardpan::bench {

struct Counts {
  std::map<std::uint64_t, std::uint64_t> own;  // by addresses as in the file of the program
  std::uint64_t elsewhere = 0;                 // in libraries
};

// During act(), in this thread. Throws std::runtime_error on other machines.
Counts count_instructions(const std::function<void()>& act);

}  // namespace hardpan::bench
