// Size classes of small blocks: which sizes slots have, which class a request falls into, and how
// slabs of a class are cut.
//
// Steps of 16 bytes up to 1 KiB, then eight steps a doubling up to 64 KiB: above 128 bytes no
// block wastes more than 12.5 %. Larger requests get pages of their own (large.h).
#ifndef GABION_HEAP_SIZE_CLASS_H_
#define GABION_HEAP_SIZE_CLASS_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "src/heap/pages.h"

namespace gabion::heap {

using SizeClass = uint8_t;

inline constexpr size_t kGranule = 16;            // of slot sizes and of block alignment
inline constexpr size_t kFineSteps = 1024;        // up to here every multiple of the granule
inline constexpr unsigned kStepsPerDoubling = 8;  // above
inline constexpr size_t kMaxSmall = 64 * 1024;

inline constexpr unsigned kClassCount = static_cast<unsigned>(
    kFineSteps / kGranule +
    kStepsPerDoubling * (base::floor_log2(kMaxSmall) - base::floor_log2(kFineSteps)));

// A slab takes at least this much address space (only what is used becomes resident), and more
// pages when a class would waste over 1/32 of them behind its last slot or have few slots.
inline constexpr uint32_t kMinSlabPages = 4;
inline constexpr uint32_t kMaxSlabPages = 16;
inline constexpr size_t kMinSlotsPerSlab = 4;
inline constexpr size_t kMaxSlotsPerSlab = kMinSlabPages * kPageSize / kGranule;

// slot index = offset * reciprocal >> kReciprocalShift, exact for all offsets within a slab.
inline constexpr unsigned kReciprocalShift = 40;

struct SizeClassInfo {
  uint32_t size;
  uint32_t slab_pages;
  uint32_t slots;
  uint64_t reciprocal;
};

namespace size_class_detail {

constexpr uint32_t class_size(unsigned size_class) {
  constexpr unsigned kFine = kFineSteps / kGranule;
  if (size_class < kFine) return static_cast<uint32_t>((size_class + 1) * kGranule);
  const unsigned doubling = (size_class - kFine) / kStepsPerDoubling;
  const unsigned step = (size_class - kFine) % kStepsPerDoubling + 1;
  const size_t from = kFineSteps << doubling;
  return static_cast<uint32_t>(from + from / kStepsPerDoubling * step);
}

constexpr uint32_t slab_pages(size_t size) {
  uint32_t best = kMaxSlabPages;
  size_t best_waste = SIZE_MAX;
  for (uint32_t pages = kMinSlabPages; pages <= kMaxSlabPages; ++pages) {
    const size_t bytes = pages * kPageSize;
    if (bytes / size < kMinSlotsPerSlab) continue;
    const size_t waste = (bytes % size) * 1024 / bytes;
    if (waste <= 1024 / 32) return pages;
    if (waste < best_waste) {
      best = pages;
      best_waste = waste;
    }
  }
  return best;
}

constexpr std::array<SizeClassInfo, kClassCount> make_classes() {
  std::array<SizeClassInfo, kClassCount> classes{};
  for (unsigned c = 0; c < kClassCount; ++c) {
    const uint32_t size = class_size(c);
    const uint32_t pages = slab_pages(size);
    classes[c] = {size, pages, static_cast<uint32_t>(pages * kPageSize / size),
                  ((uint64_t{1} << kReciprocalShift) + size - 1) / size};
  }
  return classes;
}

constexpr auto make_lookup(const std::array<SizeClassInfo, kClassCount>& classes) {
  std::array<SizeClass, kMaxSmall / kGranule + 1> lookup{};
  SizeClass c = 0;
  for (size_t i = 0; i < lookup.size(); ++i) {
    while (classes[c].size < i * kGranule) ++c;
    lookup[i] = c;
  }
  return lookup;
}

}  // namespace size_class_detail

inline constexpr std::array<SizeClassInfo, kClassCount> kSizeClasses =
    size_class_detail::make_classes();

inline constexpr std::array<SizeClass, kMaxSmall / kGranule + 1> kSizeToClass =
    size_class_detail::make_lookup(kSizeClasses);

// The class of a request of at most kMaxSmall bytes; 0 bytes take the smallest.
constexpr SizeClass size_class_of(size_t size) {
  return kSizeToClass[(size + (kGranule - 1)) / kGranule];
}

constexpr uint32_t slot_index(SizeClass c, size_t offset) {
  return static_cast<uint32_t>(offset * kSizeClasses[c].reciprocal >> kReciprocalShift);
}

static_assert(kClassCount < 256);
static_assert(kSizeClasses.front().size == kGranule);
static_assert(kSizeClasses.back().size == kMaxSmall);
static_assert([] {
  for (unsigned c = 0; c < kClassCount; ++c) {
    const SizeClassInfo& info = kSizeClasses[c];
    if (info.size % kGranule != 0 || info.slots < kMinSlotsPerSlab) return false;
    if (info.slots > kMaxSlotsPerSlab) return false;
    if (c > 0) {
      const uint32_t previous = kSizeClasses[c - 1].size;
      if (info.size <= previous) return false;
      // The worst request of this class is one byte more than the previous class holds.
      if (previous >= 128 && (info.size - previous - 1) * 8 > info.size) return false;
    }
  }
  return true;
}());

}  // namespace gabion::heap

#endif  // GABION_HEAP_SIZE_CLASS_H_
