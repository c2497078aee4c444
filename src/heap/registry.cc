#include "src/heap/registry.h"

#include <limits.h>
#include <pthread.h>

#include <atomic>
#include <memory>
#include <new>

#include "src/base/build.h"
#include "src/heap/arena.h"
#include "src/heap/page_heap.h"
#include "src/heap/range.h"
#include "src/os/fork.h"
#include "src/os/process.h"

namespace gabion::heap {
namespace {

constexpr size_t kMaxHeaps = 1u << 16;  // the page word has 16 bits for the owner
constexpr HeapId kFirstId = 1;

// Only slabs of slots this large are released when a thread ends or an orphan is adopted: smaller
// ones are about to be wanted again, and hold little.
constexpr size_t kTrimFrom = 4096;

// All empty slabs of an orphan go when it has waited this long.
constexpr int32_t kOrphanDecayMilliseconds = 1000;

// ThreadSanitizer's own end of a thread is in the last round; instrumented code must be done then.
constexpr uint8_t kExitRounds = PTHREAD_DESTRUCTOR_ITERATIONS - (base::kThreadSanitizer ? 1 : 0);

constinit os::Mutex registry_lock{os::LockRank::kRegistry};
constinit os::Mutex shared_lock{os::LockRank::kFallback};

// Guarded by registry_lock, but for reading `heaps`.
constinit std::atomic<ThreadHeap*> heaps[kMaxHeaps] = {};
constinit std::atomic<size_t> heap_count{kFirstId};
constinit ThreadHeap* orphans = nullptr;
constinit size_t orphan_count = 0;
constinit std::atomic<size_t> untrimmed_orphans{0};
constinit bool key_made = false;
constinit pthread_key_t exit_key = 0;

// Guarded by shared_lock.
constinit ThreadHeap* shared_heap = nullptr;

// The cache of a thread that has no heap: nothing in any bin, no room in any bin, owner of nothing.
constinit void* no_block = nullptr;
struct EmptyCache : ThreadCache {
  constexpr EmptyCache()
      : ThreadCache{.tops = {},
                    .limits = {},
                    .owner_tag = uint32_t{0xff} << 8,
                    .range_base = 0,
                    .page_count = 0,
                    .page_map = nullptr} {
    for (auto& top : tops) std::construct_at(&top, &no_block);
    for (auto& limit : limits) std::construct_at(&limit, &no_block);
  }
};
constinit EmptyCache empty_cache;

// Calls of on_thread_exit in this thread.
constinit thread_local uint8_t exit_rounds = 0;

// With registry_lock held.
ThreadHeap* make_heap() {
  const size_t id = heap_count.load(std::memory_order_relaxed);
  if (id >= kMaxHeaps) return nullptr;
  void* memory = arena_allocate(sizeof(ThreadHeap));
  if (memory == nullptr) return nullptr;
  auto* heap = new (memory) ThreadHeap(static_cast<HeapId>(id));
  heaps[id].store(heap, std::memory_order_release);
  heap_count.store(id + 1, std::memory_order_release);
  return heap;
}

// With registry_lock held.
void make_orphan(ThreadHeap& heap, uint32_t now) {
  if (orphan_count != 0) heap.trim(kTrimFrom);
  heap.orphan_since = now;
  heap.orphan_untrimmed = true;
  untrimmed_orphans.fetch_add(1, std::memory_order_relaxed);
  heap.next_orphan = orphans;
  orphans = &heap;
  ++orphan_count;
  heap.state().store(ThreadHeap::State::kOrphan, std::memory_order_seq_cst);
  // Whoever pushes reads the state afterwards, and here the list is read after the state was
  // written, all in one order: so a word pushed about now is collected by one side or both.
  heap.collect_pending();
}

// With registry_lock held.
ThreadHeap* adopt_orphan() {
  ThreadHeap* heap = orphans;
  if (heap == nullptr) return nullptr;
  orphans = heap->next_orphan;
  --orphan_count;
  if (heap->orphan_untrimmed) untrimmed_orphans.fetch_sub(1, std::memory_order_relaxed);
  heap->orphan_untrimmed = false;
  heap->state().store(ThreadHeap::State::kOwned, std::memory_order_relaxed);
  return heap;
}

void detach(ThreadHeap& heap) {
  current_cache = &empty_cache;
  heap.flush_all();
  const uint32_t now = os::coarse_milliseconds();  // not under the lock: see page_heap.cc
  {
    os::MutexLock guard(registry_lock);
    make_orphan(heap, now);
  }
  heap.report_corruption();
}

// Runs in each round of the destructors of thread-specific data, because those of other libraries
// may still allocate and free. Which round is the last it cannot know, as the thread may have got
// its first heap within them; so the heap goes in each, and comes again if it is wanted again.
void on_thread_exit(void* value) {
  if (++exit_rounds < kExitRounds) pthread_setspecific(exit_key, value);
  if (current_cache != &empty_cache) detach(ThreadHeap::of(*current_cache));
}

ThreadHeap* attach() {
  ThreadHeap* heap;
  bool adopted;
  {
    os::MutexLock guard(registry_lock);
    if (!key_made) key_made = pthread_key_create(&exit_key, on_thread_exit) == 0;
    heap = adopt_orphan();
    adopted = heap != nullptr;
    if (!adopted) heap = make_heap();
  }
  if (heap == nullptr) return nullptr;
  // From here on this thread has a heap: pthread_setspecific may allocate.
  heap->look_at_range();
  current_cache = heap;
  if (key_made) pthread_setspecific(exit_key, heap);
  if (adopted) {
    heap->trim(kTrimFrom);
    heap->report_corruption();
  }
  return heap;
}

// In the child only the forking thread lives. Heaps that other threads owned may have been caught
// in the middle of a change, so they are never used again: what they hold is lost to the child,
// and what is freed into them waits for ever. Orphans and the shared heap were under their locks.
void mend_in_child() {
  const ThreadHeap* mine =
      current_cache == &empty_cache ? nullptr : &ThreadHeap::of(*current_cache);
  const size_t count = heap_count.load(std::memory_order_relaxed);
  for (size_t id = kFirstId; id < count; ++id) {
    ThreadHeap* heap = heaps[id].load(std::memory_order_relaxed);
    if (heap == mine || heap == shared_heap) continue;
    if (heap->state().load(std::memory_order_relaxed) == ThreadHeap::State::kOwned) {
      heap->state().store(ThreadHeap::State::kLost, std::memory_order_relaxed);
    }
  }
  mend_page_heap_in_child();
}

}  // namespace

constinit thread_local ThreadCache* current_cache = &empty_cache;

ThreadHeap* this_thread_heap() {
  if (current_cache != &empty_cache) [[likely]]
    return &ThreadHeap::of(*current_cache);
  return exit_rounds >= kExitRounds ? nullptr : attach();
}

void* allocate_shared(SizeClass c) {
  os::MutexLock guard(shared_lock);
  if (shared_heap == nullptr) {
    os::MutexLock registry_guard(registry_lock);
    shared_heap = make_heap();
  }
  return shared_heap == nullptr ? nullptr : shared_heap->take_one(c);
}

void push_pending(HeapId owner, RemoteWord& word) {
  ThreadHeap& heap = *heaps[owner].load(std::memory_order_acquire);
  heap.push_pending(word);
  if (heap.state().load(std::memory_order_seq_cst) != ThreadHeap::State::kOrphan) return;
  {
    os::MutexLock guard(registry_lock);
    if (heap.state().load(std::memory_order_relaxed) != ThreadHeap::State::kOrphan) return;
    heap.collect_pending();
  }
  heap.report_corruption();
}

void trim_orphans() {
  os::MutexLock guard(registry_lock);
  for (ThreadHeap* heap = orphans; heap != nullptr; heap = heap->next_orphan) heap->trim(0);
}

void trim_old_orphans() {
  if (untrimmed_orphans.load(std::memory_order_relaxed) == 0) return;
  const uint32_t now = os::coarse_milliseconds();
  if (!registry_lock.try_lock()) return;
  for (ThreadHeap* heap = orphans; heap != nullptr; heap = heap->next_orphan) {
    if (!heap->orphan_untrimmed ||
        static_cast<int32_t>(now - heap->orphan_since) < kOrphanDecayMilliseconds) {
      continue;
    }
    heap->trim(0);
    heap->orphan_untrimmed = false;
    untrimmed_orphans.fetch_sub(1, std::memory_order_relaxed);
  }
  registry_lock.unlock();
}

void for_each_heap(void (*visit)(ThreadHeap& heap, void* context), void* context) {
  const size_t count = heap_count.load(std::memory_order_acquire);
  for (size_t id = kFirstId; id < count; ++id) {
    visit(*heaps[id].load(std::memory_order_acquire), context);
  }
}

void detach_this_thread() {
  if (current_cache == &empty_cache) return;
  ThreadHeap& heap = ThreadHeap::of(*current_cache);
  if (key_made) pthread_setspecific(exit_key, nullptr);
  detach(heap);
}

void register_heap_locks() {
  for (os::Mutex* lock :
       {&shared_lock, &registry_lock, &page_heap_lock(), &arena_lock(), &range_lock()}) {
    os::register_fork_lock(*lock);
  }
  os::register_fork_child(mend_in_child);
}

}  // namespace gabion::heap
