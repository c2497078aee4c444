#ifndef GABION_TESTS_HEAP_TEST_CONFIGURATION_H_
#define GABION_TESTS_HEAP_TEST_CONFIGURATION_H_

#include <atomic>

#include "src/heap/heap.h"

namespace gabion::heap::testing {

struct CorruptionRecord {
  Corruption what;
  void* pointer;
};

extern std::atomic<int> corruptions;
extern CorruptionRecord last_corruption;

}  // namespace gabion::heap::testing

#endif  // GABION_TESTS_HEAP_TEST_CONFIGURATION_H_
