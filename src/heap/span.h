// What is known of a run of pages: one record of 64 bytes a page, in an array beside the heap. The
// record of a run's first page describes the run; a free run's last page repeats its length, so
// that neighbours find it when they merge.
#ifndef GABION_HEAP_SPAN_H_
#define GABION_HEAP_SPAN_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "src/base/list.h"
#include "src/base/relaxed.h"
#include "src/heap/pages.h"
#include "src/heap/size_class.h"

namespace gabion::heap {

inline constexpr unsigned kSlotsPerWord = 64;

// Slots that other threads freed, 64 to a word; see outbox.h for the protocol.
struct RemoteWord {
  std::atomic<uint64_t> bits;
  RemoteWord* next_pending;
  uint32_t page;  // the slab's first
};

struct alignas(64) Span {
  struct Free {
    uint32_t dirty_pages;  // of the run; 0: all its memory is known to be zero
    uint32_t since;        // coarse milliseconds at which its oldest dirty page became free
    base::ListLink<Span> same_length;
    base::ListLink<Span> by_age;  // only while dirty_pages is not 0
  };
  // Owned by the thread that owns the slab's heap, but for what `remote` points to.
  struct Slab {
    base::Relaxed<uint64_t>* free_bits;  // set: the slot is free
    RemoteWord* remote;                  // as many words as free_bits has
    std::byte* side;                     // kConfiguration.side_bytes a slot; nullptr if that is 0
    uint32_t free_slots;
    uint32_t first_free_word;  // no word before it has a bit
    base::ListLink<Span> partial;
  };
  struct Large {
    size_t size;  // usable bytes
    std::byte* side;
  };

  PageCount pages;
  SizeClass size_class;  // of a slab
  union {
    Free free;
    Slab slab;
    Large large;
  };

  uint32_t slots() const { return kSizeClasses[size_class].slots; }
  uint32_t words() const { return base::divide_up(slots(), kSlotsPerWord); }
};

static_assert(sizeof(Span) == 64);

}  // namespace gabion::heap

#endif  // GABION_HEAP_SPAN_H_
