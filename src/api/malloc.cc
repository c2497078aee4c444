// malloc and its family, for blocks of the default alignment. Semantics are those of glibc 2.36.

#include <malloc.h>
#include <stdlib.h>

#include "src/api/alignment.h"
#include "src/api/entry.h"

namespace gabion::api {
namespace {

[[gnu::always_inline]] inline void* allocate_or_fail(size_t size, CallSite site) {
  void* const block = try_allocate(size, AllocationKind::kMalloc, site);
  if (block == nullptr) [[unlikely]]
    return out_of_memory();
  return block;
}

[[gnu::always_inline]] inline void* reallocate(void* block, size_t size, CallSite site) {
  if (block == nullptr) return allocate_or_fail(size, site);
  if (size == 0) {
    // glibc manual, "Changing Block Size": the block is freed. C23 makes it undefined.
    give_back(block, {.with = AccessKind::kRealloc}, site);
    return nullptr;
  }
  if (size > kMaxRequest) return out_of_memory();
  void* const moved = hardening::reallocate(block, size, site);
  if (moved == nullptr) return out_of_memory();
  return moved;
}

}  // namespace
}  // namespace gabion::api

using namespace gabion::api;

extern "C" {

// C23 7.24.3.6; a size of 0 gives a unique block (glibc manual, "Basic Allocation").
GABION_ENTRY void* malloc(size_t size) noexcept { return allocate_or_fail(size, call_site()); }

// C23 7.24.3.2; a product that overflows is want of memory.
GABION_ENTRY void* calloc(size_t count, size_t size) noexcept {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes) || bytes > kMaxRequest) return out_of_memory();
  void* const block = gabion::hardening::allocate_zeroed(bytes, call_site());
  if (block == nullptr) return out_of_memory();
  return block;
}

// C23 7.24.3.7; when it fails the old block stays as it was.
GABION_ENTRY void* realloc(void* block, size_t size) noexcept {
  return reallocate(block, size, call_site());
}

// glibc manual, "Changing Block Size"; POSIX.1-2024.
GABION_ENTRY void* reallocarray(void* block, size_t count, size_t size) noexcept {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return out_of_memory();
  return reallocate(block, bytes, call_site());
}

// C23 7.24.3.3; errno is kept (POSIX.1-2024).
GABION_ENTRY void free(void* block) noexcept {
  give_back(block, {.with = AccessKind::kFree}, call_site());
}

// C23 7.24.3.4 and 7.24.3.5: the size, and the alignment, must be those asked for.
GABION_ENTRY void free_sized(void* block, size_t size) noexcept {
  give_back(block, {.with = AccessKind::kFreeSized, .has_size = true, .size = size}, call_site());
}

GABION_ENTRY void free_aligned_sized(void* block, size_t alignment, size_t size) noexcept {
  // Rounded as aligned_alloc rounded it. What no block can have is passed on, to be reported.
  const size_t claimed = alignment <= kMaxAlignment ? rounded_alignment(alignment) : alignment;
  give_back(
      block,
      {.with = AccessKind::kFreeAlignedSized, .has_size = true, .size = size, .alignment = claimed},
      call_site());
}

// malloc_usable_size(3): 0 for a null pointer. All of these bytes may be used.
GABION_ENTRY size_t malloc_usable_size(void* block) noexcept {
  return gabion::hardening::usable_size(block);
}

// Programs linked before glibc 2.26 call it.
GABION_ALIAS(free) void cfree(void* block) noexcept;

// Names by which wrappers reach past an interposed malloc.
GABION_ALIAS(malloc) void* __libc_malloc(size_t size) noexcept;
GABION_ALIAS(calloc) void* __libc_calloc(size_t count, size_t size) noexcept;
GABION_ALIAS(realloc) void* __libc_realloc(void* block, size_t size) noexcept;
GABION_ALIAS(free) void __libc_free(void* block) noexcept;

}  // extern "C"
