// What the layer holds, for the statistics of the entry points: all of it is bounded by options.
#ifndef GABION_HARDENING_STATISTICS_H_
#define GABION_HARDENING_STATISTICS_H_

#include <cstddef>

namespace gabion::hardening {

struct Statistics {
  size_t quarantine_bytes = 0;  // of blocks that wait, their overhead included
  size_t quarantine_blocks = 0;
  size_t quarantine_limit_bytes = 0;
  size_t quarantine_limit_blocks = 0;
  size_t quarantine_overhead = 0;  // memory of the queues themselves
  size_t depot_bytes = 0;
  size_t depot_limit_bytes = 0;
  size_t depot_stacks = 0;
  size_t depot_rejected = 0;         // stacks that found no room
  size_t record_bytes_per_slot = 0;  // part of the heap's metadata
  size_t reports = 0;
};

Statistics statistics();

}  // namespace gabion::hardening

#endif  // GABION_HARDENING_STATISTICS_H_
