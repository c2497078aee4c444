#include "src/hardening/waiting.h"

#include <array>
#include <span>

#include "src/hardening/canary_check.h"
#include "src/hardening/fill.h"
#include "src/hardening/inspect.h"
#include "src/hardening/process_state.h"
#include "src/hardening/quarantine.h"
#include "src/hardening/thread_number.h"
#include "src/hardening/violation.h"

namespace gabion::hardening {
namespace {

constexpr size_t kBatch = 16;
using Batch = std::array<Quarantine::Entry, kBatch>;

// Address space is cheap but not free (ulimit -v): pages that were given back count this part.
constexpr size_t kGivenBackDivisor = 16;

size_t cost_of(const BlockRef& ref) {
  const size_t given_back_size = given_back(ref.bytes()).size();
  return ref.slot_end - ref.slot - given_back_size + given_back_size / kGivenBackDivisor +
         kSideBytes + sizeof(Quarantine::Entry);
}

void evict(const Quarantine::Entry& entry) {
  BlockRef ref = find_slot(base::pointer_at(entry.slot));
  // Two frees at one moment may both have passed (see StateRecord): this is the second.
  if (!ref.exists() || ref.facts.state != State::kWaiting) {
    report_violation({.kind = report::BugKind::kDoubleFree,
                      .found = report::Found::kOnEviction,
                      .address = ref.exists() ? ref.block() : entry.slot,
                      .block = ref.exists() ? &ref : nullptr});
    return;
  }
  inspect(ref, {.found = report::Found::kOnEviction});
  erase_canaries(ref);
  if (!ref.change(State::kFreed)) return;
  // A sweep that sees what the next owner writes must not see the record that was.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  heap::deallocate(base::pointer_at(ref.slot));
}

void evict(std::span<const Quarantine::Entry> entries) {
  for (const Quarantine::Entry& entry : entries) evict(entry);
}

}  // namespace

void put_into_quarantine(BlockRef& ref) {
  fill_freed(ref.bytes());
  const Quarantine::Entry entry{.slot = ref.slot, .cost = cost_of(ref)};
  if (!ref.change(State::kWaiting)) return;
  Batch victims;
  const size_t n = quarantine.push(entry, thread_number(), victims);
  evict(std::span(victims).first(n));
  while (quarantine.has_excess()) [[unlikely]] {
    evict(std::span(victims).first(quarantine.take_excess(victims)));
  }
}

bool empty_quarantine() {
  Batch victims;
  bool any = false;
  while (const size_t n = quarantine.drain(victims)) {
    evict(std::span(victims).first(n));
    any = true;
  }
  return any;
}

}  // namespace gabion::hardening
