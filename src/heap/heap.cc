#include "src/heap/heap.h"

#include <algorithm>
#include <cstring>

#include "src/heap/invariant.h"
#include "src/heap/large.h"
#include "src/heap/page_heap.h"
#include "src/heap/registry.h"
#include "src/heap/slab.h"
#include "src/os/fork.h"

namespace gabion::heap {
namespace {

// A block is kept when it shrinks to no less than half of its slot.
bool worth_keeping(size_t slot, size_t size) { return size <= slot && size >= slot / 2; }

// The class that serves an alignment of at most a page: its slots lie at multiples of its size.
// kClassCount: none.
unsigned aligned_class(size_t alignment, size_t size) {
  const size_t rounded = base::align_up(std::max(size, size_t{1}), alignment);
  if (rounded > kMaxSmall) return kClassCount;
  unsigned c = size_class_of(rounded);
  while (c < kClassCount && kSizeClasses[c].size % alignment != 0) ++c;
  return c;
}

}  // namespace

void start() {
  static bool started = false;
  if (started) return;
  started = true;
  register_heap_locks();
  os::install_fork_handlers();
}

void set_decay_milliseconds(uint32_t milliseconds) { set_page_decay(milliseconds); }

// --- The slow paths of the inline functions ---

[[gnu::noinline]] void* allocate_slow(size_t size) {
  if (size > kMaxSmall) return allocate_large(size, kMinAlignment).start;
  const SizeClass c = size_class_of(size);
  ThreadHeap* heap = this_thread_heap();
  if (heap == nullptr) return allocate_shared(c);
  // The bin need not be empty: giving the thread a heap may have allocated.
  return *heap->tops[c].get() != nullptr ? allocate(size) : heap->refill(c);
}

[[gnu::noinline]] void deallocate_full(void* block) {
  ThreadHeap::of(*current_cache).make_room(page_word(page_of(block)).size_class());
  deallocate(block);
}

[[gnu::noinline]] void deallocate_slow(void* block) {
  if (block == nullptr) return;
  const auto invalid = [block] {
    kConfiguration.on_corruption(Corruption::kInvalidPointer, block);
  };
  if (!in_range(block)) return invalid();
  const PageWord word = page_word(page_of(block));
  if (word.state() == PageState::kLargeHead && page_address(page_of(block)) == block) {
    if (!free_large(block)) kConfiguration.on_corruption(Corruption::kDoubleFree, block);
    return;
  }
  if (word.is_free() && page_address(page_of(block)) == block) {
    return kConfiguration.on_corruption(Corruption::kDoubleFree, block);
  }
  if (!word.is_slab()) return invalid();

  ThreadHeap* heap = this_thread_heap();
  // The heap that this thread was given just now may be the one that owns the block, or the range
  // has grown since it last looked.
  if (heap != nullptr && heap->id() == word.owner()) {
    heap->look_at_range();
    return deallocate(block);
  }
  const Slot slot = find_slot(block, word.size_class());
  if (!slot.is_start()) return invalid();
  if (heap != nullptr) {
    heap->add_to_outbox(slot);
  } else {
    return_slots(page_of(*slot.span), slot.word(), slot.bit());
  }
}

// --- The rest of the interface ---

void* allocate_zeroed(size_t size) {
  if (size > kMaxSmall) {
    const LargeBlock block = allocate_large(size, kMinAlignment);
    if (block.start != nullptr && !block.zero) memset(block.start, 0, size);
    return block.start;
  }
  void* block = allocate(size);
  if (block != nullptr) memset(block, 0, size);
  return block;
}

void* allocate_aligned(size_t alignment, size_t size) {
  if (alignment <= kMinAlignment) return allocate(size);
  if (size > kMaxSize) return nullptr;
  if (alignment <= kPageSize) {
    const unsigned c = aligned_class(alignment, size);
    if (c < kClassCount) return allocate(kSizeClasses[c].size);
  }
  return allocate_large(size, alignment).start;
}

size_t usable_size(const void* block) {
  const PageWord word = page_word(page_of(block));
  return word.is_slab() ? kSizeClasses[word.size_class()].size : large_usable_size(block);
}

bool resize_in_place(void* block, size_t size) {
  if (!in_range(block)) return false;
  const PageWord word = page_word(page_of(block));
  if (word.is_slab()) return worth_keeping(kSizeClasses[word.size_class()].size, size);
  if (word.state() != PageState::kLargeHead || size <= kMaxSmall) return false;
  return resize_large(block, size);
}

void* reallocate(void* block, size_t size) {
  if (resize_in_place(block, size)) return block;
  const BlockView view = find_block(block);
  if (view.start != block) {
    kConfiguration.on_corruption(Corruption::kInvalidPointer, block);
    return nullptr;
  }
  if (view.large && size > kMaxSmall) return move_large(block, size);
  void* moved = allocate(size);
  if (moved == nullptr) return nullptr;
  memcpy(moved, block, std::min(view.size, size));
  deallocate(block);
  return moved;
}

BlockView find_block(const void* pointer) {
  if (!in_range(pointer)) return {};
  const PageId page = page_of(pointer);
  const PageWord word = page_word(page);
  if (word.is_slab()) {
    const Slot slot = find_slot(pointer, word.size_class());
    if (!slot.in_slot) return {};
    const uint64_t free_bits = slot.span->slab.free_bits[slot.word()].get();
    return {.start = slot_address(*slot.span, slot.index),
            .size = kSizeClasses[word.size_class()].size,
            .side = slot_side(*slot.span, slot.index),
            .large = false,
            .allocated = (free_bits & slot.bit()) == 0};
  }
  if (word.state() != PageState::kLargeHead && word.state() != PageState::kLargeTail) return {};
  const PageId head = head_of(page);
  const Span& span = span_at(head);
  return {.start = page_address(head),
          .size = span.large.size,
          .side = span.large.side,
          .large = true,
          .allocated = true};
}

bool contains(const void* pointer) { return in_range(pointer); }

void* side(const void* block) { return find_block(block).side; }

void visit_blocks(void (*visit)(const BlockView& block, void* context), void* context) {
  struct Visit {
    void (*visit)(const BlockView& block, void* context);
    void* context;
  } arguments{visit, context};
  with_pages_fixed(
      [](void* raw) {
        const auto* v = static_cast<Visit*>(raw);
        for (PageId page{0}; page < frontier(); page = page + PageCount{1}) {
          const PageWord word(range.page_map[page.value].load(std::memory_order_acquire));
          if (word.state() == PageState::kLargeHead) {
            v->visit(find_block(page_address(page)), v->context);
          }
          if (!word.is_slab() || head_of(page) != page) continue;
          for (uint32_t i = 0; i < kSizeClasses[word.size_class()].slots; ++i) {
            const BlockView view = find_block(slot_address(span_at(page), i));
            if (view.allocated) v->visit(view, v->context);
          }
        }
      },
      &arguments);
}

bool trim() {
  if (ThreadHeap* heap = this_thread_heap()) {
    heap->flush_all();
    heap->trim(0);
  }
  trim_orphans();
  return purge_pages();
}

Statistics statistics() {
  const PageStatistics pages = page_statistics();
  struct Sum {
    size_t out, cached, heaps;
  } sum{};
  for_each_heap(
      [](ThreadHeap& heap, void* raw) {
        auto* s = static_cast<Sum*>(raw);
        s->out += heap.bytes_out();
        s->cached += heap.bytes_cached();
        ++s->heaps;
      },
      &sum);
  return {.mapped = pages.mapped,
          .resident = pages.mapped - (pages.free - pages.dirty),
          .dirty = pages.dirty,
          .metadata = pages.metadata,
          .small_in_use = sum.out - std::min(sum.out, sum.cached),
          .large_in_use = large_bytes(),
          .large_count = large_count(),
          .cached = sum.cached,
          .heaps = sum.heaps,
          .peak_mapped = pages.mapped};  // the range never shrinks
}

void check_invariants() {
  check_page_heap();
  for (PageId page{0}; page < frontier();) {
    const PageWord word = page_word(page);
    const bool run_head = word.is_slab() || word.state() == PageState::kLargeHead;
    invariant(word.state() != PageState::kLargeTail, "a tail without a head");
    if (!run_head) {
      page = page + PageCount{1};
      continue;
    }
    const Span& span = span_at(page);
    invariant(head_of(page) == page, "a run's first page has another head");
    if (word.is_slab()) {
      check_slab(span);
    } else {
      for (uint32_t i = 1; i < span.pages.value; ++i) {
        const PageId tail = page + PageCount{i};
        invariant(page_word(tail).state() == PageState::kLargeTail, "a large block with a hole");
        invariant(head_of(tail) == page, "a large block's page has another head");
      }
      invariant(span.large.size <= span.pages.bytes(), "a large block larger than its run");
    }
    page = page + span.pages;
  }
}

}  // namespace gabion::heap
