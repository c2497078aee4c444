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

inline uint8_t byte_at(uintptr_t address) { return *reinterpret_cast<const uint8_t*>(address); }

// Eight bytes of memory that belongs to the program, whatever type it gave them.
inline uint64_t word_at(uintptr_t address) {
  uint64_t word;
  memcpy(&word, reinterpret_cast<const void*>(address), sizeof word);
  return word;
}

// From the first to the last byte of `range` that differs from `pattern`, a type with
// `uint8_t byte(uintptr_t)` and `uint64_t word(uintptr_t multiple_of_8)`; empty if none does.
template <typename Pattern>
ByteRange find_damage(ByteRange range, const Pattern& pattern) {
  uintptr_t begin = range.begin;
  uintptr_t end = range.end;
  while (begin < end && begin % 8 != 0 && byte_at(begin) == pattern.byte(begin)) ++begin;
  if (begin < end && begin % 8 == 0) {
    while (end - begin >= 8 && word_at(begin) == pattern.word(begin)) begin += 8;
    while (begin < end && byte_at(begin) == pattern.byte(begin)) ++begin;
  }
  if (begin >= end) return {};
  // Rare from here on, but a damaged range may be long.
  while (end % 8 != 0 && end - begin > 1 && byte_at(end - 1) == pattern.byte(end - 1)) --end;
  if (end % 8 == 0) {
    while (end - begin > 8 && word_at(end - 8) == pattern.word(end - 8)) end -= 8;
    while (end - begin > 1 && byte_at(end - 1) == pattern.byte(end - 1)) --end;
  }
  return {begin, end};
}

template <typename Pattern>
void write_pattern(ByteRange range, const Pattern& pattern) {
  uintptr_t at = range.begin;
  for (; at < range.end && at % 8 != 0; ++at) {
    *reinterpret_cast<uint8_t*>(at) = pattern.byte(at);
  }
  for (; at < range.end && range.end - at >= 8; at += 8) {
    const uint64_t word = pattern.word(at);
    memcpy(reinterpret_cast<void*>(at), &word, sizeof word);
  }
  for (; at < range.end; ++at) *reinterpret_cast<uint8_t*>(at) = pattern.byte(at);
}

}  // namespace gabion::hardening

#endif  // GABION_HARDENING_BYTE_RANGE_H_
