#include "hardpan/core/version.h"

#include "hardpan_commit.h"

namespace hardpan {

std::string_view version() { return HARDPAN_VERSION; }
std::string_view commit() { return HARDPAN_COMMIT; }

std::string_view instruction_set() {
#if defined(__AVX512F__)
  return "x86-64 avx512";
#elif defined(__AVX2__)
  return "x86-64 avx2";
#elif defined(__x86_64__)
  return "x86-64";
#elif defined(__aarch64__)
  return "aarch64";
#else
  return "unknown";
#endif
}

}  // namespace hardpan
