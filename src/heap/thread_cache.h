// The fast paths: a bounded array of pointers for each size class, filled and emptied in batches.
//
//     slots:  | nullptr | p1 | p2 | p3 |    |    |    |
//                               top ^       limit ^
//
// allocate pops: the sentinel under the lowest pointer is nullptr, so the pop itself tells that the
// bin is empty. deallocate pushes below the limit. Neither counts anything, locks anything, writes
// into the block, or asks whether anything is initialised: a thread's cache pointer starts at a
// static cache whose bins are empty and full at once, so its first call leaves by the slow path.
#ifndef GABION_HEAP_THREAD_CACHE_H_
#define GABION_HEAP_THREAD_CACHE_H_

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "src/heap/heap.h"
#include "src/heap/page_map.h"
#include "src/heap/range.h"
#include "src/heap/size_class.h"

namespace gabion::heap {

// A bin holds at most this many bytes' worth of blocks, and between these numbers of them.
inline constexpr size_t kCacheBytesPerClass = 32 * 1024;
inline constexpr uint32_t kMinCacheSlots = 2;
inline constexpr uint32_t kMaxCacheSlots = 128;
// A class starts with room for this many and doubles it at each slow call while it is in use.
inline constexpr uint32_t kInitialCacheSlots = 8;

constexpr uint32_t cache_capacity(SizeClass c) {
  return static_cast<uint32_t>(std::clamp<size_t>(kCacheBytesPerClass / kSizeClasses[c].size,
                                                  kMinCacheSlots, kMaxCacheSlots));
}

// Where a bin's sentinel lies in the one array of all bins.
inline constexpr auto kCacheOffsets = [] {
  std::array<uint32_t, kClassCount + 1> offsets{};
  for (unsigned c = 0; c < kClassCount; ++c) {
    offsets[c + 1] = offsets[c] + 1 + cache_capacity(static_cast<SizeClass>(c));
  }
  return offsets;
}();

// Tops and limits in arrays of their own: an index of eight bytes is part of the instruction, and
// allocate, which looks at tops alone, finds those of eight classes in a cache line. Only the owner
// writes; statistics of other threads read.
struct ThreadCache {
  base::Relaxed<void**> tops[kClassCount];  // first: no offset to add
  base::Relaxed<void**> limits[kClassCount];
  uint32_t owner_tag;
  // A copy of where the range is and how far it reached when the owner last looked, so that free
  // finds all it needs in one place. A page beyond it goes the slow way once, and is then seen.
  uintptr_t range_base;
  size_t page_count;
  std::atomic<uint32_t>* page_map;

  void look_at_range() {
    range_base = range.base;
    page_map = range.page_map;
    page_count = range.page_count.load(std::memory_order_acquire);
  }
};

extern constinit thread_local ThreadCache* current_cache;

void* allocate_slow(size_t size);
void deallocate_full(void* block);
void deallocate_slow(void* block);

[[gnu::always_inline]] inline void* allocate(size_t size) {
  if (size <= kMaxSmall) [[likely]] {
    auto& bin_top = current_cache->tops[size_class_of(size)];
    void** const top = bin_top.get();
    void* const block = *top;
    if (block != nullptr) [[likely]] {
      bin_top.set(top - 1);
      return block;
    }
  }
  return allocate_slow(size);
}

[[gnu::always_inline]] inline void deallocate(void* block) {
  ThreadCache* const cache = current_cache;
  const size_t page = (base::address_of(block) - cache->range_base) >> kPageShift;
  if (page < cache->page_count) [[likely]] {
    const size_t size_class =
        cache->page_map[page].load(std::memory_order_relaxed) ^ cache->owner_tag;
    if (size_class < kClassCount) [[likely]] {
      auto& bin_top = cache->tops[size_class];
      void** const top = bin_top.get() + 1;
      if (top <= cache->limits[size_class].get()) [[likely]] {
        *top = block;
        bin_top.set(top);
        return;
      }
      return deallocate_full(block);
    }
  }
  deallocate_slow(block);
}

}  // namespace gabion::heap

#endif  // GABION_HEAP_THREAD_CACHE_H_
