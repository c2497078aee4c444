/* Gabion, a memory allocator.
 *
 * A program uses Gabion through malloc, free, operator new and their families, and needs no header
 * for that. This one declares what Gabion adds: what it is, how much memory it holds, and C23's
 * functions that the C library may not declare yet.
 *
 * All functions may be called from any thread at any time, but not in a signal handler. None sets
 * errno. Sizes are bytes.
 *
 * A program that runs with and without Gabion preloaded can declare a function weak and test its
 * address:  #pragma weak gabion_profile
 */
#ifndef GABION_GABION_H_
#define GABION_GABION_H_

#include <stddef.h>

#define GABION_VERSION_MAJOR 0
#define GABION_VERSION_MINOR 1
#define GABION_VERSION_PATCH 0
#define GABION_VERSION "0.1.0"

#ifdef __cplusplus
#define GABION_NOEXCEPT noexcept
extern "C" {
#else
#define GABION_NOEXCEPT
#endif

/* The version of the library that is running, as "major.minor.patch". The string is static. */
const char* gabion_version(void) GABION_NOEXCEPT;

/* The profile of the library that is running: "fast", "hardened" or "debug". The string is static.
 */
const char* gabion_profile(void) GABION_NOEXCEPT;

/* How much memory Gabion holds. Later versions add members at the end only. */
typedef struct gabion_statistics {
  size_t mapped;       /* address space taken from the system for blocks */
  size_t peak_mapped;  /* the most it ever was */
  size_t resident;     /* of `mapped`, what may be in physical memory: in use or dirty */
  size_t dirty;        /* free, and not yet given back to the system */
  size_t metadata;     /* Gabion's own records, outside `mapped` */
  size_t small_in_use; /* in small blocks that the program holds, rounded up to their size class */
  size_t large_in_use; /* in blocks that have pages of their own */
  size_t large_count;  /* how many of these */
  size_t cached;       /* free, in the threads' caches */
  size_t heaps;        /* how many heaps: those of threads that live or whose blocks do */
} gabion_statistics_t;

/* Writes the statistics to *result; `size` is sizeof(gabion_statistics_t) as the caller knows it.
 * Returns how many bytes were written, which is less if the library is older. The numbers are read
 * while other threads work, so they need not add up to the byte. In the hardened and debug profiles
 * freed blocks in quarantine count as in use. */
size_t gabion_statistics(gabion_statistics_t* result, size_t size) GABION_NOEXCEPT;

/* Gives free memory back to the system now rather than later. Returns 1 if there was any, else 0.
 */
int gabion_trim(void) GABION_NOEXCEPT;

/* C23 7.24.3.4 and 7.24.3.5: as free(), for a block of known size. `block` is null or came from
 * malloc(size), calloc() or realloc() with that size in all (free_sized), or from
 * aligned_alloc(alignment, size) (free_aligned_sized). The hardened and debug profiles check the
 * claim and report a wrong one. */
void free_sized(void* block, size_t size) GABION_NOEXCEPT;
void free_aligned_sized(void* block, size_t alignment, size_t size) GABION_NOEXCEPT;

#ifdef __cplusplus
}
#endif

#endif /* GABION_GABION_H_ */
