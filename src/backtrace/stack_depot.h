// Keeps each distinct stack once and names it by 32 bits, within a fixed budget of memory.
//
//   heads:  one id a bucket ──► node {next id, hash, size, frames…} ──► older node ──► 0
//
// Nodes lie in chunks that are mapped as they fill up and never move, change or go away. An id is
// the node's place: chunk number and offset.
//
// Lookup takes no lock. It is right because a node is complete before its id is stored in a bucket
// (release) and that store is the only way to learn the id: whoever loads a bucket (acquire), or
// was given the id by a thread that did, sees the whole node, and through its `next`, written
// before that store, all older ones. A bucket only ever changes to a node whose `next` is its
// former value, so no node is lost, and a reader that is overtaken merely misses the newest ones.
// It then takes the lock, under which buckets do not change, and looks again at just those before
// adding. So a stack is stored once even when many threads bring it at the same moment. fork takes
// the lock too, so the child never inherits a half-made node.
#ifndef GABION_BACKTRACE_STACK_DEPOT_H_
#define GABION_BACKTRACE_STACK_DEPOT_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "src/backtrace/stack.h"
#include "src/os/mutex.h"

namespace gabion::backtrace {

struct DepotStats {
  size_t stacks = 0;    // distinct ones
  size_t memory = 0;    // bytes mapped, buckets included
  size_t capacity = 0;  // the most that will be
  size_t rejected = 0;  // calls that found no room
};

class StackDepot {
 public:
  constexpr StackDepot() = default;
  StackDepot(const StackDepot&) = delete;
  StackDepot& operator=(const StackDepot&) = delete;

  // The most memory to use, in bytes; rounded down to what the structure needs. Takes effect only
  // before the first put. Without it, kDefaultCapacity.
  void set_capacity(size_t bytes);

  // At most kMaxFrames are kept. kNoStack for no frames, or when there is no room: that is counted,
  // and said in one line the first time.
  StackId put(Frames frames);

  // Valid for ever. Empty for kNoStack and for what is no id of this depot.
  Frames get(StackId id) const;

  DepotStats stats() const;
  os::Mutex& mutex() { return mutex_; }  // for fork

  static constexpr size_t kDefaultCapacity = size_t{64} << 20;

 private:
  struct Node;
  using Bucket = std::atomic<StackId>;

  static constexpr size_t kChunkSize = size_t{1} << 20;
  static constexpr size_t kUnit = 8;  // ids count these
  static constexpr unsigned kOffsetBits = 17;
  static constexpr size_t kMaxChunks = 4096;
  static_assert(kChunkSize / kUnit == size_t{1} << kOffsetBits);

  StackId find(uint32_t hash, Frames frames, StackId from, StackId until) const;
  StackId add(uint32_t hash, Frames frames, Bucket& bucket, StackId seen);
  Node* allocate(size_t frame_count, StackId& id);
  const Node* node_at(StackId id) const;
  bool make_buckets();
  void reject();

  os::Mutex mutex_{os::LockRank::kDepot};
  size_t capacity_ = kDefaultCapacity;
  std::atomic<Bucket*> buckets_{nullptr};
  size_t bucket_count_ = 0;  // a power of two, written before buckets_
  size_t max_chunks_ = 0;
  size_t used_ = kChunkSize;  // of the newest chunk
  std::atomic<size_t> chunk_count_{0};
  std::atomic<size_t> stacks_{0};
  std::atomic<size_t> rejected_{0};
  std::atomic<bool> full_{false};
  std::atomic<std::byte*> chunks_[kMaxChunks] = {};
};

// The process's depot.
StackDepot& stack_depot();

}  // namespace gabion::backtrace

#endif  // GABION_BACKTRACE_STACK_DEPOT_H_
