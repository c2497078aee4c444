// The heap's unit of address space: a page of 16 KiB (not the kernel's page), numbered from the
// start of the heap range. Numbers and counts are types of their own, so that neither mixes with
// bytes.
#ifndef GABION_HEAP_PAGES_H_
#define GABION_HEAP_PAGES_H_

#include <compare>
#include <cstddef>
#include <cstdint>

#include "src/base/bits.h"

namespace gabion::heap {

inline constexpr unsigned kPageShift = 14;
inline constexpr size_t kPageSize = size_t{1} << kPageShift;

struct PageCount {
  uint32_t value = 0;

  constexpr size_t bytes() const { return size_t{value} << kPageShift; }
  // The pages that hold `bytes` bytes.
  static constexpr PageCount holding(size_t bytes) {
    return {static_cast<uint32_t>(base::divide_up(bytes, kPageSize))};
  }
  constexpr auto operator<=>(const PageCount&) const = default;
};

struct PageId {
  uint32_t value = 0;

  constexpr auto operator<=>(const PageId&) const = default;
};

constexpr PageCount operator+(PageCount a, PageCount b) { return {a.value + b.value}; }
constexpr PageCount operator-(PageCount a, PageCount b) { return {a.value - b.value}; }
constexpr PageId operator+(PageId id, PageCount n) { return {id.value + n.value}; }
constexpr PageId operator-(PageId id, PageCount n) { return {id.value - n.value}; }
constexpr PageCount operator-(PageId a, PageId b) { return {a.value - b.value}; }

// The most pages the range can have, and so the longest run. A run and its alignment add up without
// overflow.
inline constexpr PageCount kMaxRun = {1u << 30};

}  // namespace gabion::heap

#endif  // GABION_HEAP_PAGES_H_
