// Memory of large tables that are read from end to end, again and again: in pages of 2 MiB where the system
// has them, since to look up a page takes time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace hardpan {

template <class T>
struct LargePages {
  using value_type = T;
  static constexpr std::size_t page = std::size_t{1} << 21;

  T* allocate(std::size_t count) {
    void* const memory = ::operator new (count * sizeof(T), std::align_val_t{alignof(T)});
#if defined(__linux__)
    // Those that it has as a whole. A wish: without, it is only slower.
    const auto from = reinterpret_cast<std::uintptr_t>(memory), first = (from + page - 1) / page * page,
               end = (from + count * sizeof(T)) / page * page;
    if (first < end) madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t) { ::operator delete (memory, std::align_val_t{alignof(T)}); }
  friend bool operator==(const LargePages&, const LargePages&) { return true; }
};

template <class T>
using LargeTable = std::vector<T, LargePages<T>>;

}  // namespace hardpan
