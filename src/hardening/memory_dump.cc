#include "src/hardening/memory_dump.h"

#include <algorithm>
#include <cstring>

#include "src/base/bits.h"
#include "src/hardening/canary.h"
#include "src/hardening/fill.h"

namespace gabion::hardening {
namespace {

constexpr ByteRange intersection(ByteRange a, ByteRange b) {
  return {std::max(a.begin, b.begin), std::min(a.end, b.end)};
}

}  // namespace

MemoryDump::MemoryDump(const BlockRef& block, ByteRange damage) : damage_(damage) {
  ByteRange known{block.slot, block.slot_end};
  BlockRef other;  // the neighbour, if the damage reaches into it
  if (damage.begin < block.slot) other = find_slot(base::pointer_at(damage.begin));
  if (damage.end > block.slot_end) other = find_slot(base::pointer_at(damage.end - 1));
  if (other.exists()) {
    known = {std::min(known.begin, other.slot), std::max(known.end, other.slot_end)};
  }
  const uintptr_t begin = base::align_down(damage.begin, uintptr_t{kRow}) - kRowsBefore * kRow;
  window_ = intersection({begin, begin + kSize}, known);
  memcpy(found_.data(), base::pointer_at(window_.begin), window_.size());
  expect(block);
  if (other.exists()) expect(other);
}

void MemoryDump::expect_canary(ByteRange canary) {
  const CanaryPattern pattern = canary_pattern(canary.begin);
  const ByteRange shown = intersection(canary, window_);
  for (uintptr_t at = shown.begin; at < shown.end; ++at) {
    expected_[at - window_.begin] = pattern.byte(at);
    checked_[at - window_.begin] = 1;
  }
}

void MemoryDump::expect(const BlockRef& ref) {
  expect_canary(ref.tail_canary());
  if constexpr (kProfile.front_canary) expect_canary(ref.front_canary());
  if (ref.facts.state != State::kWaiting) return;
  const ByteRange shown = intersection(ref.bytes(), window_);
  for (uintptr_t at = shown.begin; at < shown.end; ++at) {
    expected_[at - window_.begin] = freed_byte(ref.bytes(), at);
    checked_[at - window_.begin] = 1;
  }
}

report::Damage MemoryDump::describe(const BlockRef& block) const {
  const size_t size = window_.size();
  return {.offset = static_cast<ptrdiff_t>(damage_.begin - block.block()),
          .length = damage_.size(),
          .dump_address = window_.begin,
          .dump = {found_.data(), size},
          .expected = {expected_.data(), size},
          .checked = {checked_.data(), size}};
}

}  // namespace gabion::hardening
