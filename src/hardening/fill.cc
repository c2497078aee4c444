#include "src/hardening/fill.h"

#include <algorithm>
#include <cstring>

#include "src/base/bits.h"
#include "src/os/memory.h"
#include "src/os/syscall.h"

namespace gabion::hardening {
namespace {

struct ConstantPattern {
  uint8_t value;
  uint8_t byte(uintptr_t) const { return value; }
  uint64_t word(uintptr_t) const { return value * uint64_t{0x0101010101010101}; }
};

void* pointer(uintptr_t address) { return base::pointer_at(address); }

void set(ByteRange range, uint8_t value) {
  if (!range.empty()) memset(pointer(range.begin), value, range.size());
}

// find_damage(), quick where there is none: 32 bytes a step, which compilers turn into vectors.
ByteRange find_change(ByteRange range, uint8_t value) {
  const ConstantPattern pattern{value};
  const uint64_t word = pattern.word(0);
  uintptr_t at = range.begin;
  uint64_t difference = 0;
  for (; at < range.end && range.end - at >= 32; at += 32) {
    difference |= (word_at(at) ^ word) | (word_at(at + 8) ^ word) | (word_at(at + 16) ^ word) |
                  (word_at(at + 24) ^ word);
  }
  return find_damage({difference == 0 ? at : range.begin, range.end}, pattern);
}

// Both are ranges of damage in one block, `earlier` before `later`.
ByteRange join(ByteRange earlier, ByteRange later) {
  if (earlier.empty()) return later;
  if (later.empty()) return earlier;
  return {earlier.begin, later.end};
}

// A page that was given back and is resident again was touched; if it was only read it is zero.
ByteRange find_damage_in_given_back(ByteRange pages) {
  constexpr size_t kBatch = 512;
  const size_t page = os::page_size();
  ByteRange damage;
  for (uintptr_t at = pages.begin; at < pages.end;) {
    unsigned char resident[kBatch];
    const size_t count = std::min(kBatch, (pages.end - at) / page);
    const bool known = os::system_call(SYS_mincore, at, count * page, resident).ok();
    for (size_t i = 0; i < count; ++i, at += page) {
      // Not known (the call is filtered): look at all of them.
      if (known && (resident[i] & 1) == 0) continue;
      damage = join(damage, find_change({at, at + page}, 0));
    }
  }
  return damage;
}

}  // namespace

ByteRange given_back(ByteRange block) {
  if (block.size() < kGiveBackSize) return {block.end, block.end};
  const uintptr_t page = os::page_size();
  return {base::align_up(block.begin, page), base::align_down(block.end, page)};
}

void fill_fresh(ByteRange block, size_t limit) {
  set({block.begin, block.begin + std::min(block.size(), limit)}, kFreshByte);
}

void fill_freed(ByteRange block) {
  const ByteRange pages = given_back(block);
  set({block.begin, pages.begin}, kFreedByte);
  if (pages.empty()) return;
  // Locked memory cannot be given back: it must read as zero all the same.
  if (!os::decommit(pointer(pages.begin), pages.size())) set(pages, 0);
  set({pages.end, block.end}, kFreedByte);
}

uint8_t freed_byte(ByteRange block, uintptr_t address) {
  return given_back(block).contains(address) ? 0 : kFreedByte;
}

ByteRange find_freed_damage(ByteRange block) {
  const ByteRange pages = given_back(block);
  ByteRange damage = find_change({block.begin, pages.begin}, kFreedByte);
  if (pages.empty()) return damage;
  damage = join(damage, find_damage_in_given_back(pages));
  return join(damage, find_change({pages.end, block.end}, kFreedByte));
}

}  // namespace gabion::hardening
