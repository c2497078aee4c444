/* Resident size of the process, and what it may be. */

#ifndef GABION_TESTS_PRELOAD_LIFECYCLE_RSS_H_
#define GABION_TESTS_PRELOAD_LIFECYCLE_RSS_H_

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/preload/check.h"

#define MIB ((size_t)1 << 20)

static inline size_t resident_bytes(void) {
  unsigned long total = 0;
  unsigned long resident = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  CHECK(file != NULL && fscanf(file, "%lu %lu", &total, &resident) == 2);
  fclose(file);
  return (size_t)resident * (size_t)sysconf(_SC_PAGESIZE);
}

/* What a profile may hold beside the program's own blocks and their rounding: the quarantine, and
 * in debug the stack depot and the slot records too. Their caps are the defaults of the options. */
static inline size_t profile_overhead(void) {
  const char* profile = getenv("GABION_TEST_PROFILE");
  CHECK(profile != NULL);
  if (strcmp(profile, "debug") == 0) return 160 * MIB;
  if (strcmp(profile, "hardened") == 0) return 64 * MIB;
  if (strcmp(profile, "fast") == 0) return 0;
  return (size_t)-1 / 4; /* glibc, for comparison: no promise */
}

/* A program with `live` bytes in blocks may hold that much. */
static inline size_t resident_bound(size_t live) {
  return live + live * 3 / 10 + 32 * MIB + profile_overhead();
}

#endif /* GABION_TESTS_PRELOAD_LIFECYCLE_RSS_H_ */
