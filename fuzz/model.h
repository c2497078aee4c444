// What a program may rely on, kept beside the allocator: which blocks are live and what they hold.
#ifndef GABION_FUZZ_MODEL_H_
#define GABION_FUZZ_MODEL_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "fuzz/interval_set.h"

namespace gabion::fuzz {

inline constexpr std::size_t kMaxBlocks = 2048;
inline constexpr std::size_t kMaxLiveBytes = std::size_t{64} << 20;
inline constexpr std::size_t kMinAlignment = 16;

// By which family a block was allocated, and so by which it may be released.
enum class Origin : std::uint8_t {
  kMalloc,        // malloc, calloc, realloc, reallocarray
  kAlignedAlloc,  // with an alignment that free_aligned_sized accepts
  kMemalign,      // posix_memalign, memalign: free only
  kNew,
  kNewArray,
  kNewAligned,
  kNewArrayAligned,
};

struct Block {
  std::byte* address;
  std::size_t size;       // as requested
  std::size_t usable;     // as malloc_usable_size said
  std::size_t written;    // how many bytes hold the pattern: size or usable
  std::size_t alignment;  // as requested
  std::uint64_t seed;
  Origin origin;

  bool is_resizable() const { return origin <= Origin::kMemalign; }
};

// Fixed in size: it takes nothing from the allocator that it watches.
class Model {
 public:
  void clear();

  bool empty() const { return count_ == 0; }
  std::size_t count() const { return count_; }
  Block& at(std::size_t index) { return blocks_[index]; }

  // Whether a block of `size` more bytes keeps within the limits above.
  bool has_room(std::size_t size) const {
    return count_ < kMaxBlocks && live_bytes_ + size <= kMaxLiveBytes;
  }

  // Checks a block that an entry point has just returned, and fills it.
  void add(void* address, std::size_t size, std::size_t alignment, Origin origin);

  // Checks a block and forgets it: to be called before it is released or resized.
  Block take(std::size_t index);

  // Fills every byte that malloc_usable_size promises.
  void write_usable(std::size_t index);

  void check(std::size_t index) const { check_block(blocks_[index]); }
  void check_all() const;

 private:
  void check_alone(const Block& block);
  static void check_block(const Block& block);

  std::array<Block, kMaxBlocks> blocks_;
  std::size_t count_ = 0;
  std::size_t live_bytes_ = 0;
  std::uint64_t next_seed_ = 0;
  IntervalSet<kMaxBlocks> intervals_;
};

}  // namespace gabion::fuzz

#endif  // GABION_FUZZ_MODEL_H_
