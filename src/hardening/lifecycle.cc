// The layer's beginning and end, and what it tells the heap of itself.
#include <stdlib.h>

#include <atomic>

#include "src/backtrace/stack_depot.h"
#include "src/backtrace/start.h"
#include "src/hardening/allocator.h"
#include "src/hardening/checked.h"
#include "src/hardening/options.h"
#include "src/hardening/process_state.h"
#include "src/hardening/profile.h"
#include "src/hardening/sweep.h"
#include "src/hardening/violation.h"
#include "src/heap/heap.h"
#include "src/os/fork.h"
#include "src/os/process.h"
#include "src/report/report.h"

namespace gabion::hardening {
namespace {

constinit std::atomic<bool> started{false};
constinit std::atomic<bool> finished{false};

void on_corruption(heap::Corruption what, void* pointer) {
  if constexpr (kProfile.records == Records::kNone) {
    os::die(what == heap::Corruption::kDoubleFree ? "double free" : "free of an invalid pointer");
  } else {
    checked::on_corruption(what, pointer);
  }
}

}  // namespace
}  // namespace gabion::hardening

namespace gabion::heap {

const Configuration kConfiguration = {.side_bytes = hardening::kSideBytes,
                                      .on_corruption = hardening::on_corruption};

}  // namespace gabion::heap

namespace gabion::hardening {

void start() {
  if (started.exchange(true)) return;
  ensure_initialized();
  if constexpr (kProfile.backtraces) {
    backtrace::stack_depot().set_capacity(options().depot_mib << 20);
  }
  if constexpr (kProfile.reports) {
    backtrace::start(static_cast<backtrace::Unwinder>(options().unwinder));
    start_reporting();
  }
  if constexpr (kProfile.quarantine) {
    quarantine.register_locks();
    os::register_fork_child([] { quarantine.reseed(); });
  }
  heap::set_decay_milliseconds(static_cast<uint32_t>(options().decay_ms));
  heap::start();
}

void finish() {
  if constexpr (!kProfile.reports) return;
  if (!started.load() || finished.exchange(true)) return;
  if constexpr (kProfile.exit_sweep) {
    if (options().check_exit) sweep(report::Found::kAtExit);
  }
  report::finish();
  if (report::count() == 0) return;
  // exit() within exit() goes on with what is left to do under the new status. That is the writing
  // of libc's own streams, which _exit() would skip, and fflush() would do under locks that a
  // thread which waits for input never gives back.
  exit(static_cast<int>(options().exit_code));
}

}  // namespace gabion::hardening
