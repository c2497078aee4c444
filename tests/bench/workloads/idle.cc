// A program that does nothing: what loading the allocator costs every small process of a system, in
// resident memory.
#include "tests/bench/support/block.h"
#include "tests/bench/workloads/workloads.h"

namespace gabion::bench {

Result idle(const Settings&) {
  std::free(allocate(100));
  return {.seconds = 0, .operations = 2};
}

}  // namespace gabion::bench
