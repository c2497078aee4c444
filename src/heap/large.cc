#include "src/heap/large.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "src/heap/arena.h"
#include "src/heap/heap.h"
#include "src/heap/page_heap.h"
#include "src/heap/range.h"
#include "src/os/memory.h"

namespace gabion::heap {
namespace {

// From here on moving pages costs less than copying bytes, and enough less to pay for the kernel's
// mapping that every move splits off.
constexpr size_t kMovePagesFrom = size_t{1} << 20;

static_assert(PageCount::holding(kMaxSize) <= kMaxRun);

constinit std::atomic<size_t> bytes_in_use{0};
constinit std::atomic<size_t> blocks_in_use{0};

constexpr PageWord kHead = PageWord::of(PageState::kLargeHead);
constexpr PageWord kTail = PageWord::of(PageState::kLargeTail);

// What the program may use. Not all of the run: what lies behind stays untouched.
size_t usable(size_t size) { return base::align_up(size, os::page_size()); }

void account(ptrdiff_t bytes) {
  bytes_in_use.fetch_add(static_cast<size_t>(bytes), std::memory_order_relaxed);
}

void set_size(Span& span, size_t size) {
  const size_t now = std::min(usable(size), span.pages.bytes());
  account(static_cast<ptrdiff_t>(now) - static_cast<ptrdiff_t>(span.large.size));
  span.large.size = now;
}

// Makes a run a large block. The side bytes go with it.
void* publish(const Run& run, size_t size, std::byte* side) {
  Span& span = span_at(run.first);
  span.pages = run.pages;
  span.large = {.size = 0, .side = side};
  set_size(span, size);
  blocks_in_use.fetch_add(1, std::memory_order_relaxed);
  mark_run(run.first, run.pages, kHead, kTail);
  return page_address(run.first);
}

Run run_for(size_t size, size_t alignment) {
  return allocate_run(PageCount::holding(size), PageCount::holding(alignment));
}

void retire(Span& span, bool clean) {
  account(-static_cast<ptrdiff_t>(span.large.size));
  blocks_in_use.fetch_sub(1, std::memory_order_relaxed);
  free_run(page_of(span), span.pages, clean);
}

}  // namespace

LargeBlock allocate_large(size_t size, size_t alignment) {
  if (size > kMaxSize || alignment > kMaxSize) return {};
  decay_pages();
  std::byte* side = nullptr;
  if (kConfiguration.side_bytes != 0) {
    side = static_cast<std::byte*>(arena_allocate(kConfiguration.side_bytes));
    if (side == nullptr) return {};
  }
  const Run run = run_for(std::max(size, size_t{1}), alignment);
  if (!run) {
    if (side != nullptr) arena_free(side, kConfiguration.side_bytes);
    return {};
  }
  return {publish(run, size, side), run.zero};
}

bool free_large(void* block) {
  const PageId first = page_of(block);
  // Of two threads that free it at once, one gets past here.
  uint32_t expected = kHead.bits();
  if (!range.page_map[first.value].compare_exchange_strong(
          expected, PageWord::of(PageState::kBusy).bits(), std::memory_order_acq_rel)) {
    return false;
  }
  Span& span = span_at(first);
  std::byte* const side = span.large.side;
  retire(span, false);
  if (side != nullptr) arena_free(side, kConfiguration.side_bytes);
  decay_pages();
  return true;
}

size_t large_usable_size(const void* block) { return span_at(page_of(block)).large.size; }

bool resize_large(void* block, size_t size) {
  if (size > kMaxSize) return false;
  const PageId first = page_of(block);
  Span& span = span_at(first);
  const PageCount have = span.pages;
  const PageCount want = run_length(PageCount::holding(size));
  if (want > have) {
    const Run more = extend_run(first + have, want - have);
    if (!more) return false;
    for (uint32_t i = 0; i < more.pages.value; ++i) {
      __atomic_store_n(&range.heads[more.first.value + i], first.value, __ATOMIC_RELAXED);
      set_page_word(more.first + PageCount{i}, kTail);
    }
    span.pages = want;
  } else if (want < have) {
    span.pages = want;
    free_run(first + want, have - want, false);
  }
  set_size(span, size);
  return true;
}

void* move_large(void* block, size_t size) {
  if (size > kMaxSize) return nullptr;
  Span& from = span_at(page_of(block));
  const Run run = run_for(size, kPageSize);
  if (!run) return nullptr;
  std::byte* const side = from.large.side;
  const size_t bytes = std::min(from.pages, run.pages).bytes();
  const bool moved =
      bytes >= kMovePagesFrom && os::move_pages(block, page_address(run.first), bytes);
  if (!moved) memcpy(page_address(run.first), block, std::min(from.large.size, size));
  void* const result = publish(run, size, side);
  set_page_word(page_of(block), PageWord::of(PageState::kBusy));
  retire(from, moved && bytes == from.pages.bytes());
  return result;
}

size_t large_bytes() { return bytes_in_use.load(std::memory_order_relaxed); }
size_t large_count() { return blocks_in_use.load(std::memory_order_relaxed); }

}  // namespace gabion::heap
