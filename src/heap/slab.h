// A slab: a run of pages cut into equal slots. What is known of it lies elsewhere: which slots are
// free in a bitmap, the layer above's bytes a slot in another array; freed memory holds nothing.
//
// A slab belongs to one heap, and all functions here that change one are called by the thread that
// owns the heap (or holds the lock that stands for owning it). Other threads only find slots.
#ifndef GABION_HEAP_SLAB_H_
#define GABION_HEAP_SLAB_H_

#include <cstddef>
#include <cstdint>

#include "src/heap/page_map.h"
#include "src/heap/span.h"

namespace gabion::heap {

struct Slot {
  Span* span = nullptr;
  uint32_t index = 0;
  size_t offset = 0;  // of the pointer, within the slot
  bool in_slot = false;  // false: in the rest behind the last slot

  uint32_t word() const { return index / kSlotsPerWord; }
  uint64_t bit() const { return uint64_t{1} << (index % kSlotsPerWord); }
  bool is_start() const { return in_slot && offset == 0; }
};

// The slot that a pointer into a slab's page lies in.
Slot find_slot(const void* pointer, SizeClass size_class);
void* slot_address(const Span& span, uint32_t index);
std::byte* slot_side(const Span& span, uint32_t index);

// nullptr when memory is short. All slots are free.
Span* create_slab(HeapId owner, SizeClass size_class);
// All slots are free, and no remote word has bits.
void destroy_slab(Span& span);

// Takes up to `wanted` free slots in the order of their addresses; returns how many.
uint32_t take_slots(Span& span, void** slots, uint32_t wanted);

// Sets the free bits of `mask` in word `word`; returns those that were set already and stay so.
uint64_t put_slots(Span& span, uint32_t word, uint64_t mask);

void check_slab(const Span& span);

}  // namespace gabion::heap

#endif  // GABION_HEAP_SLAB_H_
