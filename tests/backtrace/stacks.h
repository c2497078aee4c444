// Functions for tests that look at stacks: an entry point like the allocator's, and names.

#ifndef GABION_TESTS_BACKTRACE_STACKS_H_
#define GABION_TESTS_BACKTRACE_STACKS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "src/backtrace/unwind.h"

namespace gabion::backtrace {

using Recorded = std::vector<uintptr_t>;

inline constexpr size_t kRoom = 64;

struct Record {
  uintptr_t frames[kRoom];
  size_t count = 0;

  [[nodiscard]] Recorded all() const { return {frames, frames + count}; }
};

// Stands for an entry point of the allocator: frame 0 is its caller. Allocates nothing.
void record(Record& to, size_t room = kRoom, Rules rules = Rules::kCached);

// Whether some frame returns into [function, function + size).
bool returns_into(const Record& record, const void* function, size_t size = 512);

// Where in the record, innermost first, that frame is; -1 if nowhere.
int position_of(const Record& record, const void* function, size_t size = 512);

}  // namespace gabion::backtrace

#endif  // GABION_TESTS_BACKTRACE_STACKS_H_
