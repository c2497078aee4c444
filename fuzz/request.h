// Sizes and alignments that are worth asking an allocator for.
#ifndef GABION_FUZZ_REQUEST_H_
#define GABION_FUZZ_REQUEST_H_

#include <cstddef>

#include "fuzz/input_reader.h"

namespace gabion::fuzz {

// The largest block that a target asks for, of those it can get.
inline constexpr std::size_t kMaxBlockBytes = std::size_t{32} << 20;

// At most kMaxBlockBytes; many are small, at the edge of a size class, or near a power of two.
std::size_t read_size(InputReader& input);

// No allocator on this machine can give it: from 2^47 to SIZE_MAX.
std::size_t read_impossible_size(InputReader& input);

// A power of two from 1 to 2 MiB, rarely 1 GiB.
std::size_t read_alignment(InputReader& input);

}  // namespace gabion::fuzz

#endif  // GABION_FUZZ_REQUEST_H_
