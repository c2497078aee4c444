// Blocks for the heap's own records: slab bitmaps, side bytes, heaps. They lie far from the
// program's blocks, are zero when handed out, and are recycled by size; they never go back to the
// kernel as address space, but large ones give their pages back when freed.
#ifndef GABION_HEAP_ARENA_H_
#define GABION_HEAP_ARENA_H_

#include <cstddef>

#include "src/os/mutex.h"

namespace gabion::heap {

// Aligned to 64 bytes and zero; nullptr when memory is short. Takes locks of rank
// kPageHeap and above.
void* arena_allocate(size_t size);
// `size` as it was asked for.
void arena_free(void* block, size_t size);

os::Mutex& arena_lock();

}  // namespace gabion::heap

#endif  // GABION_HEAP_ARENA_H_
