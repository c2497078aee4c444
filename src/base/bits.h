// Bit and alignment arithmetic used by every layer.
#ifndef GABION_BASE_BITS_H_
#define GABION_BASE_BITS_H_

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace gabion::base {

template <std::unsigned_integral T>
constexpr bool is_power_of_two(T value) {
  return std::has_single_bit(value);
}

// `alignment` is a power of two; the result wraps when `value` is within `alignment` of the
// maximum.
template <std::unsigned_integral T>
constexpr T align_up(T value, T alignment) {
  return (value + (alignment - 1)) & ~(alignment - 1);
}

template <std::unsigned_integral T>
constexpr T align_down(T value, T alignment) {
  return value & ~(alignment - 1);
}

template <std::unsigned_integral T>
constexpr T divide_up(T value, T divisor) {
  return (value + divisor - 1) / divisor;
}

// Position of the highest set bit; `value` is not zero.
template <std::unsigned_integral T>
constexpr unsigned floor_log2(T value) {
  return static_cast<unsigned>(std::bit_width(value)) - 1;
}

// The smallest n with 2^n >= value; `value` is not zero.
template <std::unsigned_integral T>
constexpr unsigned ceil_log2(T value) {
  return value <= 1 ? 0 : floor_log2(static_cast<T>(value - 1)) + 1;
}

// Without the instruction, which not every x86-64 has, std::popcount is a call.
constexpr unsigned count_bits(uint64_t x) {
  x -= (x >> 1) & 0x5555'5555'5555'5555;
  x = (x & 0x3333'3333'3333'3333) + ((x >> 2) & 0x3333'3333'3333'3333);
  x = (x + (x >> 4)) & 0x0f0f'0f0f'0f0f'0f0f;
  return static_cast<unsigned>((x * 0x0101'0101'0101'0101) >> 56);
}

inline uintptr_t address_of(const void* p) { return reinterpret_cast<uintptr_t>(p); }

template <typename T = void>
T* pointer_at(uintptr_t address) {
  return reinterpret_cast<T*>(address);
}

}  // namespace gabion::base

#endif  // GABION_BASE_BITS_H_
