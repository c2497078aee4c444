// All heaps: which number is whose, which threads have one, and what becomes of a heap when its
// thread ends or the process forks.
//
// A thread gets a heap at its first slow call: an orphan if there is one, else a new one. When the
// thread ends (in each round of thread-specific data destructors) the heap becomes an orphan;
// whatever the thread allocates or frees after the last goes to a heap shared under a lock.
// Blocks of an orphan may still be freed by others: then the one who pushed them collects them, so
// that memory of a dead thread does not wait for a new one.
#ifndef GABION_HEAP_REGISTRY_H_
#define GABION_HEAP_REGISTRY_H_

#include <cstddef>

#include "src/heap/page_map.h"
#include "src/heap/span.h"
#include "src/heap/thread_heap.h"

namespace gabion::heap {

// The calling thread's heap, given to it now if need be; nullptr when its end is over, or when
// there is no memory or number for another heap.
ThreadHeap* this_thread_heap();

// A block from the shared heap, for threads without one; nullptr when memory is short.
void* allocate_shared(SizeClass c);

// Adds a returned word to the pending list of a heap, and collects it if the heap is an orphan.
void push_pending(HeapId owner, RemoteWord& word);

// Takes in what was returned to orphans and releases their empty slabs.
void trim_orphans();

// The same for those that have been orphans for a second or more; cheap when there are none.
void trim_old_orphans();

// Calls visit for every heap ever made. Heaps are never destroyed.
void for_each_heap(void (*visit)(ThreadHeap& heap, void* context), void* context);

// The thread's heap becomes an orphan now, as when the thread ends; the next call gives it one
// again. For tests, and for a thread that will be idle for long.
void detach_this_thread();

void register_heap_locks();

}  // namespace gabion::heap

#endif  // GABION_HEAP_REGISTRY_H_
