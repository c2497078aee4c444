#ifndef GABION_TESTS_BENCH_SUPPORT_PROCESS_STATS_H_
#define GABION_TESTS_BENCH_SUPPORT_PROCESS_STATS_H_

#include <cstdint>

namespace gabion::bench {

// What the kernel says about this process. Read without allocating, so that looking changes
// nothing.
struct ProcessStats {
  std::uint64_t rss_kib = 0;       // VmRSS
  std::uint64_t peak_rss_kib = 0;  // VmHWM
  std::uint64_t data_kib = 0;      // VmData
  std::uint64_t maps = 0;          // lines of /proc/self/maps
};

ProcessStats read_process_stats();

// Resident KiB now, and after the process slept for one second.
std::uint64_t rss_kib();
std::uint64_t rss_kib_after_idle_second();

// The file that serves this program's malloc: the preloaded library, or the C library.
const char* malloc_library();

}  // namespace gabion::bench

#endif  // GABION_TESTS_BENCH_SUPPORT_PROCESS_STATS_H_
