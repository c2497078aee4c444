// Blocks on their way from the program back to the heap.
#ifndef GABION_HARDENING_WAITING_H_
#define GABION_HARDENING_WAITING_H_

#include "src/hardening/block_ref.h"

namespace gabion::hardening {

// `ref` is busy, and this thread's: fills it and lets it wait; others may leave for it.
void put_into_quarantine(BlockRef& ref);

// Lets all that waits go; false if nothing did. For an allocation that found no memory.
bool empty_quarantine();

}  // namespace gabion::hardening

#endif  // GABION_HARDENING_WAITING_H_
