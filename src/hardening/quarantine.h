// Quarantine: freed blocks wait here before their memory is used again.
//
// Guards against: use after free, by keeping the address from being someone else's for a while, in
// which a second free is known as one and a write shows when the block leaves; and, since what
// leaves next cannot be foretold, against attacks that need a freed address back at a chosen time.
// Cost: the memory that waits, bounded for the whole process, and cold caches.
//
//   push -> [ random slots ] -> [ ring: first in, first out ] -> victims
//
// This class knows addresses and their cost only, so it is tested alone; what happens to a victim
// is the caller's business, outside these locks.
#ifndef GABION_HARDENING_QUARANTINE_H_
#define GABION_HARDENING_QUARANTINE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "src/base/relaxed.h"
#include "src/base/rng.h"
#include "src/os/mutex.h"

namespace gabion::hardening {

class Quarantine {
 public:
  struct Entry {
    uintptr_t slot = 0;
    size_t cost = 0;  // bytes that count against the limit while it waits
  };

  struct Limits {
    size_t bytes = 0;
    size_t blocks = 0;
  };

  struct Statistics {
    size_t bytes = 0;  // cost of all that wait
    size_t blocks = 0;
    size_t overhead = 0;  // memory of the rings
  };

  // Threads share shards by their number. An unused shard costs nothing; the limits are divided
  // among the used ones, so a program with one thread has all of them.
  static constexpr size_t kShards = 4;
  static constexpr size_t kRandomSlots = 32;

  constexpr Quarantine() = default;
  Quarantine(const Quarantine&) = delete;
  Quarantine& operator=(const Quarantine&) = delete;

  // Both once, before the first push.
  void set_limits(Limits limits) { limits_ = limits; }
  void register_locks();

  // Takes `entry` in and hands out what must leave for it, at most victims.size() of it: when
  // has_excess() says so afterwards there is more, for take_excess(). An entry that is too large to
  // wait comes back at once.
  size_t push(Entry entry, uint32_t thread, std::span<Entry> victims);

  // A thread that begins to use a shard makes the others' parts smaller, also those of threads that
  // may never free again: whoever pushed then takes out what is too much in any shard.
  bool has_excess() const { return has_excess_.load(std::memory_order_relaxed); }
  size_t take_excess(std::span<Entry> victims);

  // Empties it by up to victims.size() entries, of any thread; 0 when it is empty.
  size_t drain(std::span<Entry> victims);

  // In a child of fork: it must not choose as its parent does.
  void reseed();

  Statistics statistics() const;

 private:
  struct alignas(64) Shard {
    os::Mutex mutex{os::LockRank::kQuarantine};
    // Invariant: bytes and blocks are the sums over the ring's `count` entries from `head` on and
    // the random slots whose address is not 0. Written under the mutex.
    base::Relaxed<size_t> bytes;
    base::Relaxed<size_t> blocks;
    bool used = false;
    Entry* ring = nullptr;
    base::Relaxed<size_t> capacity;  // a power of two, or 0
    size_t head = 0;
    size_t count = 0;
    base::Rng rng{0};
    Entry random[kRandomSlots] = {};
  };

  Shard& shard_of(uint32_t thread) { return shards_[thread % kShards]; }
  Limits shard_limits() const;
  void start_using(Shard& shard);
  static bool grow(Shard& shard);
  static void count_in(Shard& shard, const Entry& entry);
  static void count_out(Shard& shard, const Entry& entry);
  static size_t append(Shard& shard, const Entry& entry, std::span<Entry> victims);
  static bool pop(Shard& shard, Entry& entry);
  size_t pop_all(Limits limits, std::span<Entry> victims);
  static size_t pop_excess(Shard& shard, Limits limits, std::span<Entry> victims);

  Limits limits_;
  std::atomic<uint32_t> used_shards_{0};
  std::atomic<bool> has_excess_{false};
  Shard shards_[kShards];
};

}  // namespace gabion::hardening

#endif  // GABION_HARDENING_QUARANTINE_H_
