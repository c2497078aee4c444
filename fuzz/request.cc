#include "fuzz/request.h"

#include <algorithm>
#include <cstdint>

namespace gabion::fuzz {
namespace {

// `base` moved by -8 to 7, but not below 0.
std::size_t nudge(std::size_t base, std::size_t nibble) {
  return std::max<std::size_t>(base + nibble, 8) - 8;
}

// Eight steps in each doubling, where size classes tend to end.
std::size_t step_between_doublings(std::size_t selector) {
  return (8 + selector % 8) << (selector / 8);
}

}  // namespace

std::size_t read_size(InputReader& input) {
  const std::size_t tag = input.byte();
  const std::size_t low = tag % 32;
  switch (tag / 32) {
    case 0:
      return low;
    case 1:
      return low * 32;
    case 2:
      return input.byte();
    case 3:
      return input.number(2);
    case 4:
      return nudge(std::size_t{1} << (low % 25), input.below(16));
    case 5:  // up to 120 KiB
      return nudge(step_between_doublings(low + 32 * input.below(3)), input.below(16));
    case 6:
      return input.number(3) % (std::size_t{1} << 22);
    default:
      return input.number(4) % (kMaxBlockBytes + 1);
  }
}

std::size_t read_impossible_size(InputReader& input) {
  constexpr std::size_t kLargestObject = PTRDIFF_MAX;
  const std::size_t tag = input.byte();
  switch (tag % 4) {
    case 0:
      return SIZE_MAX - input.byte();
    case 1:
      return kLargestObject - 64 + input.byte();
    case 2:
      return SIZE_MAX - (std::size_t{1} << (tag / 4 % 48)) - input.below(16);
    default:
      return (std::size_t{1} << (47 + tag / 4 % 17)) + input.number(2);
  }
}

std::size_t read_alignment(InputReader& input) {
  const std::size_t tag = input.byte();
  return std::size_t{1} << (tag == 255 ? 30 : tag % 22);
}

}  // namespace gabion::fuzz
