// One thread's heap: its cache, its slabs of every class, its outbox, and the list of words that
// other threads returned. It outlives its thread: an orphan waits in the registry, with all its
// slabs, for a thread that adopts it.
#ifndef GABION_HEAP_THREAD_HEAP_H_
#define GABION_HEAP_THREAD_HEAP_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "src/base/list.h"
#include "src/base/relaxed.h"
#include "src/heap/outbox.h"
#include "src/heap/span.h"
#include "src/heap/thread_cache.h"

namespace gabion::heap {

inline constexpr size_t kCacheLine = 64;

// A heap's slabs of one class. Slabs without a free slot are in no list: a free leads back to them.
struct Bin {
  struct ByPartial {
    static base::ListLink<Span>& of(Span& span) { return span.slab.partial; }
  };
  using PartialList = base::List<Span, ByPartial>;

  PartialList partial;                // slabs with free slots; the front one is allocated from
  base::Relaxed<uint32_t> slots_out;  // taken from slabs and not put back: in use or cached
};

class ThreadHeap : public ThreadCache {
 public:
  enum class State : uint8_t {
    kOwned,   // by a thread
    kOrphan,  // by whoever holds the registry's lock
    kLost,    // its thread stayed behind in the parent process; only what is atomic may be used
  };

  explicit ThreadHeap(HeapId id);

  // The heap that a cache other than the empty one is part of.
  static ThreadHeap& of(ThreadCache& cache) { return static_cast<ThreadHeap&>(cache); }
  HeapId id() const { return id_; }

  // Fills the class's bin and pops one; nullptr when memory is short.
  void* refill(SizeClass c);
  // Makes room in the class's full bin.
  void make_room(SizeClass c);
  void add_to_outbox(const Slot& slot) { outbox_.add(slot); }

  // Returns all cached blocks and the outbox.
  void flush_all();
  // Takes in what other threads returned. Locks may be held: a slot that turns out to be freed
  // twice is remembered for report_corruption().
  void collect_pending();
  // Without locks: reports what collect_pending() found.
  void report_corruption();
  // Releases empty slabs of at least this size of slots.
  void trim(size_t min_slot_size);

  // Without the cache, for the heap that is shared under a lock.
  void* take_one(SizeClass c);

  // Any thread. Adds a word to the pending list.
  void push_pending(RemoteWord& word);
  bool has_pending() const { return pending_.load(std::memory_order_relaxed) != nullptr; }

  std::atomic<State>& state() { return state_; }

  // Any thread; approximate while the owner works.
  size_t bytes_out() const;
  size_t bytes_cached() const;

  // Guarded by the registry.
  ThreadHeap* next_orphan = nullptr;
  uint32_t orphan_since = 0;      // coarse milliseconds
  bool orphan_untrimmed = false;  // may hold empty slabs

 private:
  void** bottom(SizeClass c) { return &slots_[kCacheOffsets[c]]; }
  uint32_t take(SizeClass c, void** out, uint32_t wanted);
  void put(SizeClass c, void** blocks, uint32_t n);
  void slots_returned(Span& span, uint32_t count);
  void release_slab(Bin& bin, Span& span);
  void grow_limit(SizeClass c);
  void count_slow_call(SizeClass c);
  void shrink_idle_bins();

  HeapId id_;
  // What other threads write has a cache line of its own: the owner reads the others all the time.
  alignas(kCacheLine) std::atomic<RemoteWord*> pending_{nullptr};
  alignas(kCacheLine) std::atomic<State> state_{State::kOwned};
  Bin slabs_[kClassCount];
  Outbox outbox_;
  void* freed_twice_ = nullptr;
  uint32_t slow_calls_ = 0;
  bool used_[kClassCount] = {};  // since the last look at idle bins
  void* slots_[kCacheOffsets[kClassCount]];
};

}  // namespace gabion::heap

#endif  // GABION_HEAP_THREAD_HEAP_H_
