#include "src/backtrace/stack_depot.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "src/base/bits.h"
#include "src/os/memory.h"
#include "src/os/process.h"

namespace gabion::backtrace {

struct StackDepot::Node {
  StackId next;
  uint32_t hash;
  uint64_t size;

  const uintptr_t* frames() const { return reinterpret_cast<const uintptr_t*>(this + 1); }
  uintptr_t* frames() { return reinterpret_cast<uintptr_t*>(this + 1); }
};

namespace {

// Two independent chains of multiplications, which take half the time of one.
uint32_t hash_of(Frames frames) {
  constexpr uint64_t kFactor = 0x9e3779b97f4a7c15;
  uint64_t a = frames.size(), b = kFactor;
  size_t i = 0;
  for (; i + 1 < frames.size(); i += 2) {
    a = (a ^ frames[i]) * kFactor;
    b = (b ^ frames[i + 1]) * kFactor;
    a ^= a >> 32;
    b ^= b >> 32;
  }
  if (i < frames.size()) a = (a ^ frames[i]) * kFactor;
  const uint64_t h = (a ^ (b << 1)) * kFactor;
  return static_cast<uint32_t>(h >> 32);
}

constinit StackDepot process_depot;

}  // namespace

void StackDepot::set_capacity(size_t bytes) {
  os::MutexLock lock(mutex_);
  if (buckets_.load(std::memory_order_relaxed) == nullptr) capacity_ = bytes;
}

// Under the lock. One bucket for each 256 bytes of capacity: about one for each stack when full.
bool StackDepot::make_buckets() {
  constexpr size_t kBytesPerBucket = 256;
  const size_t capacity = std::min(capacity_, kMaxChunks * kChunkSize);
  const size_t wanted = std::max(capacity / kBytesPerBucket, os::page_size() / sizeof(Bucket));
  const size_t count = size_t{1} << base::floor_log2(wanted);
  const size_t bytes = base::align_up(count * sizeof(Bucket), os::page_size());
  if (capacity < bytes + kChunkSize) return false;
  void* memory = os::map_anywhere(bytes);
  if (memory == nullptr) return false;
  bucket_count_ = count;
  max_chunks_ = (capacity - bytes) / kChunkSize;
  // Fresh pages are zero, which is what empty buckets are.
  buckets_.store(static_cast<Bucket*>(memory), std::memory_order_release);
  return true;
}

const StackDepot::Node* StackDepot::node_at(StackId id) const {
  const std::byte* chunk = chunks_[id >> kOffsetBits].load(std::memory_order_acquire);
  return reinterpret_cast<const Node*>(chunk + (id & ((1u << kOffsetBits) - 1)) * kUnit);
}

StackId StackDepot::find(uint32_t hash, Frames frames, StackId from, StackId until) const {
  for (StackId id = from; id != until;) {
    const Node* node = node_at(id);
    if (node->hash == hash && node->size == frames.size() &&
        memcmp(node->frames(), frames.data(), frames.size_bytes()) == 0) {
      return id;
    }
    id = node->next;
  }
  return kNoStack;
}

StackId StackDepot::put(Frames frames) {
  if (frames.empty()) return kNoStack;
  frames = frames.first(std::min(frames.size(), kMaxFrames));
  Bucket* buckets = buckets_.load(std::memory_order_acquire);
  const uint32_t hash = hash_of(frames);
  StackId seen = kNoStack;
  if (buckets != nullptr) {
    seen = buckets[hash & (bucket_count_ - 1)].load(std::memory_order_acquire);
    const StackId id = find(hash, frames, seen, kNoStack);
    if (id != kNoStack) return id;
  }
  StackId id = kNoStack;
  if (!full_.load(std::memory_order_relaxed)) {
    os::MutexLock lock(mutex_);
    if (buckets_.load(std::memory_order_relaxed) != nullptr || make_buckets()) {
      buckets = buckets_.load(std::memory_order_relaxed);
      id = add(hash, frames, buckets[hash & (bucket_count_ - 1)], seen);
    }
  }
  if (id == kNoStack) reject();
  return id;
}

// Under the lock. `seen` is the bucket's value when it was searched.
StackId StackDepot::add(uint32_t hash, Frames frames, Bucket& bucket, StackId seen) {
  const StackId newest = bucket.load(std::memory_order_relaxed);
  StackId id = find(hash, frames, newest, seen);
  if (id != kNoStack) return id;
  Node* node = allocate(frames.size(), id);
  if (node == nullptr) return kNoStack;
  node->next = newest;
  node->hash = hash;
  node->size = frames.size();
  memcpy(node->frames(), frames.data(), frames.size_bytes());
  bucket.store(id, std::memory_order_release);
  stacks_.store(stacks_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  return id;
}

// Under the lock.
StackDepot::Node* StackDepot::allocate(size_t frame_count, StackId& id) {
  const size_t size = sizeof(Node) + frame_count * sizeof(uintptr_t);
  size_t chunk = chunk_count_.load(std::memory_order_relaxed);
  if (kChunkSize - used_ < size) {
    if (chunk == max_chunks_) return nullptr;
    void* memory = os::map_anywhere(kChunkSize);
    if (memory == nullptr) return nullptr;
    chunks_[chunk].store(static_cast<std::byte*>(memory), std::memory_order_release);
    chunk_count_.store(++chunk, std::memory_order_release);
    // Offset 0 of chunk 0 would be the id kNoStack.
    used_ = chunk == 1 ? kUnit : 0;
  }
  id = static_cast<StackId>((chunk - 1) << kOffsetBits | used_ / kUnit);
  auto* node = new (chunks_[chunk - 1].load(std::memory_order_relaxed) + used_) Node;
  used_ += size;
  return node;
}

void StackDepot::reject() {
  rejected_.fetch_add(1, std::memory_order_relaxed);
  if (!full_.exchange(true, std::memory_order_relaxed)) {
    os::warn("the stack depot is full: new stacks are no longer recorded (see depot_mib)");
  }
}

Frames StackDepot::get(StackId id) const {
  if (id == kNoStack) return {};
  const size_t chunk = id >> kOffsetBits;
  if (chunk >= chunk_count_.load(std::memory_order_acquire)) return {};
  const Node* node = node_at(id);
  // A made-up id may point anywhere into a chunk.
  const size_t room = kChunkSize - (id & ((1u << kOffsetBits) - 1)) * kUnit;
  if (room < sizeof(Node) || node->size > kMaxFrames ||
      node->size * sizeof(uintptr_t) > room - sizeof(Node)) {
    return {};
  }
  return {node->frames(), node->size};
}

DepotStats StackDepot::stats() const {
  const bool started = buckets_.load(std::memory_order_acquire) != nullptr;
  const size_t buckets =
      started ? base::align_up(bucket_count_ * sizeof(Bucket), os::page_size()) : 0;
  return {.stacks = stacks_.load(std::memory_order_relaxed),
          .memory = buckets + chunk_count_.load(std::memory_order_relaxed) * kChunkSize,
          .capacity = capacity_,
          .rejected = rejected_.load(std::memory_order_relaxed)};
}

StackDepot& stack_depot() { return process_depot; }

}  // namespace gabion::backtrace
