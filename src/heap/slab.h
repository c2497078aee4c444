// A slab: a run of pages cut into equal slots. What is known of it lies elsewhere: which slots are
// free in a bitmap, the layer above's bytes a slot in another array; freed memory holds nothing.
//
// A slab belongs to one heap, and all functions here that change one are called by the thread that
// owns the heap (or holds the lock that stands for owning it). Other threads only find slots.
#ifndef GABION_HEAP_SLAB_H_
#define GABION_HEAP_SLAB_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "src/base/bits.h"
#include "src/heap/page_map.h"
#include "src/heap/range.h"
#include "src/heap/span.h"

namespace gabion::heap {

struct Slot {
  Span* span = nullptr;
  SizeClass size_class = 0;
  uint32_t index = 0;
  size_t offset = 0;     // of the pointer, within the slot
  bool in_slot = false;  // false: in the rest behind the last slot

  uint32_t word() const { return index / kSlotsPerWord; }
  uint64_t bit() const { return uint64_t{1} << (index % kSlotsPerWord); }
  bool is_start() const { return in_slot && offset == 0; }
};

// The slot that a pointer into a slab's page lies in.
inline Slot find_slot(const void* pointer, SizeClass size_class) {
  const PageId head = head_of(page_of(pointer));
  const size_t offset = base::address_of(pointer) - base::address_of(page_address(head));
  const uint32_t index = slot_index(size_class, offset);
  return {.span = &span_at(head),
          .size_class = size_class,
          .index = index,
          .offset = offset - size_t{index} * kSizeClasses[size_class].size,
          .in_slot = index < kSizeClasses[size_class].slots};
}

void* slot_address(const Span& span, uint32_t index);
std::byte* slot_side(const Span& span, uint32_t index);

// nullptr when memory is short. All slots are free.
Span* create_slab(HeapId owner, SizeClass size_class);
// All slots are free, and no remote word has bits.
void destroy_slab(Span& span);

// Takes up to `wanted` free slots in the order of their addresses; returns how many.
uint32_t take_slots(Span& span, void** slots, uint32_t wanted);

// Sets the free bits of `mask`, `count` of them, in word `word`; returns those that were set
// already and stay so.
inline uint64_t put_slots(Span& span, uint32_t word, uint64_t mask, uint32_t count) {
  Span::Slab& slab = span.slab;
  const uint64_t bits = slab.free_bits[word].get();
  const uint64_t twice = bits & mask;
  if (twice != 0) [[unlikely]]
    count -= base::count_bits(twice);
  slab.free_bits[word].set(bits | mask);
  slab.free_slots += count;
  slab.first_free_word = std::min(slab.first_free_word, word);
  return twice;
}

void check_slab(const Span& span);

}  // namespace gabion::heap

#endif  // GABION_HEAP_SLAB_H_
