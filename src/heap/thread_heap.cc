#include "src/heap/thread_heap.h"

#include <algorithm>
#include <bit>

#include "src/heap/heap.h"
#include "src/heap/page_heap.h"
#include "src/heap/range.h"
#include "src/heap/registry.h"
#include "src/heap/slab.h"

namespace gabion::heap {
namespace {

// Every so many slow calls: is memory old enough to go back, are bins idle?
constexpr uint32_t kDecayEvery = 64;
constexpr uint32_t kIdleEvery = 1024;

}  // namespace

// The sentinels in `slots_` are not written: a heap's memory comes fresh from the kernel, zeroed,
// and writing them would make all of its pages resident.
ThreadHeap::ThreadHeap(HeapId id) : ThreadCache{}, id_(id) {
  ThreadCache::owner_tag = heap::owner_tag(id);
  for (unsigned i = 0; i < kClassCount; ++i) {
    const auto c = static_cast<SizeClass>(i);
    tops[c].set(bottom(c));
    limits[c].set(bottom(c) + std::min(kInitialCacheSlots, cache_capacity(c)));
  }
}

void ThreadHeap::grow_limit(SizeClass c) {
  const auto limit = static_cast<uint32_t>(limits[c].get() - bottom(c));
  limits[c].set(bottom(c) + std::min(2 * limit, cache_capacity(c)));
}

void ThreadHeap::count_slow_call(SizeClass c) {
  used_[c] = true;
  ++slow_calls_;
  if (slow_calls_ % kDecayEvery == 0) {
    decay_pages();
    trim_old_orphans();
  }
  if (slow_calls_ % kIdleEvery == 0) shrink_idle_bins();
}

void ThreadHeap::shrink_idle_bins() {
  for (unsigned i = 0; i < kClassCount; ++i) {
    const auto c = static_cast<SizeClass>(i);
    if (!used_[c] && tops[c].get() != bottom(c)) {
      const auto n = static_cast<uint32_t>(tops[c].get() - bottom(c));
      tops[c].set(bottom(c));
      limits[c].set(bottom(c) + std::min(kInitialCacheSlots, cache_capacity(c)));
      put(c, bottom(c) + 1, n);
    }
    used_[c] = false;
  }
  outbox_.flush();
}

void* ThreadHeap::refill(SizeClass c) {
  count_slow_call(c);
  // The clock may be another library's, which allocated: then the bin is empty no more.
  if (void* const block = *tops[c].get(); block != nullptr) [[unlikely]] {
    tops[c].set(tops[c].get() - 1);
    return block;
  }
  // Half the room, so that a free or a further allocation right after it stays on the fast path.
  const auto room = static_cast<uint32_t>(limits[c].get() - bottom(c));
  void* blocks[kMaxCacheSlots];
  const uint32_t n = take(c, blocks, std::max(room / 2, 1u));
  report_corruption();
  if (n == 0) return nullptr;
  grow_limit(c);
  // The lowest address on top: memory is first used in the order of addresses.
  void** const base = bottom(c);
  for (uint32_t i = 1; i < n; ++i) base[n - i] = blocks[i];
  tops[c].set(base + (n - 1));
  return blocks[0];
}

void ThreadHeap::make_room(SizeClass c) {
  count_slow_call(c);
  void** const base = bottom(c);
  const auto n = static_cast<uint32_t>(tops[c].get() - base);
  const auto room = static_cast<uint32_t>(limits[c].get() - base);
  if (room < cache_capacity(c)) return grow_limit(c);
  // The older half goes. What stays moves down after the bin was made to say so.
  const uint32_t leaving = std::max(n / 2, 1u);
  void* blocks[kMaxCacheSlots];
  std::copy_n(base + 1, leaving, blocks);
  std::copy(base + 1 + leaving, base + 1 + n, base + 1);
  tops[c].set(base + (n - leaving));
  put(c, blocks, leaving);
}

uint32_t ThreadHeap::take(SizeClass c, void** out, uint32_t wanted) {
  if (has_pending()) collect_pending();
  Bin& bin = slabs_[c];
  uint32_t n = 0;
  while (n < wanted) {
    Span* span = bin.partial.front();
    if (span == nullptr) {
      if (n != 0) break;
      span = create_slab(id_, c);
      if (span == nullptr) break;
      look_at_range();  // the slab may lie in new pages
      bin.partial.push_front(span);
    }
    n += take_slots(*span, out + n, wanted - n);
    if (span->slab.free_slots == 0) bin.partial.remove(span);
  }
  bin.slots_out.add(n);
  return n;
}

void* ThreadHeap::take_one(SizeClass c) {
  void* block = nullptr;
  return take(c, &block, 1) == 1 ? block : nullptr;
}

void ThreadHeap::put(SizeClass c, void** blocks, uint32_t n) {
  const uint32_t expected = PageWord::slab(id_, c).bits();
  for (uint32_t i = 0; i < n;) {
    void* const block = blocks[i];
    // A block freed twice may have let its slab go meanwhile.
    if (page_word(page_of(block)).bits() != expected) [[unlikely]] {
      kConfiguration.on_corruption(Corruption::kDoubleFree, block);
      ++i;
      continue;
    }
    const Slot slot = find_slot(block, c);
    if (!slot.is_start()) [[unlikely]] {
      kConfiguration.on_corruption(Corruption::kInvalidPointer, block);
      ++i;
      continue;
    }
    // Neighbours in the cache are often neighbours in memory: one update for all of one word.
    uint64_t mask = slot.bit();
    const size_t size = kSizeClasses[c].size;
    const uintptr_t word_base = base::address_of(block) - (slot.index % kSlotsPerWord) * size;
    uint32_t run = 1;
    for (; i + run < n; ++run) {
      const size_t distance = base::address_of(blocks[i + run]) - word_base;
      if (distance >= kSlotsPerWord * size) break;
      const uint32_t position = slot_index(c, distance);
      const uint64_t bit = uint64_t{1} << position;
      const bool same_slab = slot.word() * kSlotsPerWord + position < slot.span->slots();
      if (position * size != distance || (mask & bit) != 0 || !same_slab) break;
      mask |= bit;
    }
    i += run;
    const uint64_t twice = put_slots(*slot.span, slot.word(), mask, run);
    if (twice != 0) [[unlikely]] {
      kConfiguration.on_corruption(Corruption::kDoubleFree, block);
      run -= base::count_bits(twice);
    }
    slots_returned(*slot.span, run);
  }
}

// A slab whose remote words hold bits although all its slots are free had a slot freed twice: then
// it stays, because its words are in a pending list.
void ThreadHeap::release_slab(Bin& bin, Span& span) {
  for (uint32_t w = 0; w < span.words(); ++w) {
    if (span.slab.remote[w].bits.load(std::memory_order_relaxed) != 0) [[unlikely]]
      return;
  }
  bin.partial.remove(&span);
  destroy_slab(span);
}

// `count` more slots of the slab are free: it may have become usable, or empty.
void ThreadHeap::slots_returned(Span& span, uint32_t count) {
  if (count == 0) return;
  Bin& bin = slabs_[span.size_class];
  bin.slots_out.subtract(count);
  if (span.slab.free_slots == count) bin.partial.push_back(&span);  // it was full
  if (span.slab.free_slots != span.slots()) return;
  // The last slab of a class that has free slots is kept, or else a load that alternates around
  // its edge would create and destroy it for ever. An orphan has no load.
  const bool last = bin.partial.front() == &span && bin.partial.back() == &span;
  if (last && state_.load(std::memory_order_relaxed) != State::kOrphan) return;
  release_slab(bin, span);
}

void ThreadHeap::push_pending(RemoteWord& word) {
  RemoteWord* head = pending_.load(std::memory_order_relaxed);
  do {
    word.next_pending = head;
    // Sequentially consistent, as is the exchange below: see make_orphan() in registry.cc.
  } while (!pending_.compare_exchange_weak(head, &word, std::memory_order_seq_cst,
                                           std::memory_order_relaxed));
}

void ThreadHeap::collect_pending() {
  RemoteWord* word = pending_.exchange(nullptr, std::memory_order_seq_cst);
  while (word != nullptr) {
    RemoteWord* const next = word->next_pending;  // before the exchange: see outbox.h
    const PageId page{word->page};
    const uint64_t bits = word->bits.exchange(0, std::memory_order_acq_rel);
    Span& span = span_at(page);
    const auto index = static_cast<uint32_t>(word - span.slab.remote);
    uint32_t count = base::count_bits(bits);
    const uint64_t twice = put_slots(span, index, bits, count);
    if (twice != 0) [[unlikely]] {
      const uint32_t slot = index * kSlotsPerWord + static_cast<uint32_t>(std::countr_zero(twice));
      freed_twice_ = slot_address(span, slot);
      count -= base::count_bits(twice);
    }
    slots_returned(span, count);
    word = next;
  }
}

void ThreadHeap::report_corruption() {
  if (freed_twice_ == nullptr) [[likely]]
    return;
  void* const block = freed_twice_;
  freed_twice_ = nullptr;
  kConfiguration.on_corruption(Corruption::kDoubleFree, block);
}

void ThreadHeap::flush_all() {
  outbox_.flush();
  for (unsigned i = 0; i < kClassCount; ++i) {
    const auto c = static_cast<SizeClass>(i);
    const auto n = static_cast<uint32_t>(tops[c].get() - bottom(c));
    tops[c].set(bottom(c));
    if (n != 0) put(c, bottom(c) + 1, n);
  }
  collect_pending();
  report_corruption();
}

void ThreadHeap::trim(size_t min_slot_size) {
  collect_pending();
  for (unsigned c = 0; c < kClassCount; ++c) {
    if (kSizeClasses[c].size < min_slot_size) continue;
    Bin& bin = slabs_[c];
    for (Span* span = bin.partial.front(); span != nullptr;) {
      Span* const next = Bin::PartialList::next(span);
      if (span->slab.free_slots == span->slots()) release_slab(bin, *span);
      span = next;
    }
  }
}

size_t ThreadHeap::bytes_out() const {
  size_t bytes = 0;
  for (unsigned c = 0; c < kClassCount; ++c) {
    bytes += size_t{slabs_[c].slots_out.get()} * kSizeClasses[c].size;
  }
  return bytes;
}

size_t ThreadHeap::bytes_cached() const {
  size_t bytes = 0;
  for (unsigned c = 0; c < kClassCount; ++c) {
    void* const* const top = tops[c].get();
    bytes += static_cast<size_t>(top - &slots_[kCacheOffsets[c]]) * kSizeClasses[c].size;
  }
  return bytes;
}

}  // namespace gabion::heap
