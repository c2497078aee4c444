#include "src/hardening/inspect.h"

#include "src/hardening/canary_check.h"
#include "src/hardening/fill.h"
#include "src/hardening/violation.h"

namespace gabion::hardening {
namespace {

void report_out_of_bounds(const OutOfBounds& fault, const Occasion& occasion) {
  if (fault.damage.empty()) return;
  report_violation({.kind = fault.kind,
                    .found = occasion.found,
                    .address = fault.damage.begin,
                    .access = report::AccessKind::kWrite,
                    .block = &fault.block,
                    .damage = fault.damage,
                    .site = occasion.site});
}

// A block that waits may be another one by now: only a live one is known to stay for a while.
void mend_neighbour(uintptr_t address, ByteRange damage) {
  const BlockRef ref = find_slot(base::pointer_at(address));
  if (ref.exists() && ref.facts.state == State::kLive) repair_canaries(ref, damage);
}

void mend(const BlockRef& ref, const OutOfBounds& fault) {
  if (fault.damage.empty()) return;
  repair_canaries(ref, fault.damage);
  if (fault.block.slot != ref.slot) {
    if (fault.block.unchanged()) repair_canaries(fault.block, fault.damage);
    return;
  }
  // Our own damage may reach into the slots beside.
  if (fault.damage.begin < ref.slot) mend_neighbour(ref.slot - 1, fault.damage);
  if (fault.damage.end > ref.slot_end) mend_neighbour(ref.slot_end, fault.damage);
}

void inspect_out_of_bounds(const BlockRef& ref, const OutOfBounds& fault,
                           const Occasion& occasion) {
  report_out_of_bounds(fault, occasion);
  mend(ref, fault);
}

bool is_whole(const BlockRef& ref) {
  return find_tail_damage(ref).empty() && find_front_damage(ref).empty() &&
         (ref.facts.state != State::kWaiting || find_freed_damage(ref.bytes()).empty());
}

[[gnu::noinline]] void inspect_damaged(const BlockRef& ref, const Occasion& occasion) {
  inspect_out_of_bounds(ref, find_front_fault(ref), occasion);
  inspect_out_of_bounds(ref, find_tail_fault(ref), occasion);
  if (ref.facts.state != State::kWaiting) return;
  const ByteRange damage = find_freed_damage(ref.bytes());
  if (damage.empty()) return;
  report_violation({.kind = report::BugKind::kHeapUseAfterFree,
                    .found = occasion.found,
                    .address = damage.begin,
                    .access = report::AccessKind::kWrite,
                    .block = &ref,
                    .damage = damage,
                    .site = occasion.site});
}

}  // namespace

bool is_damaged(const BlockRef& ref) { return !is_whole(ref) && ref.unchanged(); }

void inspect(const BlockRef& ref, const Occasion& occasion) {
  if (!is_whole(ref)) [[unlikely]]
    inspect_damaged(ref, occasion);
}

}  // namespace gabion::hardening
