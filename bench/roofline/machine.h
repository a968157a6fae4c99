// What one core can do at most.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace hardpan::bench {

using Figures = std::vector<std::pair<std::string, double>>;

// Cycles in a nanosecond, by multiplications of whole numbers that wait for each other.
double clock_rate();
// Numbers that go through one kind of operation in a nanosecond, with the widest unit that our packs have.
Figures operation_rates();
// Bytes that are read in a nanosecond, from the first cache.
double reading_rate();
// Bytes in a nanosecond, those read and those written, while an array of so many bytes is changed.
Figures changing_rates();

}  // namespace hardpan::bench
