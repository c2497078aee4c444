// The alignment that a caller asked for, as the allocation functions of glibc 2.36 read it.
#ifndef GABION_API_ALIGNMENT_H_
#define GABION_API_ALIGNMENT_H_

#include <bit>
#include <cstddef>
#include <cstdint>

namespace gabion::api {

// Not std::has_single_bit: without the popcnt instruction that is a call into libgcc.
constexpr bool is_power_of_two(size_t value) { return value != 0 && (value & (value - 1)) == 0; }

// No larger power of two fits into a size_t; glibc answers EINVAL above it.
inline constexpr size_t kMaxAlignment = SIZE_MAX / 2 + 1;

// aligned_alloc and memalign take any alignment: what is no power of two is rounded up to one, and
// 0 asks for nothing. The argument is at most kMaxAlignment.
constexpr size_t rounded_alignment(size_t alignment) { return std::bit_ceil(alignment); }

// posix_memalign takes "a power of two multiple of sizeof(void *)" only (POSIX.1-2024).
constexpr bool is_posix_alignment(size_t alignment) {
  return is_power_of_two(alignment) && alignment >= sizeof(void*);
}

static_assert(rounded_alignment(0) == 1 && rounded_alignment(24) == 32);
static_assert(rounded_alignment(kMaxAlignment) == kMaxAlignment);
static_assert(!is_posix_alignment(0) && !is_posix_alignment(4) && !is_posix_alignment(24));
static_assert(is_posix_alignment(8) && is_posix_alignment(kMaxAlignment));

}  // namespace gabion::api

#endif  // GABION_API_ALIGNMENT_H_
