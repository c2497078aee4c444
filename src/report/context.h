// What the writers need to know besides the bug.
#ifndef GABION_REPORT_CONTEXT_H_
#define GABION_REPORT_CONTEXT_H_

#include <sys/types.h>

#include <cstddef>
#include <string_view>

#include "src/base/frames.h"
#include "src/report/process_facts.h"
#include "src/report/symbols.h"

namespace gabion::report {

struct Context {
  const ProcessFacts& facts;
  pid_t pid = 0, ppid = 0, tid = 0;
  std::string_view profile;
  bool halts = true;  // the process ends after this report
  size_t max_frames = base::kMaxFrames;
  Symbol (*symbolize)(uintptr_t return_address, std::string_view program) = report::symbolize;
};

}  // namespace gabion::report

#endif  // GABION_REPORT_CONTEXT_H_
