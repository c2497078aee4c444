#include "src/hardening/process_state.h"

#include "src/hardening/canary.h"
#include "src/hardening/options.h"
#include "src/os/syscall.h"

namespace gabion::hardening {

constinit Quarantine quarantine;
constinit std::atomic<bool> initialized{false};

namespace {

constinit std::atomic<bool> begun{false};

}  // namespace

void initialize_slow() {
  if (begun.exchange(true, std::memory_order_acq_rel)) {
    // Another thread is at it (nothing here comes back to the allocator), and soon done.
    while (!initialized.load(std::memory_order_acquire)) os::system_call(SYS_sched_yield);
    return;
  }
  choose_canary_key();
  read_options();
  quarantine.set_limits(
      {.bytes = options().quarantine_mib << 20, .blocks = options().quarantine_blocks});
  initialized.store(true, std::memory_order_release);
}

}  // namespace gabion::hardening
