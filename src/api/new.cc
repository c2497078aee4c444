// operator new in its eight forms (C++20 [new.delete]). Each is its own function with its own
// address; what they do after a failure is in new_failure.h.

#include <new>

#include "src/api/alignment.h"
#include "src/api/entry.h"
#include "src/api/new_failure.h"

namespace gabion::api {
namespace {

constexpr AllocationKind kNew = AllocationKind::kNew;
constexpr AllocationKind kNewArray = AllocationKind::kNewArray;

[[gnu::always_inline]] inline void* allocate_new_aligned(std::align_val_t align, size_t size,
                                                         AllocationKind kind, CallSite site) {
  const size_t alignment = static_cast<size_t>(align);
  if (!is_power_of_two(alignment)) [[unlikely]]
    return nullptr;
  return try_allocate_aligned(alignment, size, kind, site);
}

// Not a tail call where stacks are walked: see keep_frame().
[[gnu::always_inline]] inline void* or_throw(size_t size, size_t alignment, AllocationKind kind,
                                             CallSite site) {
  void* const block = new_or_throw(size, alignment, kind, site);
  keep_frame();
  return block;
}

[[gnu::always_inline]] inline void* or_null(size_t size, size_t alignment, AllocationKind kind,
                                            CallSite site) {
  void* const block = new_or_null(size, alignment, kind, site);
  keep_frame();
  return block;
}

}  // namespace
}  // namespace gabion::api

using namespace gabion::api;

GABION_ENTRY void* operator new(size_t size) {
  void* const block = try_allocate(size, kNew, call_site());
  if (block != nullptr) [[likely]]
    return block;
  return or_throw(size, 0, kNew, call_site());
}

GABION_ENTRY void* operator new[](size_t size) {
  void* const block = try_allocate(size, kNewArray, call_site());
  if (block != nullptr) [[likely]]
    return block;
  return or_throw(size, 0, kNewArray, call_site());
}

GABION_ENTRY void* operator new(size_t size, const std::nothrow_t&) noexcept {
  void* const block = try_allocate(size, kNew, call_site());
  if (block != nullptr) [[likely]]
    return block;
  return or_null(size, 0, kNew, call_site());
}

GABION_ENTRY void* operator new[](size_t size, const std::nothrow_t&) noexcept {
  void* const block = try_allocate(size, kNewArray, call_site());
  if (block != nullptr) [[likely]]
    return block;
  return or_null(size, 0, kNewArray, call_site());
}

GABION_ENTRY void* operator new(size_t size, std::align_val_t alignment) {
  void* const block = allocate_new_aligned(alignment, size, kNew, call_site());
  if (block != nullptr) [[likely]]
    return block;
  return or_throw(size, static_cast<size_t>(alignment), kNew, call_site());
}

GABION_ENTRY void* operator new[](size_t size, std::align_val_t alignment) {
  void* const block = allocate_new_aligned(alignment, size, kNewArray, call_site());
  if (block != nullptr) [[likely]]
    return block;
  return or_throw(size, static_cast<size_t>(alignment), kNewArray, call_site());
}

GABION_ENTRY void* operator new(size_t size, std::align_val_t alignment,
                                const std::nothrow_t&) noexcept {
  void* const block = allocate_new_aligned(alignment, size, kNew, call_site());
  if (block != nullptr) [[likely]]
    return block;
  return or_null(size, static_cast<size_t>(alignment), kNew, call_site());
}

GABION_ENTRY void* operator new[](size_t size, std::align_val_t alignment,
                                  const std::nothrow_t&) noexcept {
  void* const block = allocate_new_aligned(alignment, size, kNewArray, call_site());
  if (block != nullptr) [[likely]]
    return block;
  return or_null(size, static_cast<size_t>(alignment), kNewArray, call_site());
}
