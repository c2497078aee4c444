#include "src/hardening/checked.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "src/hardening/block_ref.h"
#include "src/hardening/canary_check.h"
#include "src/hardening/fill.h"
#include "src/hardening/inspect.h"
#include "src/hardening/options.h"
#include "src/hardening/process_state.h"
#include "src/hardening/stacks.h"
#include "src/hardening/violation.h"
#include "src/hardening/waiting.h"
#include "src/os/syscall.h"
#include "src/report/region.h"

namespace gabion::hardening::checked {
namespace {

using backtrace::CallSite;
using report::AccessKind;
using report::BugKind;
using report::Found;

// realloc in debug moves a block, so that pointers to its old place are found out, unless the copy
// would cost more than that is worth: blocks from here on are resized where they are.
constexpr size_t kResizeInPlace = size_t{256} << 10;
// And from here on the kernel moves the pages: a copy would be resident twice.
constexpr size_t kMovePages = kProfile.backtraces ? size_t{32} << 20 : kResizeInPlace;

void* take_slot(const Request& request) {
  const size_t alignment = request.alignment.bytes();
  const size_t size = kLayout.slot_request(request.size, alignment);
  if (alignment > heap::kMinAlignment) return heap::allocate_aligned(alignment, size);
  return request.zeroed ? heap::allocate_zeroed(size) : heap::allocate(size);
}

// `ref` is this thread's slot, its facts those of the block to be.
void* dress(BlockRef& ref, Event event) {
  write_canaries(ref);
  ref.record->begin_life(ref.facts, event, ref.slot_end - ref.slot);
  return base::pointer_at(ref.block());
}

BlockRef begin_block(void* slot, const Request& request) {
  BlockRef ref = find_slot(slot);
  ref.facts = {.state = State::kLive,
               .kind = request.kind,
               .alignment = request.alignment,
               .size = request.size};
  return ref;
}

void report_foreign(const void* pointer, AccessKind access, CallSite site) {
  const bool ours = heap::contains(pointer);
  if (!ours && !options().bad_free) return;
  const uintptr_t address = base::address_of(pointer);
  report_violation({.kind = BugKind::kBadFree,
                    .address = address,
                    .access = access,
                    .region = ours ? report::Region::kHeapGap : report::classify(address),
                    .site = &site});
}

void report_of_block(BugKind kind, const void* pointer, AccessKind access, const BlockRef& ref,
                     CallSite site) {
  report_violation({.kind = kind,
                    .address = base::address_of(pointer),
                    .access = access,
                    .block = &ref,
                    .site = &site});
}

// Another thread is freeing the block, or resizing it: what it was freed by is known in a moment,
// and belongs into the report. Not waited for longer: that thread may have been interrupted by the
// one that calls, or not exist in this child of fork.
BlockRef when_freed(const BlockRef& ref) {
  constexpr int kTries = 1000;
  for (int i = 0; i < kTries && ref.facts.state == State::kBusy; ++i) {
    const BlockRef now = find_slot(base::pointer_at(ref.slot));
    if (!now.exists() || now.facts.generation != ref.facts.generation) break;
    if (now.facts.state == State::kWaiting || now.facts.state == State::kFreed) return now;
    os::system_call(SYS_sched_yield);
  }
  return ref;
}

// Takes the live block at `pointer` out of the program's hands: it is busy then, and the caller's.
// Reports anything else that the pointer is.
std::optional<BlockRef> claim(const void* pointer, AccessKind access, CallSite site) {
  while (true) {
    BlockRef ref = find_slot(pointer);
    if (!ref.exists() || ref.facts.state == State::kUnused) {
      report_foreign(pointer, access, site);
      return std::nullopt;
    }
    if (ref.block() != base::address_of(pointer)) {
      report_of_block(BugKind::kBadFree, pointer, access, ref, site);
      return std::nullopt;
    }
    if (ref.facts.state != State::kLive) {
      const bool is_use = access == AccessKind::kRealloc;
      report_of_block(is_use ? BugKind::kHeapUseAfterFree : BugKind::kDoubleFree, pointer, access,
                      when_freed(ref), site);
      return std::nullopt;
    }
    if (ref.change(State::kBusy)) return ref;
  }
}

void check_release(const BlockRef& ref, const Release& release, CallSite site) {
  if (!options().mismatch) return;
  const std::optional<BugKind> kind = find_mismatch(ref.facts, release);
  if (!kind) return;
  const report::Mismatch mismatch{
      .allocated_with = ref.facts.kind,
      .released_with = release.with,
      .allocated_size = ref.facts.size,
      .released_size = release.size,
      .allocated_alignment = ref.facts.alignment.given() ? ref.facts.alignment.bytes() : 0,
      .released_alignment = release.alignment};
  report_violation({.kind = *kind,
                    .address = ref.block(),
                    .access = release.with,
                    .block = &ref,
                    .mismatch = &mismatch,
                    .site = &site});
}

// What the heap did with a slot, the block in it being `old`: the bytes that are the program's from
// now on are as a fresh block's, those that no longer are must not outlive it.
void* resized(const BlockRef& old, void* slot, size_t size, Event event) {
  BlockRef ref = find_slot(slot);
  ref.facts = old.facts.in(State::kLive);
  ref.facts.size = size;
  const uintptr_t old_end = ref.block() + old.facts.size;
  if constexpr (kProfile.fill) {
    fill_fresh({old_end, ref.bytes().end}, options().fill_bytes);
  }
  if constexpr (kProfile.zero_on_free) {
    // The old canary too, which a larger block would show to the program.
    const uintptr_t used_end = old_end + old.tail_canary().size();
    const ByteRange stale{std::min(old_end, ref.bytes().end), std::min(used_end, ref.slot_end)};
    if (!stale.empty()) memset(base::pointer_at(stale.begin), 0, stale.size());
  }
  return dress(ref, event);
}

// `old` is busy. nullptr: the block has to be copied, and nothing has changed.
void* try_resize(BlockRef& old, size_t size, CallSite site) {
  void* const slot = base::pointer_at(old.slot);
  const size_t request = kLayout.slot_request(size, old.facts.alignment.bytes());
  const size_t slot_size = old.slot_end - old.slot;
  if constexpr (!kProfile.fill) {
    if (request <= slot_size && request > slot_size / 2 && slot_size < kResizeInPlace) {
      return resized(old, slot, size, record_event(site));
    }
  }
  if (std::min(size, old.facts.size) < kResizeInPlace) return nullptr;
  if (heap::resize_in_place(slot, request)) return resized(old, slot, size, record_event(site));
  if (size < kMovePages || old.facts.alignment.bytes() > heap::kMinAlignment) return nullptr;
  // The old slot goes back to the heap within the call, and its record with it.
  const BlockRef before = old;
  if (!old.change(State::kFreed)) return nullptr;
  void* const moved = heap::reallocate(slot, request);
  if (moved != nullptr) return resized(before, moved, size, record_event(site));
  old.change(State::kBusy);
  return nullptr;
}

}  // namespace

void* allocate(const Request& request, CallSite site) {
  if (request.size > heap::kMaxSize || request.alignment.bytes() > heap::kMaxSize) return nullptr;
  ensure_initialized();
  const Event event = record_event(site);
  void* slot = take_slot(request);
  while (slot == nullptr) {
    if (!empty_quarantine()) return nullptr;
    slot = take_slot(request);
  }
  BlockRef ref = begin_block(slot, request);
  if constexpr (kProfile.fill) {
    if (!request.zeroed) fill_fresh(ref.bytes(), options().fill_bytes);
  }
  return dress(ref, event);
}

void release(void* block, const Release& release, CallSite site) {
  if (block == nullptr) return;
  ensure_initialized();
  std::optional<BlockRef> ref = claim(block, release.with, site);
  if (!ref) return;
  ref->record->set_freed(record_event(site));
  check_release(*ref, release, site);
  inspect(*ref, {.found = Found::kOnFree, .site = &site});
  put_into_quarantine(*ref);
}

void* reallocate(void* block, size_t size, CallSite site) {
  if (size > heap::kMaxSize) return nullptr;
  ensure_initialized();
  const Release as_release{.with = AccessKind::kRealloc};
  std::optional<BlockRef> old = claim(block, AccessKind::kRealloc, site);
  if (!old) return nullptr;
  check_release(*old, as_release, site);
  inspect(*old, {.found = Found::kOnRealloc, .site = &site});
  if (void* const resized_block = try_resize(*old, size, site)) return resized_block;
  void* const copy = allocate({.size = size}, site);
  if (copy == nullptr) {
    old->change(State::kLive);
    return nullptr;
  }
  memcpy(copy, block, std::min(size, old->facts.size));
  old->record->set_freed(record_event(site));
  put_into_quarantine(*old);
  return copy;
}

size_t usable_size(const void* block) {
  const BlockRef ref = find_slot(block);
  const bool is_live = ref.exists() && ref.facts.state == State::kLive;
  return is_live && ref.block() == base::address_of(block) ? ref.facts.size : 0;
}

void on_corruption(heap::Corruption what, void* pointer) {
  BlockRef ref = find_slot(pointer);
  const bool is_block = ref.exists() && ref.facts.state != State::kUnused;
  report_violation(
      {.kind = what == heap::Corruption::kDoubleFree ? BugKind::kDoubleFree : BugKind::kBadFree,
       .address = base::address_of(pointer),
       .block = is_block ? &ref : nullptr,
       .region = report::Region::kHeapGap});
}

}  // namespace gabion::hardening::checked
