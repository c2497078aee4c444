// Gabion's own C interface.

#include "gabion/gabion.h"

#include <algorithm>
#include <cstring>

#include "src/api/entry.h"
#include "src/heap/heap.h"

using namespace gabion::api;

extern "C" {

GABION_ENTRY const char* gabion_version(void) noexcept { return GABION_VERSION; }

GABION_ENTRY const char* gabion_profile(void) noexcept { return kProfile.name.data(); }

GABION_ENTRY size_t gabion_statistics(gabion_statistics_t* result, size_t size) noexcept {
  const gabion::heap::Statistics heap = gabion::heap::statistics();
  const gabion_statistics_t all = {.mapped = heap.mapped,
                                   .peak_mapped = heap.peak_mapped,
                                   .resident = heap.resident,
                                   .dirty = heap.dirty,
                                   .metadata = heap.metadata,
                                   .small_in_use = heap.small_in_use,
                                   .large_in_use = heap.large_in_use,
                                   .large_count = heap.large_count,
                                   .cached = heap.cached,
                                   .heaps = heap.heaps};
  const size_t written = std::min(size, sizeof(all));
  std::memcpy(result, &all, written);
  return written;
}

GABION_ENTRY int gabion_trim(void) noexcept { return gabion::heap::trim() ? 1 : 0; }

}  // extern "C"
