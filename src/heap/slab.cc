#include "src/heap/slab.h"

#include <algorithm>
#include <bit>
#include <new>

#include "src/heap/arena.h"
#include "src/heap/heap.h"
#include "src/heap/invariant.h"
#include "src/heap/page_heap.h"
#include "src/heap/range.h"

namespace gabion::heap {
namespace {

// The free bits and the remote words are one arena block. They lie in different cache lines, as
// the first are the owner's alone.
constexpr size_t kLine = 64;

size_t free_bits_bytes(uint32_t words) { return base::align_up(words * sizeof(uint64_t), kLine); }

size_t bitmap_bytes(uint32_t words) { return free_bits_bytes(words) + words * sizeof(RemoteWord); }

size_t side_bytes(const Span& span) { return span.slots() * kConfiguration.side_bytes; }

}  // namespace

void* slot_address(const Span& span, uint32_t index) {
  return static_cast<std::byte*>(page_address(page_of(span))) +
         size_t{index} * kSizeClasses[span.size_class].size;
}

std::byte* slot_side(const Span& span, uint32_t index) {
  if (span.slab.side == nullptr) return nullptr;
  return span.slab.side + index * kConfiguration.side_bytes;
}

Span* create_slab(HeapId owner, SizeClass size_class) {
  const SizeClassInfo& info = kSizeClasses[size_class];
  const uint32_t words = base::divide_up(info.slots, kSlotsPerWord);
  auto* bitmap = static_cast<std::byte*>(arena_allocate(bitmap_bytes(words)));
  if (bitmap == nullptr) return nullptr;
  std::byte* side = nullptr;
  if (kConfiguration.side_bytes != 0) {
    side = static_cast<std::byte*>(arena_allocate(info.slots * kConfiguration.side_bytes));
  }
  const bool side_missing = side == nullptr && kConfiguration.side_bytes != 0;
  const Run run = side_missing ? Run{} : allocate_run({info.slab_pages});
  if (!run) {
    if (side != nullptr) arena_free(side, info.slots * kConfiguration.side_bytes);
    arena_free(bitmap, bitmap_bytes(words));
    return nullptr;
  }

  Span& span = span_at(run.first);
  span.pages = run.pages;
  span.size_class = size_class;
  span.slab = {.free_bits = reinterpret_cast<base::Relaxed<uint64_t>*>(bitmap),
               .remote = reinterpret_cast<RemoteWord*>(bitmap + free_bits_bytes(words)),
               .side = side,
               .free_slots = info.slots,
               .first_free_word = 0,
               .partial = {}};
  for (uint32_t w = 0; w < words; ++w) {
    const uint32_t slots = std::min(kSlotsPerWord, info.slots - w * kSlotsPerWord);
    span.slab.free_bits[w].set(~uint64_t{0} >> (kSlotsPerWord - slots));
    new (&span.slab.remote[w])
        RemoteWord{.bits = 0, .next_pending = nullptr, .page = run.first.value};
  }
  const PageWord word = PageWord::slab(owner, size_class);
  mark_run(run.first, run.pages, word, word);
  return &span;
}

void destroy_slab(Span& span) {
  const Span::Slab slab = span.slab;
  const uint32_t words = span.words();
  const size_t side_size = side_bytes(span);
  // First the pages: from then on nobody who walks over pages sees this slab.
  free_run(page_of(span), span.pages, false);
  if (slab.side != nullptr) arena_free(slab.side, side_size);
  arena_free(slab.free_bits, bitmap_bytes(words));
}

uint32_t take_slots(Span& span, void** slots, uint32_t wanted) {
  Span::Slab& slab = span.slab;
  wanted = std::min(wanted, slab.free_slots);
  const size_t size = kSizeClasses[span.size_class].size;
  std::byte* const base = static_cast<std::byte*>(slot_address(span, 0));
  uint32_t word = slab.first_free_word;
  uint32_t taken = 0;
  while (taken < wanted) {
    uint64_t bits = slab.free_bits[word].get();
    for (; bits != 0 && taken < wanted; bits &= bits - 1) {
      const uint32_t index = word * kSlotsPerWord + static_cast<uint32_t>(std::countr_zero(bits));
      slots[taken++] = base + index * size;
    }
    slab.free_bits[word].set(bits);
    if (bits == 0) ++word;
  }
  slab.first_free_word = word;
  slab.free_slots -= taken;
  return taken;
}

void check_slab(const Span& span) {
  uint32_t free_slots = 0;
  for (uint32_t w = 0; w < span.words(); ++w) {
    const uint64_t bits = span.slab.free_bits[w].get();
    const uint64_t remote = span.slab.remote[w].bits.load(std::memory_order_relaxed);
    free_slots += base::count_bits(bits);
    invariant((bits & remote) == 0, "a slot is free twice");
    invariant(bits == 0 || w >= span.slab.first_free_word, "a free slot before the first free");
    invariant(span.slab.remote[w].page == page_of(span).value, "a remote word of another slab");
  }
  invariant(free_slots == span.slab.free_slots, "free slots miscounted");
  for (uint32_t i = 0; i < span.pages.value; ++i) {
    const PageId page = page_of(span) + PageCount{i};
    invariant(head_of(page) == page_of(span), "a slab's page has another head");
    invariant(page_word(page).bits() == page_word(page_of(span)).bits(), "a slab's words differ");
  }
}

}  // namespace gabion::heap
