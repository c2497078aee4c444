// Finds out what a pointer that is no block of ours points at.
#ifndef GABION_REPORT_REGION_H_
#define GABION_REPORT_REGION_H_

#include <cstdint>

#include "src/report/bug.h"

namespace gabion::report {

// Reads the kernel's list of mappings: some ten microseconds and 600 bytes of stack, no lock. The
// stacks of other threads count as kMapping: nothing marks them.
Region classify(uintptr_t address);

}  // namespace gabion::report

#endif  // GABION_REPORT_REGION_H_
