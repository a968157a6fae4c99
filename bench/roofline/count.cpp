#include "count.h"

#include <stdexcept>

#if defined(__x86_64__) && defined(__linux__)

#include <csignal>
#include <utility>
#include <vector>

#include <link.h>
#include <ucontext.h>

namespace hardpan::bench {
namespace {

// Where the code of this program stands in memory, and how often each place of it was reached.
struct Code {
  std::uint64_t base = 0, begin = 0, end = 0;
  std::vector<std::uint32_t> reached;
  std::uint64_t elsewhere = 0, last = 0;
};
Code code;

void find_code() {
  const auto first = [](dl_phdr_info* program, std::size_t, void*) {
    code.base = program->dlpi_addr;
    for (int k = 0; k < program->dlpi_phnum; ++k) {
      const auto& part = program->dlpi_phdr[k];
      if (part.p_type != PT_LOAD || !(part.p_flags & PF_X)) continue;
      code.begin = code.base + part.p_vaddr;
      code.end = code.begin + part.p_memsz;
    }
    return 1;  // the program comes first, libraries are not asked for
  };
  dl_iterate_phdr(first, nullptr);
}

// Before each instruction; the system lets this function run to its end without traps. Those that repeat
// themselves (rep stos) stop in between, and count once.
void trapped(int, siginfo_t*, void* context) {
  const auto at = static_cast<std::uint64_t>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
  if (std::exchange(code.last, at) == at) return;
  if (at >= code.begin && at < code.end)
    ++code.reached[at - code.begin];
  else
    ++code.elsewhere;
}

// 128 bytes below the stack may be in use.
[[gnu::noinline]] void set_traps() {
  asm volatile("lea -128(%%rsp), %%rsp; pushf; orq $0x100, (%%rsp); popf; lea 128(%%rsp), %%rsp" ::
                   : "memory", "cc");
}
[[gnu::noinline]] void end_traps() {
  asm volatile("lea -128(%%rsp), %%rsp; pushf; andq $~0x100, (%%rsp); popf; lea 128(%%rsp), %%rsp" ::
                   : "memory", "cc");
}

}  // namespace

Counts count_instructions(const std::function<void()>& act) {
  find_code();
  code.reached.assign(code.end - code.begin, 0);
  code.elsewhere = 0;
  struct sigaction counting {
  }, before{};
  counting.sa_sigaction = trapped;
  counting.sa_flags = SA_SIGINFO;
  if (sigaction(SIGTRAP, &counting, &before) != 0)
    throw std::runtime_error("instructions cannot be counted here: no handler for traps");
  set_traps();
  act();
  end_traps();
  sigaction(SIGTRAP, &before, nullptr);
  Counts counts{{}, code.elsewhere};
  for (std::size_t k = 0; k < code.reached.size(); ++k)
    if (code.reached[k] > 0) counts.own[code.begin + k - code.base] = code.reached[k];
  return counts;
}

}  // namespace hardpan::bench

#else

namespace hardpan::bench {

Counts count_instructions(const std::function<void()>&) {
  throw std::runtime_error("instructions are counted on x86-64 with Linux only");
}

}  // namespace hardpan::bench

#endif
