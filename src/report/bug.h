// A bug as data: what the program did wrong, to which block, and who did what to it. The writers
// turn it into text and JSON; nothing here allocates or owns memory.
#ifndef GABION_REPORT_BUG_H_
#define GABION_REPORT_BUG_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "src/base/frames.h"

namespace gabion::report {

enum class BugKind : uint8_t {
  kHeapBufferOverflow,
  kHeapBufferUnderflow,
  kHeapUseAfterFree,
  kDoubleFree,
  kBadFree,
  kAllocDeallocMismatch,
  kNewDeleteTypeMismatch,
};

// When the bug was noticed.
enum class Found : uint8_t { kAtCall, kOnFree, kOnRealloc, kOnEviction, kAtExit, kOnRequest };

enum class AccessKind : uint8_t {
  kWrite,
  kRead,
  kFree,
  kRealloc,
  kDelete,
  kDeleteArray,
  kFreeSized,
  kFreeAlignedSized,
};

enum class AllocationKind : uint8_t { kMalloc, kAligned, kNew, kNewArray };

// Which memory a pointer that is no block points into.
enum class Region : uint8_t {
  kUnknown,
  kHeapGap,
  kStack,
  kGlobal,
  kUnmapped,
  kMapping,
  kForeignHeap,
};

struct Block {
  uintptr_t address = 0;
  size_t size = 0;  // as requested
  size_t alignment = 16;
  AllocationKind kind = AllocationKind::kMalloc;
  bool freed = false;
};

struct Damage {
  ptrdiff_t offset = 0;  // of the first damaged byte, from the block's start
  size_t length = 0;     // damaged bytes from the first to the last, both included
  // The bytes around the damage, copied before anything else touched them: `dump[i]` lay at
  // dump_address + i, and should have been expected[i] wherever checked[i] is not 0.
  uintptr_t dump_address = 0;
  std::span<const uint8_t> dump;
  std::span<const uint8_t> expected;
  std::span<const uint8_t> checked;
};

struct Mismatch {
  AllocationKind allocated_with = AllocationKind::kMalloc;
  AccessKind released_with = AccessKind::kFree;
  size_t allocated_size = 0, released_size = 0;            // released_size 0: not given
  size_t allocated_alignment = 0, released_alignment = 0;  // 0: not given
};

struct Stack {
  bool known = false;
  uint32_t thread = 0;  // 0 is main, then in the order in which they first came to the allocator
  base::Frames frames;
};

struct Bug {
  BugKind kind = BugKind::kBadFree;
  Found found = Found::kAtCall;
  uintptr_t address = 0;  // the faulty one: first damaged byte, or the pointer passed
  AccessKind access = AccessKind::kFree;
  size_t access_size = 0;  // 0: not known

  const Block* block = nullptr;
  const Damage* damage = nullptr;
  const Mismatch* mismatch = nullptr;
  Region region = Region::kUnknown;  // when there is no block

  Stack error, free, alloc;
};

}  // namespace gabion::report

#endif  // GABION_REPORT_BUG_H_
