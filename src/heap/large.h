// Large blocks: more than kMaxSmall bytes, or more than page alignment. Each has a run of pages to
// itself, grows in place while what follows is free (at the end of the range that is always so),
// and when it must move, its pages move, not its bytes.
#ifndef GABION_HEAP_LARGE_H_
#define GABION_HEAP_LARGE_H_

#include <cstddef>

#include "src/heap/pages.h"

namespace gabion::heap {

struct LargeBlock {
  void* start = nullptr;  // nullptr: no memory
  bool zero = false;      // known to read as zero
};

// `alignment` is a power of two.
LargeBlock allocate_large(size_t size, size_t alignment);

// `block` is the address of a page whose word says kLargeHead. False if another thread was faster.
bool free_large(void* block);

size_t large_usable_size(const void* block);

// Keeps the address. False: there is no room behind it.
bool resize_large(void* block, size_t size);

// Keeps the contents, not the address. nullptr: no memory, and the old block stays.
void* move_large(void* block, size_t size);

size_t large_bytes();
size_t large_count();

}  // namespace gabion::heap

#endif  // GABION_HEAP_LARGE_H_
