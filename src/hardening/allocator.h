// The allocator as the C and C++ entry points see it: the heap with this profile's checks around
// it. Semantics of zero, overflow and errno are the entry points' business, not this layer's.
#ifndef GABION_HARDENING_ALLOCATOR_H_
#define GABION_HARDENING_ALLOCATOR_H_

#include <cstddef>
#include <cstdint>

#include "src/backtrace/stack.h"
#include "src/hardening/checked.h"
#include "src/hardening/mismatch.h"
#include "src/hardening/profile.h"
#include "src/heap/heap.h"
#include "src/report/bug.h"

namespace gabion::hardening {

using backtrace::CallSite;
using report::AccessKind;
using report::AllocationKind;

// All return nullptr when memory is short, keep errno, and take sizes up to PTRDIFF_MAX.
// In the fast profile they are the heap's inline functions and `site` costs nothing.
[[gnu::always_inline]] inline void* allocate(size_t size, AllocationKind kind, CallSite site) {
  if constexpr (kProfile.records == Records::kNone) return heap::allocate(size);
  return checked::allocate({.size = size, .kind = kind}, site);
}

[[gnu::always_inline]] inline void* allocate_zeroed(size_t size, CallSite site) {
  if constexpr (kProfile.records == Records::kNone) return heap::allocate_zeroed(size);
  return checked::allocate({.size = size, .zeroed = true}, site);
}

// `alignment` is a power of two, recorded as given: an aligned delete must name the same.
[[gnu::always_inline]] inline void* allocate_aligned(size_t alignment, size_t size,
                                                     AllocationKind kind, CallSite site) {
  if constexpr (kProfile.records == Records::kNone) return heap::allocate_aligned(alignment, size);
  return checked::allocate(
      {.size = size, .alignment = Alignment::given_as(alignment), .kind = kind}, site);
}

// nullptr is nothing.
[[gnu::always_inline]] inline void release(void* block, const Release& release, CallSite site) {
  if constexpr (kProfile.records == Records::kNone) return heap::deallocate(block);
  return checked::release(block, release, site);
}

// `block` is not null, `size` not 0. nullptr: the block is as it was.
[[gnu::always_inline]] inline void* reallocate(void* block, size_t size, CallSite site) {
  if constexpr (kProfile.records == Records::kNone) return heap::reallocate(block, size);
  return checked::reallocate(block, size, site);
}

// With records the size as requested; 0 for nullptr, and for what is no live block.
[[gnu::always_inline]] inline size_t usable_size(const void* block) {
  if (block == nullptr) return 0;
  if constexpr (kProfile.records == Records::kNone) return heap::usable_size(block);
  return checked::usable_size(block);
}

// Registers with libc, fork and the report room: once, early, from the library's constructor.
// Allocation works before; the first one reads the options and draws the keys.
void start();
// The exit sweep and the final exit status; called last when the process exits normally. Does not
// return when there was a report.
void finish();

}  // namespace gabion::hardening

#endif  // GABION_HARDENING_ALLOCATOR_H_
