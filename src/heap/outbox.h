// Blocks that a thread frees but another thread's heap owns. They are gathered here by slab and
// word, and returned with one atomic OR a word on the slab's remote bitmap.
//
// PROTOCOL. A RemoteWord is in its owner's pending list exactly while its bits are not zero (or
// about to become so): the thread whose OR finds zero pushes it; the owner takes the whole list,
// and for each word reads its link, then exchanges the bits with zero. Hence
//   - a word is pushed at most once between two exchanges, so the list needs no check for it;
//   - once a word's bits are exchanged nobody who set them touches the word or its slab again: the
//     pusher's last access was the push that put it into the list. A slab is destroyed only when
//     all its slots are free, that is when all bits ever set were collected, so never while another
//     thread still looks at it;
//   - the owner may change in between: the list belongs to the heap, and whoever owns it collects.
// The OR releases and the exchange acquires, so what the freeing thread did to the block is over
// for whoever gets it next. The push-only list has no ABA problem: it is taken whole.
#ifndef GABION_HEAP_OUTBOX_H_
#define GABION_HEAP_OUTBOX_H_

#include <cstddef>
#include <cstdint>

#include "src/heap/page_map.h"
#include "src/heap/pages.h"
#include "src/heap/slab.h"

namespace gabion::heap {

// Returns slots to the heap that owns their slab. Bits that were set already are double frees.
void return_slots(PageId slab, uint32_t word, uint64_t mask);

class Outbox {
 public:
  // `slot` is the start of a slot of another heap's slab. Nothing of the slab is read here: its
  // record is in its owner's cache, where one access in 64 finds it soon enough.
  void add(const Slot& slot);
  void flush();

 private:
  // Enough for the slabs of several classes of several producers; what waits here is bounded by
  // kMaxBytes.
  static constexpr uint32_t kEntries = 64;
  static constexpr size_t kMaxBytes = 64 * 1024;

  struct Entry {
    PageId slab;
    uint32_t word;
    uint64_t mask;  // 0: the entry is free
  };

  static void flush(Entry& entry);

  Entry entries_[kEntries] = {};
  size_t bytes_ = 0;
};

}  // namespace gabion::heap

#endif  // GABION_HEAP_OUTBOX_H_
