// The bytes that a live block holds, and how they are verified cheaply.
//
// The byte at an offset is a function of the block's seed and of the offset, so a byte that was
// lost, moved or written through another block shows. Blocks of up to kDenseBytes are written and
// checked whole. Of larger ones, these parts: the head, the tail, a few windows (w) at places that
// the seed chooses, and a word (|) in each page, or in each 256th part of the largest.
//
//   [head]....|....w..|.......|.....|w....|..........|..w.|......|.........|.....|.[tail]
#ifndef GABION_FUZZ_PATTERN_H_
#define GABION_FUZZ_PATTERN_H_

#include <cstddef>
#include <cstdint>

namespace gabion::fuzz {

inline constexpr std::size_t kDenseBytes = 4096;
inline constexpr std::size_t kNoDamage = SIZE_MAX;

// Writes the pattern for a block of `size` bytes.
void fill_pattern(std::byte* block, std::size_t size, std::uint64_t seed);

// The first offset below `limit` where a block that was filled with this `size` and `seed` differs,
// or kNoDamage. `limit` is less than `size` for a block that was shrunk since.
std::size_t first_damage(const std::byte* block, std::size_t size, std::size_t limit,
                         std::uint64_t seed);

// The first offset that is not zero, or kNoDamage. Looks at every byte of blocks of up to 64 KiB,
// and at both ends and at one word in each 512 bytes of larger ones.
std::size_t first_nonzero(const std::byte* block, std::size_t size);

}  // namespace gabion::fuzz

#endif  // GABION_FUZZ_PATTERN_H_
