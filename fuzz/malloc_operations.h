// The operations of the malloc state machine, and how an input is decoded into them.
#ifndef GABION_FUZZ_MALLOC_OPERATIONS_H_
#define GABION_FUZZ_MALLOC_OPERATIONS_H_

#include <cstddef>
#include <cstdint>
#include <variant>

#include "fuzz/entry_points.h"
#include "fuzz/input_reader.h"
#include "fuzz/malloc_state.h"

namespace gabion::fuzz {

struct Allocate {
  static constexpr const char* kName = "allocate";
  enum class Function : std::uint8_t { kMalloc, kCalloc, kRealloc, kReallocarray };
  Function function;
  std::size_t size;
  std::size_t count;  // the product stays within the size
  void perform(MallocState& state) const;
};

struct AllocateAligned {
  static constexpr const char* kName = "allocate aligned";
  enum class Function : std::uint8_t { kAlignedAlloc, kMemalign, kPosixMemalign };
  Function function;
  std::size_t alignment;  // any for the first two, which round it up
  std::size_t size;
  void perform(MallocState& state) const;
};

struct New {
  static constexpr const char* kName = "new";
  NewForm form;
  std::size_t alignment;
  std::size_t size;
  void perform(MallocState& state) const;
};

struct Release {
  static constexpr const char* kName = "release";
  std::size_t which;
  unsigned way;
  void perform(MallocState& state) const;
};

struct Resize {
  static constexpr const char* kName = "resize";
  enum class Target : std::uint8_t { kAbsolute, kDoubled, kHalved, kNudged };
  std::size_t which;
  Target target;
  std::size_t size;  // of kAbsolute; how far to nudge, about 128
  bool array;        // by reallocarray
  void perform(MallocState& state) const;
};

struct AllocateBatch {
  static constexpr const char* kName = "allocate batch";
  std::size_t count;
  std::size_t size;
  bool by_new;
  void perform(MallocState& state) const;
};

struct ReleaseBatch {
  static constexpr const char* kName = "release batch";
  std::size_t first;
  std::size_t stride;
  std::size_t count;
  unsigned way;
  void perform(MallocState& state) const;
};

struct WriteUsable {
  static constexpr const char* kName = "write usable bytes";
  std::size_t which;
  void perform(MallocState& state) const;
};

// What cannot be given is refused, and nothing else changes.
struct Refuse {
  static constexpr const char* kName = "refuse";
  enum class Function : std::uint8_t {
    kMalloc,
    kCalloc,
    kCallocOverflow,
    kRealloc,
    kReallocNull,
    kReallocarrayOverflow,
    kAlignedAlloc,
    kMemalign,
    kPosixMemalign,
    kNew,
  };
  static constexpr int kFunctions = 10;
  Function function;
  std::size_t which;
  std::size_t size;
  std::size_t alignment;
  NewForm form;
  void perform(MallocState& state) const;
};

// posix_memalign with what is no alignment.
struct BadAlignment {
  static constexpr const char* kName = "bad alignment";
  std::size_t alignment;
  std::size_t size;
  void perform(MallocState& state) const;
};

// The new handler runs until it gives up.
struct NewHandler {
  static constexpr const char* kName = "new handler";
  NewForm form;
  int calls;
  bool throws;
  std::size_t size;
  void perform(MallocState& state) const;
};

// Every entry point that takes a null pointer.
struct Nothing {
  static constexpr const char* kName = "null pointers";
  std::size_t size;
  void perform(MallocState& state) const;
};

struct Trim {
  static constexpr const char* kName = "trim";
  void perform(MallocState& state) const;
};

using Operation =
    std::variant<Allocate, AllocateAligned, New, Release, Resize, AllocateBatch, ReleaseBatch,
                 WriteUsable, Refuse, BadAlignment, NewHandler, Nothing, Trim>;

struct Step {
  Where where;
  Operation operation;
};

Step read_step(InputReader& input);

}  // namespace gabion::fuzz

#endif  // GABION_FUZZ_MALLOC_OPERATIONS_H_
