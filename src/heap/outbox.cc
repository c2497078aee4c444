#include "src/heap/outbox.h"

#include <bit>

#include "src/heap/heap.h"
#include "src/heap/range.h"
#include "src/heap/registry.h"
#include "src/heap/thread_heap.h"

namespace gabion::heap {
namespace {

void report_twice(const Span& span, uint32_t word, uint64_t mask) {
  for (; mask != 0; mask &= mask - 1) {
    const uint32_t index = word * kSlotsPerWord + static_cast<uint32_t>(std::countr_zero(mask));
    kConfiguration.on_corruption(Corruption::kDoubleFree, slot_address(span, index));
  }
}

}  // namespace

void return_slots(PageId slab, uint32_t word, uint64_t mask) {
  Span& span = span_at(slab);
  const PageWord page = page_word(slab);
  // A slot freed twice may have let its slab go meanwhile; then nothing here is to be touched.
  if (!page.is_slab() || head_of(slab) != slab || word >= span.words()) {
    kConfiguration.on_corruption(Corruption::kDoubleFree, page_address(slab));
    return;
  }
  RemoteWord& remote = span.slab.remote[word];
  const uint64_t before = remote.bits.fetch_or(mask, std::memory_order_acq_rel);
  if (before == 0) push_pending(page.owner(), remote);
  if ((before & mask) != 0) [[unlikely]]
    report_twice(span, word, before & mask);
}

void Outbox::add(const Slot& slot) {
  const PageId slab = page_of(*slot.span);
  // Neighbouring words of a slab, and neighbouring slabs, fall into different entries.
  Entry& entry = entries_[(slab.value / kMinSlabPages + slot.word()) % kEntries];
  if (entry.mask != 0 && (entry.slab != slab || entry.word != slot.word())) flush(entry);
  entry.slab = slab;
  entry.word = slot.word();
  if ((entry.mask & slot.bit()) != 0) [[unlikely]] {
    return report_twice(*slot.span, slot.word(), slot.bit());
  }
  entry.mask |= slot.bit();
  bytes_ += kSizeClasses[slot.size_class].size;
  if (bytes_ > kMaxBytes) flush();
}

void Outbox::flush() {
  if (bytes_ == 0) return;
  for (Entry& entry : entries_) {
    if (entry.mask != 0) flush(entry);
  }
  bytes_ = 0;
}

void Outbox::flush(Entry& entry) {
  const uint64_t mask = entry.mask;
  entry.mask = 0;
  return_slots(entry.slab, entry.word, mask);
}

}  // namespace gabion::heap
