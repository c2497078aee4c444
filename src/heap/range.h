// The heap range: one range of addresses at a random place, grown upwards by mapping more of it in
// exponentially larger steps, never by changing the protection of a reservation. Beside it, in a
// place of their own, grow the page map and the other arrays indexed by page.
//
//    metadata:  [page map …    ) [heads …      ) [spans …      ) [arena …      )
//    blocks:    [page 0 | page 1 | …                  | frontier) → grows
#ifndef GABION_HEAP_RANGE_H_
#define GABION_HEAP_RANGE_H_

#include <atomic>
#include <cstdint>

#include "src/base/bits.h"
#include "src/base/relaxed.h"
#include "src/heap/page_map.h"
#include "src/heap/pages.h"
#include "src/heap/span.h"
#include "src/os/mutex.h"

namespace gabion::heap {

inline constexpr size_t kChunkSize = size_t{2} << 20;
inline constexpr PageCount kChunkPages = PageCount::holding(kChunkSize);

// Growth number n maps at least 2^n pages, at least a chunk, at most this.
inline constexpr PageCount kMaxGrowth = PageCount::holding(size_t{256} << 20);

// Until the first growth the count is 0, so every pointer is outside and no 'initialised' test is
// needed.
struct alignas(64) Range {
  uintptr_t base = 0;
  std::atomic<size_t> page_count{0};
  std::atomic<uint32_t>* page_map = nullptr;
  uint32_t* heads = nullptr;  // the first page of the run that a used page belongs to
  Span* spans = nullptr;
};
extern constinit Range range;

inline bool in_range(const void* p) {
  return (base::address_of(p) - range.base) >> kPageShift <
         range.page_count.load(std::memory_order_relaxed);
}
inline PageId page_of(const void* p) {
  return {static_cast<uint32_t>((base::address_of(p) - range.base) >> kPageShift)};
}
inline void* page_address(PageId page) {
  return base::pointer_at(range.base + (uintptr_t{page.value} << kPageShift));
}
inline PageWord page_word(PageId page) {
  return PageWord(range.page_map[page.value].load(std::memory_order_relaxed));
}
inline void set_page_word(PageId page, PageWord word) {
  range.page_map[page.value].store(word.bits(), std::memory_order_relaxed);
}
inline Span& span_at(PageId page) { return range.spans[page.value]; }
inline PageId page_of(const Span& span) { return {static_cast<uint32_t>(&span - range.spans)}; }
inline PageId head_of(PageId page) {
  return {__atomic_load_n(&range.heads[page.value], __ATOMIC_RELAXED)};
}

// Marks the pages of a run that is now in use: `first` with one word, the rest with another. The
// first word is published last, after everything the caller wrote about the run.
void mark_run(PageId first, PageCount pages, PageWord head, PageWord rest);

// The calls below are made with the page heap's lock held.

struct Growth {
  PageId first;
  PageCount pages;  // 0: the kernel has no more memory
};

// Maps at least `wanted` more pages (if `contiguous`, right behind the frontier or not at all).
// They are clean; words of skipped addresses say kBusy.
Growth grow_range(PageCount wanted, bool contiguous);

inline PageId frontier() {
  return {static_cast<uint32_t>(range.page_count.load(std::memory_order_relaxed))};
}

size_t metadata_bytes();
size_t mapped_bytes();

// --- Callable without that lock. ---

// A metadata block's home: grows like the arrays. nullptr when memory is short.
void* grow_arena(size_t size);

// The lock that fork must take for this file.
os::Mutex& range_lock();

}  // namespace gabion::heap

#endif  // GABION_HEAP_RANGE_H_
