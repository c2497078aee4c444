// What every entry point has in common: how it is exported, where it was called from, how it fails.
#ifndef GABION_API_ENTRY_H_
#define GABION_API_ENTRY_H_

#include <cerrno>
#include <cstddef>
#include <cstdint>

#include "src/hardening/allocator.h"

// An exported function with an address of its own: reports tell the entry points apart by it, so
// the compiler must not fold two with equal bodies into one, nor inline one into another.
#if __has_cpp_attribute(gnu::no_icf)
#define GABION_ENTRY [[gnu::visibility("default"), gnu::noinline, gnu::no_icf]]
#else
#define GABION_ENTRY [[gnu::visibility("default"), gnu::noinline]]
#endif

// A second exported name of a C function in the same file. g++ wants it to have the attributes that
// libc's header gives the first.
#if __has_cpp_attribute(gnu::copy)
#define GABION_ALIAS(target) [[gnu::visibility("default"), gnu::copy(target), gnu::alias(#target)]]
#else
#define GABION_ALIAS(target) [[gnu::visibility("default"), gnu::alias(#target)]]
#endif

namespace gabion::api {

using hardening::AccessKind;
using hardening::AllocationKind;
using hardening::CallSite;
using hardening::kProfile;
using hardening::Release;

// No object is larger: pointers into it could not be subtracted (C23 6.5.7; glibc manual, "Basic
// Allocation"). The heap refuses such a size by itself, but records add to it first.
inline constexpr size_t kMaxRequest = PTRDIFF_MAX;
inline constexpr bool kRecords = kProfile.records != hardening::Records::kNone;

// Where the function that this is inlined into was called. Without backtraces only the slow paths
// look at it, and a frame pointer would cost every call: `frame` is 0 then.
[[gnu::always_inline]] inline CallSite call_site() {
  if constexpr (kProfile.backtraces) return GABION_CALL_SITE();
  return {reinterpret_cast<uintptr_t>(__builtin_return_address(0)), 0};
}

// A tail call would give up the frame that the call site points to before the stack is walked.
[[gnu::always_inline]] inline void keep_frame() {
  if constexpr (kProfile.backtraces) asm volatile("");
}

// errno is ENOMEM and the result null. The only place that sets errno for want of memory: every
// success, and every free, leaves it alone (POSIX.1-2024 for free).
[[gnu::cold, gnu::noinline]] inline void* out_of_memory() {
  errno = ENOMEM;
  return nullptr;
}

[[gnu::always_inline]] inline void* try_allocate(size_t size, AllocationKind kind, CallSite site) {
  if constexpr (kRecords) {
    if (size > kMaxRequest) [[unlikely]]
      return nullptr;
  }
  void* const block = hardening::allocate(size, kind, site);
  keep_frame();
  return block;
}

[[gnu::always_inline]] inline void* try_allocate_aligned(size_t alignment, size_t size,
                                                         AllocationKind kind, CallSite site) {
  // Together they must fit as well: the heap looks for an aligned place in that many bytes.
  if (size > kMaxRequest || alignment > kMaxRequest - size) [[unlikely]]
    return nullptr;
  void* const block = hardening::allocate_aligned(alignment, size, kind, site);
  keep_frame();
  return block;
}

[[gnu::always_inline]] inline void give_back(void* block, const Release& release, CallSite site) {
  hardening::release(block, release, site);
  keep_frame();
}

}  // namespace gabion::api

// In the export table, but in no header of glibc 2.36.
extern "C" {
void cfree(void* block) noexcept;
void free_sized(void* block, size_t size) noexcept;
void free_aligned_sized(void* block, size_t alignment, size_t size) noexcept;
void* __libc_malloc(size_t size) noexcept;
void* __libc_calloc(size_t count, size_t size) noexcept;
void* __libc_realloc(void* block, size_t size) noexcept;
void __libc_free(void* block) noexcept;
void* __libc_memalign(size_t alignment, size_t size) noexcept;
void* __libc_valloc(size_t size) noexcept;
void* __libc_pvalloc(size_t size) noexcept;
}

#endif  // GABION_API_ENTRY_H_
