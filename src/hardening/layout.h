// Where a block lies in its slot.
//
//   slot start                                                slot end
//   | front (debug)  | the program's bytes | tail: at least one byte |
//   |   canary       |                     | canary ...              |
//                    ^ the program's pointer
//
// The front is as long as the alignment (16 at least), so that the pointer is aligned as the slot
// is. Canaries are bounded: those of a large block may not make pages resident that the program
// never touches.
#ifndef GABION_HARDENING_LAYOUT_H_
#define GABION_HARDENING_LAYOUT_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "src/base/bits.h"
#include "src/hardening/byte_range.h"
#include "src/hardening/profile.h"

namespace gabion::hardening {

struct Layout {
  bool front = kProfile.front_canary;
  size_t tail_limit = kProfile.tail_canary_limit;

  // Blocks aligned more than this have no front: it would double the address space they take.
  static constexpr size_t kMaxFront = size_t{1} << 20;
  static constexpr size_t kMaxFrontCanary = 4096;
  // From this size on a tail canary ends with the page it begins in, unless that leaves it less
  // than kMinTail.
  static constexpr size_t kLarge = size_t{16} << 10;
  static constexpr size_t kTailPage = 4096;
  static constexpr size_t kMinTail = 64;

  constexpr size_t front_size(size_t alignment) const {
    if (!front || alignment > kMaxFront) return 0;
    return std::max(alignment, size_t{16});
  }

  // What to ask the heap for. `size` is at most PTRDIFF_MAX, so nothing wraps.
  constexpr size_t slot_request(size_t size, size_t alignment) const {
    return front_size(alignment) + size + (tail_limit != 0 ? 1 : 0);
  }

  constexpr ByteRange front_canary(uintptr_t slot, size_t alignment) const {
    const size_t size = front_size(alignment);
    return {slot + size - std::min(size, kMaxFrontCanary), slot + size};
  }

  constexpr ByteRange tail_canary(uintptr_t block, size_t size, uintptr_t slot_end) const {
    const uintptr_t begin = block + size;
    if (begin >= slot_end) return {begin, begin};
    const uintptr_t end = std::min(slot_end, begin + tail_limit);
    if (size < kLarge) return {begin, end};
    const uintptr_t page_end = base::align_up(begin + kMinTail, uintptr_t{kTailPage});
    return {begin, std::min(end, page_end)};
  }
};

inline constexpr Layout kLayout{};

}  // namespace gabion::hardening

#endif  // GABION_HARDENING_LAYOUT_H_
