#include "src/hardening/statistics.h"

#include "src/backtrace/stack_depot.h"
#include "src/hardening/options.h"
#include "src/hardening/process_state.h"
#include "src/hardening/profile.h"
#include "src/hardening/slot_record.h"
#include "src/report/report.h"

namespace gabion::hardening {

Statistics statistics() {
  Statistics all;
  all.record_bytes_per_slot = kSideBytes;
  if constexpr (kProfile.quarantine) {
    const Quarantine::Statistics waiting = quarantine.statistics();
    all.quarantine_bytes = waiting.bytes;
    all.quarantine_blocks = waiting.blocks;
    all.quarantine_overhead = waiting.overhead;
    all.quarantine_limit_bytes = options().quarantine_mib << 20;
    all.quarantine_limit_blocks = options().quarantine_blocks;
  }
  if constexpr (kProfile.backtraces) {
    const backtrace::DepotStats depot = backtrace::stack_depot().stats();
    all.depot_bytes = depot.memory;
    all.depot_limit_bytes = depot.capacity;
    all.depot_stacks = depot.stacks;
    all.depot_rejected = depot.rejected;
  }
  if constexpr (kProfile.reports) all.reports = report::count();
  return all;
}

}  // namespace gabion::hardening
