#include "src/hardening/canary_check.h"

#include <algorithm>
#include <cstring>

#include "src/hardening/canary.h"

namespace gabion::hardening {
namespace {

using report::BugKind;

// Its canaries stand.
bool has_canaries(const BlockRef& ref) {
  return ref.exists() && (ref.facts.state == State::kLive || ref.facts.state == State::kWaiting);
}

ByteRange find_canary_damage(ByteRange canary) {
  return find_damage(canary, canary_pattern(canary.begin));
}

void repair(ByteRange canary, ByteRange damage) {
  write_pattern({std::max(canary.begin, damage.begin), std::min(canary.end, damage.end)},
                canary_pattern(canary.begin));
}

}  // namespace

void write_canaries(const BlockRef& ref) {
  if constexpr (kProfile.front_canary) {
    const ByteRange front = ref.front_canary();
    write_pattern(front, canary_pattern(front.begin));
  }
  const ByteRange tail = ref.tail_canary();
  write_pattern(tail, canary_pattern(tail.begin));
}

void erase_canaries(const BlockRef& ref) {
  if constexpr (!kProfile.zero_on_free) return;
  const ByteRange tail = ref.tail_canary();
  if (!tail.empty()) memset(base::pointer_at(tail.begin), 0, tail.size());
}

ByteRange find_front_damage(const BlockRef& ref) {
  if constexpr (!kProfile.front_canary) return {};
  return find_canary_damage(ref.front_canary());
}

ByteRange find_tail_damage(const BlockRef& ref) { return find_canary_damage(ref.tail_canary()); }

OutOfBounds find_tail_fault(const BlockRef& ref) {
  const ByteRange damage = find_tail_damage(ref);
  const OutOfBounds own{BugKind::kHeapBufferOverflow, ref, damage};
  if constexpr (!kProfile.front_canary) return own;
  if (damage.empty() || damage.end != ref.slot_end) return own;
  const BlockRef next = find_slot(base::pointer_at(ref.slot_end));
  if (!has_canaries(next) || next.slot != ref.slot_end) return own;
  const ByteRange next_damage = find_front_damage(next);
  if (next_damage.begin != next.slot || !next.unchanged()) return own;
  // An overflow begins where the block ends; one that does not, and runs into the next slot up to
  // that block's first byte, came from there.
  if (damage.begin != ref.tail_canary().begin && next_damage.end == next.block()) {
    return {BugKind::kHeapBufferUnderflow, next, {damage.begin, next_damage.end}};
  }
  return {BugKind::kHeapBufferOverflow, ref, {damage.begin, next_damage.end}};
}

OutOfBounds find_front_fault(const BlockRef& ref) {
  const ByteRange damage = find_front_damage(ref);
  const OutOfBounds own{BugKind::kHeapBufferUnderflow, ref, damage};
  if (damage.empty() || damage.begin != ref.slot) return own;
  const BlockRef previous = find_slot(base::pointer_at(ref.slot - 1));
  if (!has_canaries(previous) || previous.slot_end != ref.slot) return own;
  const ByteRange previous_damage = find_tail_damage(previous);
  if (previous_damage.empty() || previous_damage.end != ref.slot || !previous.unchanged()) {
    return own;
  }
  // It ends at our first byte and does not begin at the other's end: ours after all.
  if (damage.end == ref.block() && previous_damage.begin != previous.tail_canary().begin) {
    return {BugKind::kHeapBufferUnderflow, ref, {previous_damage.begin, damage.end}};
  }
  return {BugKind::kHeapBufferOverflow, previous, {previous_damage.begin, damage.end}};
}

void repair_canaries(const BlockRef& ref, ByteRange damage) {
  repair(ref.front_canary(), damage);
  repair(ref.tail_canary(), damage);
}

}  // namespace gabion::hardening
