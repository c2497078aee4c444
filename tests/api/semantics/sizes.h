// The sizes and alignments that the table goes through.

#ifndef GABION_TESTS_API_SEMANTICS_SIZES_H_
#define GABION_TESTS_API_SEMANTICS_SIZES_H_

#include <cstddef>
#include <cstdint>

namespace gabion::testing {

inline constexpr size_t kMaximum = PTRDIFF_MAX;

// Small, around what allocators round to, large, huge.
inline constexpr size_t kPossibleSizes[] = {0,       1,
                                            7,       8,
                                            15,      16,
                                            17,      24,
                                            25,      31,
                                            32,      33,
                                            63,      64,
                                            65,      100,
                                            127,     128,
                                            129,     256,
                                            1000,    1023,
                                            1024,    1025,
                                            2048,    4095,
                                            4096,    4097,
                                            8192,    10000,
                                            32768,   65536,
                                            131072,  200000,
                                            1 << 20, (1 << 20) + 1,
                                            4 << 20, (32 << 20) + 7,
                                            64 << 20};

// More than any machine maps, and more than a size may be.
inline constexpr size_t kImpossibleSizes[] = {
    size_t{1} << 60, kMaximum - 4096, kMaximum - 16, kMaximum,      kMaximum + 1, kMaximum + 17,
    SIZE_MAX - 8192, SIZE_MAX - 4096, SIZE_MAX - 64, SIZE_MAX - 15, SIZE_MAX - 1, SIZE_MAX};

}  // namespace gabion::testing

#endif  // GABION_TESTS_API_SEMANTICS_SIZES_H_
