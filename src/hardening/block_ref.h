// A slot looked up by any pointer into it, with what its record said at that moment.
#ifndef GABION_HARDENING_BLOCK_REF_H_
#define GABION_HARDENING_BLOCK_REF_H_

#include <cstddef>
#include <cstdint>

#include "src/base/bits.h"
#include "src/hardening/byte_range.h"
#include "src/hardening/layout.h"
#include "src/hardening/slot_record.h"
#include "src/heap/heap.h"

namespace gabion::hardening {

struct BlockRef {
  uintptr_t slot = 0;
  uintptr_t slot_end = 0;
  SlotRecord* record = nullptr;  // nullptr: no slot of the heap
  Facts facts;

  bool exists() const { return record != nullptr; }
  uintptr_t block() const { return slot + kLayout.front_size(facts.alignment.bytes()); }
  ByteRange bytes() const { return {block(), block() + facts.size}; }
  ByteRange front_canary() const { return kLayout.front_canary(slot, facts.alignment.bytes()); }
  ByteRange tail_canary() const { return kLayout.tail_canary(block(), facts.size, slot_end); }

  bool unchanged() const {
    // Orders the caller's look at the memory before this second look at the record.
    std::atomic_thread_fence(std::memory_order_acquire);
    return record->facts(slot_end - slot) == facts;
  }

  // Moves the record on to `state`; false if another thread was quicker.
  bool change(State state) {
    if (!record->change(facts, facts.in(state), slot_end - slot)) return false;
    facts.state = state;
    return true;
  }
};

inline BlockRef make_block_ref(const heap::BlockView& view) {
  BlockRef ref;
  if (view.start == nullptr) return ref;
  ref.slot = base::address_of(view.start);
  ref.slot_end = ref.slot + view.size;
  ref.record = static_cast<SlotRecord*>(view.side);
  ref.facts = ref.record->facts(view.size);
  // Left over from when these pages were cut into larger slots.
  if (ref.bytes().end > ref.slot_end || ref.bytes().end < ref.slot) ref.facts = {};
  return ref;
}

inline BlockRef find_slot(const void* pointer) { return make_block_ref(heap::find_block(pointer)); }

}  // namespace gabion::hardening

#endif  // GABION_HARDENING_BLOCK_REF_H_
