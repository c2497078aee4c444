// What every page of the range is, in one word that the fast path of free can test at once.
//
//     31            16 15      8 7      0
//    +----------------+---------+--------+
//    |  owner (heap)  |  state  | class  |
//    +----------------+---------+--------+
//
// A page of a slab has state kSlab (0). So for a thread whose tag is its heap's number shifted to
// the owner's place, `word ^ tag` is below kClassCount exactly if the page is small, and its own;
// and it is then the size class. Everything else leaves by the same branch.
//
// Words are atomics because any thread may look up any pointer; whoever holds a live block learnt
// of it through some synchronisation after its page's word was written, so relaxed loads suffice.
#ifndef GABION_HEAP_PAGE_MAP_H_
#define GABION_HEAP_PAGE_MAP_H_

#include <cstdint>

#include "src/heap/pages.h"
#include "src/heap/size_class.h"

namespace gabion::heap {

enum class PageState : uint8_t {
  kSlab = 0,   // with owner 0: nothing was ever here
  kLargeHead,  // the first page of a large block
  kLargeTail,
  kFreeClean,  // free, reads as zero
  kFreeDirty,
  kBusy,  // in passage: neither free nor in use
};

using HeapId = uint16_t;
inline constexpr HeapId kNoHeap = 0;

class PageWord {
 public:
  constexpr PageWord() = default;
  constexpr explicit PageWord(uint32_t bits) : bits_(bits) {}

  static constexpr PageWord slab(HeapId owner, SizeClass c) {
    return PageWord(uint32_t{owner} << 16 | c);
  }
  static constexpr PageWord of(PageState state) {
    return PageWord(static_cast<uint32_t>(state) << 8);
  }

  constexpr HeapId owner() const { return static_cast<HeapId>(bits_ >> 16); }
  constexpr PageState state() const { return static_cast<PageState>(bits_ >> 8 & 0xff); }
  constexpr SizeClass size_class() const { return static_cast<SizeClass>(bits_ & 0xff); }
  constexpr uint32_t bits() const { return bits_; }

  constexpr bool is_slab() const { return state() == PageState::kSlab && owner() != kNoHeap; }
  constexpr bool is_free() const {
    return state() == PageState::kFreeClean || state() == PageState::kFreeDirty;
  }

 private:
  uint32_t bits_ = 0;
};

// XORed with a page's word by the fast path.
constexpr uint32_t owner_tag(HeapId owner) { return uint32_t{owner} << 16; }

}  // namespace gabion::heap

#endif  // GABION_HEAP_PAGE_MAP_H_
