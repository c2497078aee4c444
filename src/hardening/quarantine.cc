#include "src/hardening/quarantine.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "src/os/fork.h"
#include "src/os/memory.h"
#include "src/os/process.h"

namespace gabion::hardening {
namespace {

// The first ring is one mapping of this size; each further one is twice the one before.
constexpr size_t kFirstRingBytes = size_t{64} << 10;
static_assert(kFirstRingBytes % sizeof(Quarantine::Entry) == 0);

}  // namespace

void Quarantine::register_locks() {
  for (Shard& shard : shards_) os::register_fork_lock(shard.mutex);
}

Quarantine::Limits Quarantine::shard_limits() const {
  const uint32_t used = std::max(used_shards_.load(std::memory_order_relaxed), 1u);
  return {limits_.bytes / used, limits_.blocks / used};
}

void Quarantine::start_using(Shard& shard) {
  shard.used = true;
  shard.rng = base::Rng(os::random_u64());
  used_shards_.fetch_add(1, std::memory_order_relaxed);
  has_excess_.store(true, std::memory_order_relaxed);
}

void Quarantine::count_in(Shard& shard, const Entry& entry) {
  shard.bytes.add(entry.cost);
  shard.blocks.add(1);
}

void Quarantine::count_out(Shard& shard, const Entry& entry) {
  shard.bytes.subtract(entry.cost);
  shard.blocks.subtract(1);
}

// Doubles the ring. Under the lock, but only log2(blocks) times in the life of a process.
bool Quarantine::grow(Shard& shard) {
  const size_t old = shard.capacity.get();
  const size_t capacity = old == 0 ? kFirstRingBytes / sizeof(Entry) : 2 * old;
  auto* ring = static_cast<Entry*>(os::map_anywhere(capacity * sizeof(Entry)));
  if (ring == nullptr) return false;
  const size_t before_wrap = std::min(shard.count, old - shard.head);
  if (shard.count != 0) {
    memcpy(ring, shard.ring + shard.head, before_wrap * sizeof(Entry));
    memcpy(ring + before_wrap, shard.ring, (shard.count - before_wrap) * sizeof(Entry));
  }
  if (shard.ring != nullptr) os::unmap(shard.ring, old * sizeof(Entry));
  shard.ring = ring;
  shard.capacity.set(capacity);
  shard.head = 0;
  return true;
}

// Puts an entry that is counted already into the ring. Without memory for a larger one the oldest
// leaves in exchange, or the entry itself: then a victim is written and 1 returned.
size_t Quarantine::append(Shard& shard, const Entry& entry, std::span<Entry> victims) {
  size_t evicted = 0;
  if (shard.count == shard.capacity.get() && !grow(shard)) {
    if (shard.capacity.get() == 0) {
      count_out(shard, entry);
      victims[0] = entry;
      return 1;
    }
    pop(shard, victims[0]);
    evicted = 1;
  }
  shard.ring[(shard.head + shard.count) & (shard.capacity.get() - 1)] = entry;
  ++shard.count;
  return evicted;
}

bool Quarantine::pop(Shard& shard, Entry& entry) {
  if (shard.count != 0) {
    entry = shard.ring[shard.head];
    shard.head = (shard.head + 1) & (shard.capacity.get() - 1);
    --shard.count;
    count_out(shard, entry);
    return true;
  }
  for (Entry& random : shard.random) {
    if (random.slot == 0) continue;
    entry = std::exchange(random, Entry{});
    count_out(shard, entry);
    return true;
  }
  return false;
}

size_t Quarantine::pop_excess(Shard& shard, Limits limits, std::span<Entry> victims) {
  size_t n = 0;
  while (n < victims.size() &&
         (shard.bytes.get() > limits.bytes || shard.blocks.get() > limits.blocks)) {
    if (!pop(shard, victims[n])) break;
    ++n;
  }
  return n;
}

size_t Quarantine::push(Entry entry, uint32_t thread, std::span<Entry> victims) {
  Shard& shard = shard_of(thread);
  os::MutexLock lock(shard.mutex);
  if (!shard.used) [[unlikely]]
    start_using(shard);
  const Limits limits = shard_limits();
  // It would drive out everything else, and then itself.
  if (entry.cost > limits.bytes / 2 || limits.blocks == 0) {
    victims[0] = entry;
    return 1;
  }
  count_in(shard, entry);
  const Entry displaced =
      std::exchange(shard.random[shard.rng.below(static_cast<uint32_t>(kRandomSlots))], entry);
  size_t n = 0;
  if (displaced.slot != 0) n = append(shard, displaced, victims);
  n += pop_excess(shard, limits, victims.subspan(n));
  if (n == victims.size()) has_excess_.store(true, std::memory_order_relaxed);
  return n;
}

size_t Quarantine::take_excess(std::span<Entry> victims) {
  has_excess_.store(false, std::memory_order_relaxed);
  const size_t n = pop_all(shard_limits(), victims);
  if (n == victims.size()) has_excess_.store(true, std::memory_order_relaxed);
  return n;
}

size_t Quarantine::drain(std::span<Entry> victims) { return pop_all(Limits{}, victims); }

size_t Quarantine::pop_all(Limits limits, std::span<Entry> victims) {
  size_t n = 0;
  for (Shard& shard : shards_) {
    if (n == victims.size()) break;
    os::MutexLock lock(shard.mutex);
    n += pop_excess(shard, limits, victims.subspan(n));
  }
  return n;
}

void Quarantine::reseed() {
  for (Shard& shard : shards_) {
    os::MutexLock lock(shard.mutex);
    if (shard.used) shard.rng = base::Rng(os::random_u64());
  }
}

Quarantine::Statistics Quarantine::statistics() const {
  Statistics sum;
  for (const Shard& shard : shards_) {
    sum.bytes += shard.bytes.get();
    sum.blocks += shard.blocks.get();
    sum.overhead += shard.capacity.get() * sizeof(Entry);
  }
  return sum;
}

}  // namespace gabion::hardening
