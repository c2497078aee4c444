// What the heap's tests put in the place of the hardening layer.
#include "tests/heap/test_configuration.h"

#include "src/heap/heap.h"

namespace gabion::heap {
namespace {

void note_corruption(Corruption what, void* pointer) {
  testing::last_corruption = {what, pointer};
  ++testing::corruptions;
}

}  // namespace

namespace testing {
std::atomic<int> corruptions{0};
CorruptionRecord last_corruption;
}  // namespace testing

const Configuration kConfiguration = {.side_bytes = 8, .on_corruption = note_corruption};

}  // namespace gabion::heap
