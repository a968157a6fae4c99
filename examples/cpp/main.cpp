#include <cstdio>
#include <string>

#include "hardpan/core/random.h"
#include "hardpan/core/version.h"

int main() {
  const hardpan::CounterRandom random(7);
  std::printf("Hardpan %s: a random number %.6f\n", std::string(hardpan::version()).c_str(),
              random.uniform(0));
}
