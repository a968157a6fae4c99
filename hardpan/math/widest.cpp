#include "hardpan/math/widest.h"

#include <algorithm>

namespace hardpan {
namespace {

Unit present() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")) return Unit::avx512;
  if (__builtin_cpu_supports("avx2")) return Unit::avx2;
#endif
  return Unit::plain;
}

Unit unit = present();

}  // namespace

Unit widest_unit() { return unit; }
void limit_unit(Unit most) { unit = std::min(most, present()); }

}  // namespace hardpan
