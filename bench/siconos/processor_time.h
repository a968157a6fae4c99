#pragma once

#include <ctime>

namespace hardpan::bench {

// Of this program, all threads, s: what others do on the machine does not count.
inline double processor_time() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace hardpan::bench
