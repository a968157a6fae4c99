// Memory of large tables that are read from end to end, again and again: in pages of 2 MiB where the system
// has them, since to look up a page takes time.
#pragma once

#include <cstddef>
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
    const std::size_t bytes = count * sizeof(T);
    void* const memory = ::operator new(bytes, alignment(bytes));
#if defined(__linux__)
    if (bytes >= page) madvise(memory, bytes, MADV_HUGEPAGE);  // a wish: without, it is only slower
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) { ::operator delete(memory, alignment(count * sizeof(T))); }
  friend bool operator==(const LargePages&, const LargePages&) { return true; }

 private:
  static std::align_val_t alignment(std::size_t bytes) {
    return std::align_val_t{bytes < page ? alignof(T) : page};
  }
};

template <class T>
using LargeTable = std::vector<T, LargePages<T>>;

}  // namespace hardpan
