// Calls every entry point of the malloc family and prints a line for each call. The same calls are
// made under glibc and under each profile; see semantics_test.cc.

#include "tests/api/semantics/calls.h"

int main() {
  gabion::testing::call_plain();
  gabion::testing::call_aligned();
  gabion::testing::call_cxx();
  gabion::testing::call_statistics();
  gabion::testing::call_rare();
}
