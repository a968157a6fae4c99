// For tests that promise not to allocate: how often operator new has been called so far, by this thread.
#pragma once

#include <cstddef>

namespace hardpan::test {

std::size_t allocations();

}  // namespace hardpan::test
