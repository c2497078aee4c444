// A range of addresses, and the damage found in one.
#ifndef GABION_HARDENING_BYTE_RANGE_H_
#define GABION_HARDENING_BYTE_RANGE_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace gabion::hardening {

struct ByteRange {
  uintptr_t begin = 0;
  uintptr_t end = 0;

  constexpr bool empty() const { return begin >= end; }
  constexpr size_t size() const { return empty() ? 0 : end - begin; }
  constexpr bool contains(uintptr_t address) const { return address >= begin && address < end; }
  constexpr bool operator==(const ByteRange&) const = default;
};

// Looks at memory may race with its owner, on purpose: whoever looks asks the record afterwards
// whether the memory was still what it took it for.
__attribute__((no_sanitize("thread"))) inline uint8_t byte_at(uintptr_t address) {
  return *reinterpret_cast<const uint8_t*>(address);
}

// Eight bytes of memory that belongs to the program, whatever type it gave them.
__attribute__((no_sanitize("thread"))) inline uint64_t word_at(uintptr_t address) {
  uint64_t word;
  memcpy(&word, reinterpret_cast<const void*>(address), sizeof word);
  return word;
}

// True if every byte of `range` is as `pattern` (see find_damage) has it. Looks at whole words, so
// also at the up to 7 bytes beside the range, which lie in the same page.
template <typename Pattern>
bool is_whole(ByteRange range, const Pattern& pattern) {
  if (range.empty()) return true;
  uintptr_t at = range.begin & ~uintptr_t{7};
  const uintptr_t last = (range.end - 1) & ~uintptr_t{7};
  uint64_t mask = ~uint64_t{0} << (8 * (range.begin & 7));
  uint64_t difference = 0;
  for (; at < last; at += 8, mask = ~uint64_t{0}) {
    difference |= (word_at(at) ^ pattern.word(at)) & mask;
  }
  mask &= ~uint64_t{0} >> (8 * (7 - ((range.end - 1) & 7)));
  return (difference | ((word_at(last) ^ pattern.word(last)) & mask)) == 0;
}

// From the first to the last byte of `range` that differs from `pattern`, a type with
// `uint8_t byte(uintptr_t)` and `uint64_t word(uintptr_t multiple_of_8)`; empty if none does.
template <typename Pattern>
ByteRange find_damage(ByteRange range, const Pattern& pattern) {
  if (is_whole(range, pattern)) [[likely]]
    return {};
  uintptr_t begin = range.begin;
  uintptr_t end = range.end;
  while (begin < end && begin % 8 != 0 && byte_at(begin) == pattern.byte(begin)) ++begin;
  if (begin < end && begin % 8 == 0) {
    while (end - begin >= 8 && word_at(begin) == pattern.word(begin)) begin += 8;
    while (begin < end && byte_at(begin) == pattern.byte(begin)) ++begin;
  }
  if (begin >= end) return {};  // another thread has mended it
  while (end % 8 != 0 && end - begin > 1 && byte_at(end - 1) == pattern.byte(end - 1)) --end;
  if (end % 8 == 0) {
    while (end - begin > 8 && word_at(end - 8) == pattern.word(end - 8)) end -= 8;
    while (end - begin > 1 && byte_at(end - 1) == pattern.byte(end - 1)) --end;
  }
  return {begin, end};
}

// Bytes beside the range are left alone: they may be another thread's.
template <typename Pattern>
void write_pattern(ByteRange range, const Pattern& pattern) {
  uintptr_t at = range.begin;
  const auto put = [&at]<typename Word>(uint64_t word, Word) {
    const auto part = static_cast<Word>(word >> (8 * (at & 7)));
    memcpy(reinterpret_cast<void*>(at), &part, sizeof part);
    at += sizeof part;
  };
  if (range.size() >= 8) {
    const uint64_t first = pattern.word(at & ~uintptr_t{7});
    if ((at & 1) != 0) put(first, uint8_t{});
    if ((at & 2) != 0) put(first, uint16_t{});
    if ((at & 4) != 0) put(first, uint32_t{});
    while (range.end - at >= 8) put(pattern.word(at), uint64_t{});
  }
  while (at < range.end) put(pattern.word(at & ~uintptr_t{7}), uint8_t{});
}

}  // namespace gabion::hardening

#endif  // GABION_HARDENING_BYTE_RANGE_H_
