// operator delete in its twelve forms (C++20 [new.delete]). A size or alignment that the compiler
// passes is a claim about the block, which the profiles with records check.

#include <new>

#include "src/api/entry.h"

namespace gabion::api {
namespace {

constexpr Release plain(AccessKind with) { return {.with = with}; }

constexpr Release sized(AccessKind with, size_t size) {
  return {.with = with, .has_size = true, .size = size};
}

constexpr Release aligned(AccessKind with, std::align_val_t alignment) {
  return {.with = with, .alignment = static_cast<size_t>(alignment)};
}

constexpr Release sized_aligned(AccessKind with, size_t size, std::align_val_t alignment) {
  return {
      .with = with, .has_size = true, .size = size, .alignment = static_cast<size_t>(alignment)};
}

constexpr AccessKind kDelete = AccessKind::kDelete;
constexpr AccessKind kDeleteArray = AccessKind::kDeleteArray;

}  // namespace
}  // namespace gabion::api

using namespace gabion::api;

GABION_ENTRY void operator delete(void* block) noexcept {
  give_back(block, plain(kDelete), call_site());
}

GABION_ENTRY void operator delete[](void* block) noexcept {
  give_back(block, plain(kDeleteArray), call_site());
}

// Called when a constructor throws after operator new (nothrow).
GABION_ENTRY void operator delete(void* block, const std::nothrow_t&) noexcept {
  give_back(block, plain(kDelete), call_site());
}

GABION_ENTRY void operator delete[](void* block, const std::nothrow_t&) noexcept {
  give_back(block, plain(kDeleteArray), call_site());
}

GABION_ENTRY void operator delete(void* block, size_t size) noexcept {
  give_back(block, sized(kDelete, size), call_site());
}

GABION_ENTRY void operator delete[](void* block, size_t size) noexcept {
  give_back(block, sized(kDeleteArray, size), call_site());
}

GABION_ENTRY void operator delete(void* block, std::align_val_t alignment) noexcept {
  give_back(block, aligned(kDelete, alignment), call_site());
}

GABION_ENTRY void operator delete[](void* block, std::align_val_t alignment) noexcept {
  give_back(block, aligned(kDeleteArray, alignment), call_site());
}

GABION_ENTRY void operator delete(void* block, std::align_val_t alignment,
                                  const std::nothrow_t&) noexcept {
  give_back(block, aligned(kDelete, alignment), call_site());
}

GABION_ENTRY void operator delete[](void* block, std::align_val_t alignment,
                                    const std::nothrow_t&) noexcept {
  give_back(block, aligned(kDeleteArray, alignment), call_site());
}

GABION_ENTRY void operator delete(void* block, size_t size, std::align_val_t alignment) noexcept {
  give_back(block, sized_aligned(kDelete, size, alignment), call_site());
}

GABION_ENTRY void operator delete[](void* block, size_t size, std::align_val_t alignment) noexcept {
  give_back(block, sized_aligned(kDeleteArray, size, alignment), call_site());
}
