// The functions that take an alignment, or imply one. Semantics are those of glibc 2.36.

#include <malloc.h>
#include <stdlib.h>

#include "src/api/alignment.h"
#include "src/api/entry.h"
#include "src/base/bits.h"
#include "src/os/memory.h"

namespace gabion::api {
namespace {

[[gnu::always_inline]] inline void* allocate_any_alignment(size_t alignment, size_t size,
                                                           CallSite site) {
  if (alignment > kMaxAlignment) [[unlikely]] {
    errno = EINVAL;
    return nullptr;
  }
  void* const block =
      try_allocate_aligned(rounded_alignment(alignment), size, AllocationKind::kAligned, site);
  if (block == nullptr) [[unlikely]]
    return out_of_memory();
  return block;
}

}  // namespace
}  // namespace gabion::api

using namespace gabion::api;

extern "C" {

// C23 7.24.3.1 wants a supported alignment; glibc 2.36 takes any, and any size, as memalign does.
GABION_ENTRY void* aligned_alloc(size_t alignment, size_t size) noexcept {
  return allocate_any_alignment(alignment, size, call_site());
}

// glibc manual, "Allocating Aligned Memory Blocks".
GABION_ENTRY void* memalign(size_t alignment, size_t size) noexcept {
  return allocate_any_alignment(alignment, size, call_site());
}

// POSIX.1-2024: the error is the result, and *result is written on success only. glibc 2.36 sets
// errno too when memory is short, and not for a bad alignment.
GABION_ENTRY int posix_memalign(void** result, size_t alignment, size_t size) noexcept {
  if (!is_posix_alignment(alignment)) return EINVAL;
  void* const block = try_allocate_aligned(alignment, size, AllocationKind::kAligned, call_site());
  if (block == nullptr) [[unlikely]] {
    out_of_memory();
    return ENOMEM;
  }
  *result = block;
  return 0;
}

// glibc manual: aligned to a page.
GABION_ENTRY void* valloc(size_t size) noexcept {
  return allocate_any_alignment(gabion::os::page_size(), size, call_site());
}

// valloc(3): the size too is rounded up to a page's.
GABION_ENTRY void* pvalloc(size_t size) noexcept {
  if (size > kMaxRequest) return out_of_memory();
  const size_t page = gabion::os::page_size();
  return allocate_any_alignment(page, gabion::base::align_up(size, page), call_site());
}

GABION_ALIAS(memalign) void* __libc_memalign(size_t alignment, size_t size) noexcept;
GABION_ALIAS(valloc) void* __libc_valloc(size_t size) noexcept;
GABION_ALIAS(pvalloc) void* __libc_pvalloc(size_t size) noexcept;

}  // extern "C"
