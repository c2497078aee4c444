// Runs of pages: cut from the range, recycled, merged with free neighbours, and given back to the
// kernel by age.
//
// One lock guards it. What runs it serves rarely: a slab for many blocks, or a large block. System
// calls that give memory back happen outside the lock, on runs taken out of the lists meanwhile.
//
// INVARIANTS (checked by check_page_heap):
//   - every page below the frontier belongs to one free run, or to one used run, or is busy;
//   - runs are made of whole pages of the kernel's;
//   - no two free runs touch; a free run is in the list of its length, and in the list by age
//     exactly if it has dirty pages;
//   - a page whose word says kFreeClean reads as zero.
#ifndef GABION_HEAP_PAGE_HEAP_H_
#define GABION_HEAP_PAGE_HEAP_H_

#include <cstddef>
#include <cstdint>

#include "src/heap/pages.h"
#include "src/os/mutex.h"

namespace gabion::heap {

struct Run {
  PageId first;
  PageCount pages;  // 0: no memory
  bool zero = false;

  explicit operator bool() const { return pages.value != 0; }
};

inline constexpr uint32_t kNeverDecay = UINT32_MAX;

// The length of a run that holds so many pages: where the kernel's pages are larger than the
// heap's, runs are made of whole ones, so that giving one back or moving it touches no other.
PageCount run_length(PageCount pages);

// A run of run_length(pages) whose pages' words say kBusy; the caller marks them. `alignment` is in
// pages, a power of two, counted from address 0.
Run allocate_run(PageCount pages, PageCount alignment = {1});

// Gives a used run back. `clean`: it is known to read as zero.
void free_run(PageId first, PageCount pages, bool clean);

// Takes the `more` pages (a run's length) behind a used run that ends at `end`, if they are free or
// can be mapped.
// They read as zero if the result says so.
Run extend_run(PageId end, PageCount more);

void set_page_decay(uint32_t milliseconds);

// Gives back what is old enough; cheap when there is nothing to do or another thread is at it.
void decay_pages();

// Gives back all dirty pages now; true if there were any.
bool purge_pages();

struct PageStatistics {
  size_t mapped, free, dirty, metadata;
};
PageStatistics page_statistics();

// No page changes its state while visit runs; visit may not take locks of rank kPageHeap or lower.
void with_pages_fixed(void (*visit)(void* context), void* context);

os::Mutex& page_heap_lock();
void mend_page_heap_in_child();
void check_page_heap();

}  // namespace gabion::heap

#endif  // GABION_HEAP_PAGE_HEAP_H_
