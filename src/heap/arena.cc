#include "src/heap/arena.h"

#include <algorithm>
#include <cstring>

#include "src/base/bits.h"
#include "src/heap/page_heap.h"
#include "src/heap/range.h"
#include "src/os/memory.h"

namespace gabion::heap {
namespace {

constexpr size_t kLine = 64;
// Up to here every multiple of a line has a list of its own, above every power of two.
constexpr size_t kMaxExact = 4096;
constexpr size_t kExactLists = kMaxExact / kLine;
constexpr size_t kPowerLists = 40;
// Taken from the region at once, so that small blocks do not reach for its lock each time.
constexpr size_t kRefill = size_t{64} << 10;
// From here on a freed block's pages go back to the kernel, which also makes it zero again.
constexpr size_t kDecommitFrom = size_t{64} << 10;

struct FreeBlock {
  FreeBlock* next;
};

struct Fit {
  size_t size;
  size_t list;
};

Fit fit(size_t size) {
  if (size <= kMaxExact) {
    size = base::align_up(std::max(size, kLine), kLine);
    return {size, size / kLine - 1};
  }
  const unsigned power = base::ceil_log2(size);
  return {size_t{1} << power, kExactLists + power - base::floor_log2(kMaxExact)};
}

constinit os::Mutex lock{os::LockRank::kArena};
constinit FreeBlock* lists[kExactLists + kPowerLists] = {};
constinit std::byte* bump = nullptr;
constinit std::byte* bump_end = nullptr;

void* take_fresh(size_t size) {
  if (size >= kRefill) return grow_arena(size);
  if (static_cast<size_t>(bump_end - bump) < size) {
    auto* fresh = static_cast<std::byte*>(grow_arena(kRefill));
    if (fresh == nullptr) return nullptr;
    if (fresh != bump_end) bump = fresh;  // else it continues the last piece
    bump_end = fresh + kRefill;
  }
  std::byte* block = bump;
  bump += size;
  return block;
}

// At a limit of memory the region cannot grow, while the program may have freed plenty: then free
// pages of the heap serve, for good. Called without the lock.
void* borrow_pages(size_t size) {
  const Run run = allocate_run(PageCount::holding(size));
  if (!run) return nullptr;
  auto* block = static_cast<std::byte*>(page_address(run.first));
  if (!run.zero) memset(block, 0, run.pages.bytes());
  const size_t rest = run.pages.bytes() - size;
  os::MutexLock guard(lock);
  if (rest > static_cast<size_t>(bump_end - bump)) {
    bump = block + size;
    bump_end = bump + rest;
  }
  return block;
}

}  // namespace

void* arena_allocate(size_t size) {
  const Fit f = fit(size);
  FreeBlock* block = nullptr;
  {
    os::MutexLock guard(lock);
    block = lists[f.list];
    if (block == nullptr) {
      if (void* const fresh = take_fresh(f.size)) return fresh;
    } else {
      lists[f.list] = block->next;
    }
  }
  if (block == nullptr) return borrow_pages(f.size);
  if (f.size >= kDecommitFrom) {
    block->next = nullptr;  // the rest is zero since it was freed
  } else {
    memset(static_cast<void*>(block), 0, size);
  }
  return block;
}

void arena_free(void* block, size_t size) {
  const Fit f = fit(size);
  if (f.size >= kDecommitFrom && !os::decommit(block, f.size)) memset(block, 0, f.size);
  auto* free_block = static_cast<FreeBlock*>(block);
  os::MutexLock guard(lock);
  free_block->next = lists[f.list];
  lists[f.list] = free_block;
}

os::Mutex& arena_lock() { return lock; }

}  // namespace gabion::heap
