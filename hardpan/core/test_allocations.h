// For tests that promise not to allocate: how often memory was asked for so far, by this thread.
#pragma once

#include <cstddef>

namespace hardpan::test {

std::size_t allocations();

}  // namespace hardpan::test
