#include "src/heap/range.h"

#include <algorithm>

#include "src/base/build.h"
#include "src/os/memory.h"
#include "src/os/mutex.h"
#include "src/os/process.h"

namespace gabion::heap {
namespace {

// Where the range may begin: far from what the kernel, Go, Java and the sanitizers use. TSan and
// MSan leave programs only the top of the address space.
struct Window {
  uintptr_t from, to;
};
constexpr bool kHighOnly = base::kThreadSanitizer || base::kMemorySanitizer;
constexpr Window kMetadataWindow = kHighOnly ? Window{0x7e90'0000'0000, 0x7ea0'0000'0000}
                                             : Window{0x1200'0000'0000, 0x2600'0000'0000};
constexpr Window kBlockWindow = kHighOnly ? Window{0x7ec0'0000'0000, 0x7ed0'0000'0000}
                                          : Window{0x2800'0000'0000, 0x4800'0000'0000};
constexpr int kPlacementTries = 16;

// Room between the metadata arrays: address space that nothing maps until they grow into it.
// Enough for the largest range, so that no array ever has to move.
constexpr uint64_t kGiB = uint64_t{1} << 30;
constexpr uint32_t kMaxPages = kMaxRun.value;
constexpr uint64_t kPageMapRoom = kHighOnly ? kGiB : 8 * kGiB;
constexpr uint64_t kHeadsRoom = kPageMapRoom;
constexpr uint64_t kSpansRoom = 16 * kPageMapRoom;

// How far a step over foreign mappings goes, and how often, before growth gives up.
constexpr size_t kSkip = size_t{64} << 20;
constexpr int kMaxSkips = 4096;

// An array that grows in place by mapping more behind it.
class GrowingRegion {
 public:
  void place(uintptr_t base) { base_ = end_ = base; }
  uintptr_t base() const { return base_; }
  size_t mapped() const { return end_ - base_; }

  bool reach(size_t size) {
    if (size <= mapped()) return true;
    const size_t missing = size - mapped();
    // Steps of an eighth of what there is keep the number of system calls logarithmic.
    const size_t step = base::align_up(std::max(missing, mapped() / 8), kStep);
    if (!os::map_at(end_, step)) {
      const size_t least = base::align_up(missing, os::page_size());
      if (least == step || !os::map_at(end_, least)) return false;
      end_ += least;
      return true;
    }
    end_ += step;
    return true;
  }

 private:
  static constexpr size_t kStep = 64 * 1024;
  uintptr_t base_ = 0;
  uintptr_t end_ = 0;
};

struct State {
  GrowingRegion page_map, heads, spans, arena;
  size_t arena_used = 0;
  size_t mapped = 0;
  uint32_t growths = 0;
  std::atomic<bool> placed{false};
  bool huge_pages_are_default = false;
};
constinit State state;
// Guards placing and the arena's region; the arrays are guarded by the page heap's lock.
constinit os::Mutex region_lock{os::LockRank::kRange};

// While the heap is small, a kernel that uses huge pages unasked would make whole chunks resident
// for a few touched pages.
constexpr size_t kForbidHugePagesBelow = size_t{64} << 20;

uintptr_t random_place(Window window, size_t alignment) {
  const uint64_t slots = (window.to - window.from) / alignment;
  return window.from + (os::random_u64() % slots) * alignment;
}

void unmap_metadata() {
  for (const GrowingRegion* region : {&state.page_map, &state.heads, &state.spans}) {
    if (region->mapped() != 0) os::unmap(base::pointer_at(region->base()), region->mapped());
  }
}

bool place_metadata_at(uintptr_t place) {
  state.page_map.place(place);
  state.heads.place(place + kPageMapRoom);
  state.spans.place(state.heads.base() + kHeadsRoom);
  state.arena.place(state.spans.base() + kSpansRoom);
  const size_t n = kChunkPages.value;
  if (!state.page_map.reach(n * sizeof(uint32_t))) return false;
  if (state.heads.reach(n * sizeof(uint32_t)) && state.spans.reach(n * sizeof(Span))) return true;
  unmap_metadata();
  return false;
}

// The kernel's own choice, for address spaces in which no window is free: it grows downwards from
// its last mapping, so a place well below has room upwards.
uintptr_t place_by_kernel(uint64_t room, int attempt) {
  void* hint = os::map_anywhere(kChunkSize);
  if (hint == nullptr) return 0;
  os::unmap(hint, kChunkSize);
  const uint64_t below = (static_cast<uint64_t>(attempt) + 1) * room;
  const uintptr_t address = base::address_of(hint);
  return address > below + kChunkSize ? base::align_down(address - below, uintptr_t{kChunkSize})
                                      : 0;
}

bool place_range() {
  if (state.placed.load(std::memory_order_acquire)) return true;
  os::MutexLock lock(region_lock);
  if (state.placed.load(std::memory_order_relaxed)) return true;
  bool metadata = false;
  for (int i = 0; i < kPlacementTries && !metadata; ++i) {
    metadata = place_metadata_at(random_place(kMetadataWindow, kChunkSize));
  }
  for (int i = 0; i < kPlacementTries && !metadata; ++i) {
    const uintptr_t place = place_by_kernel(2 * kSpansRoom, i);
    metadata = place != 0 && place_metadata_at(place);
  }
  if (!metadata) return false;

  uintptr_t place = 0;
  for (int i = 0; i < 2 * kPlacementTries; ++i) {
    place = i < kPlacementTries ? random_place(kBlockWindow, kChunkSize)
                                : place_by_kernel(64 * kGiB, i - kPlacementTries);
    if (place != 0 && os::map_at(place, kChunkSize)) break;
    place = 0;
  }
  if (place == 0) {
    unmap_metadata();  // the next call starts anew
    return false;
  }
  os::unmap(base::pointer_at(place), kChunkSize);
  range.base = place;
  range.page_map = base::pointer_at<std::atomic<uint32_t>>(state.page_map.base());
  range.heads = base::pointer_at<uint32_t>(state.heads.base());
  range.spans = base::pointer_at<Span>(state.spans.base());
  state.huge_pages_are_default = os::huge_pages_are_default();
  state.placed.store(true, std::memory_order_release);
  return true;
}

bool reach_arrays(size_t pages) {
  return state.page_map.reach(pages * sizeof(uint32_t)) &&
         state.heads.reach(pages * sizeof(uint32_t)) && state.spans.reach(pages * sizeof(Span));
}

void map_done(PageId first, PageCount pages) {
  if (state.huge_pages_are_default && state.mapped < kForbidHugePagesBelow) {
    os::forbid_huge_pages(page_address(first), pages.bytes());
  }
  state.mapped += pages.bytes();
  ++state.growths;
  range.page_count.store(size_t{first.value} + pages.value, std::memory_order_release);
}

// The pages first: a request that the kernel refuses must not leave arrays for it behind.
bool map_pages(PageId first, PageCount pages) {
  const uintptr_t address = base::address_of(page_address(first));
  const size_t end = size_t{first.value} + pages.value;
  if (end > kMaxPages || !os::map_at(address, pages.bytes())) return false;
  if (reach_arrays(end)) return true;
  os::unmap(base::pointer_at(address), pages.bytes());
  return false;
}

}  // namespace

constinit Range range;

void mark_run(PageId first, PageCount pages, PageWord head, PageWord rest) {
  for (uint32_t i = 0; i < pages.value; ++i) {
    __atomic_store_n(&range.heads[first.value + i], first.value, __ATOMIC_RELAXED);
    if (i != 0) range.page_map[first.value + i].store(rest.bits(), std::memory_order_release);
  }
  range.page_map[first.value].store(head.bits(), std::memory_order_release);
}

Growth grow_range(PageCount wanted, bool contiguous) {
  if (!place_range()) return {};
  PageCount step{1u << std::min(state.growths, 30u)};
  step = std::max(kChunkPages, std::min(step, kMaxGrowth));
  step = std::max(step, wanted);
  step.value = base::align_up(step.value, kChunkPages.value);

  PageId at = frontier();
  for (int skips = 0; skips < kMaxSkips; ++skips) {
    // The generous step first, then as little as serves: limits and crowded places are common.
    for (PageCount pages : {step, wanted}) {
      if (!map_pages(at, pages)) continue;
      for (PageId gap = frontier(); gap < at; gap = gap + PageCount{1}) {
        set_page_word(gap, PageWord::of(PageState::kBusy));
      }
      map_done(at, pages);
      return {at, pages};
    }
    // No memory, or no room here? A page elsewhere tells: if even that fails, it is memory.
    if (contiguous) return {};
    void* probe = os::map_anywhere(wanted.bytes());
    if (probe == nullptr) return {};
    os::unmap(probe, wanted.bytes());
    if (at.value > kMaxPages - PageCount::holding(kSkip).value) return {};
    at = at + PageCount::holding(kSkip);
  }
  return {};
}

void* grow_arena(size_t size) {
  if (!place_range()) return nullptr;
  os::MutexLock lock(region_lock);
  if (!state.arena.reach(state.arena_used + size)) return nullptr;
  void* block = base::pointer_at(state.arena.base() + state.arena_used);
  state.arena_used += size;
  return block;
}

size_t metadata_bytes() {
  os::MutexLock lock(region_lock);
  return state.page_map.mapped() + state.heads.mapped() + state.spans.mapped() +
         state.arena.mapped();
}

size_t mapped_bytes() { return state.mapped; }

os::Mutex& range_lock() { return region_lock; }

}  // namespace gabion::heap
