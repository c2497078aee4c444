// Ends the process with one line when it faults inside a report, instead of without any.
#ifndef GABION_REPORT_FAULT_GUARD_H_
#define GABION_REPORT_FAULT_GUARD_H_

#include <signal.h>

namespace gabion::report {

// While one lives, SIGSEGV and SIGBUS of its thread write a line and _exit(exit_code). Those of
// other threads are given back to the program's own handlers. One at a time.
class FaultGuard {
 public:
  explicit FaultGuard(int exit_code);
  ~FaultGuard();
  FaultGuard(const FaultGuard&) = delete;
  FaultGuard& operator=(const FaultGuard&) = delete;
};

// The line, and the end.
[[noreturn]] void fail_inside_report(int exit_code);

}  // namespace gabion::report

#endif  // GABION_REPORT_FAULT_GUARD_H_
