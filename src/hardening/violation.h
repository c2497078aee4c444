// From something found wrong to a report and the program's end: the one way out for every check.
#ifndef GABION_HARDENING_VIOLATION_H_
#define GABION_HARDENING_VIOLATION_H_

#include <cstddef>
#include <cstdint>

#include "src/backtrace/stack.h"
#include "src/hardening/block_ref.h"
#include "src/report/bug.h"

namespace gabion::hardening {

struct Violation {
  report::BugKind kind = report::BugKind::kBadFree;
  report::Found found = report::Found::kAtCall;
  uintptr_t address = 0;  // the faulty one
  report::AccessKind access = report::AccessKind::kFree;
  const BlockRef* block = nullptr;
  ByteRange damage = {};  // damaged memory, or empty
  const report::Mismatch* mismatch = nullptr;
  report::Region region = report::Region::kUnknown;  // without a block
  const backtrace::CallSite* site = nullptr;         // the call at fault, or that found it
};

// Reports it; no lock may be held. Ends the program (options halt_on_error, abort_on_error,
// exit_code) or returns, to go on as if nothing had happened. Of threads that find something at the
// same moment only one ends the program; the others never return. Keeps errno.
//
// hardened: standard error gets one line that says what kind of bug it was and nothing that helps
// an attacker (no address, no memory). The full report goes to log_dir or log_path, if set.
void report_violation(const Violation& violation);

// At start-up: hands the report room its settings.
void start_reporting();

}  // namespace gabion::hardening

#endif  // GABION_HARDENING_VIOLATION_H_
