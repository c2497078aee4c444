/* What the misuse programs share: each is one bug, in functions whose names the stacks must show.
 */

#ifndef GABION_TESTS_PRELOAD_MISUSE_MISUSE_H_
#define GABION_TESTS_PRELOAD_MISUSE_MISUSE_H_

#include <stddef.h>
#include <stdlib.h>

/* A function that must be seen in a stack. Header steps are not used by every program. */
#define STEP __attribute__((noinline, unused)) static

/* The compiler forgets where a pointer came from, so it neither warns of the bug nor removes it. */
#define FORGET(pointer) __asm__ volatile("" : "+r"(pointer) : : "memory")

STEP char* make_buffer(size_t size) {
  char* buffer = (char*)malloc(size);
  FORGET(buffer);
  return buffer;
}

STEP char* make_aligned(size_t alignment, size_t size) {
  char* block = (char*)aligned_alloc(alignment, size);
  FORGET(block);
  return block;
}

STEP void release_buffer(void* buffer) {
  FORGET(buffer);
  free(buffer);
}

STEP void release_again(void* buffer) {
  FORGET(buffer);
  free(buffer);
}

/* Changes every byte from first to last, whatever it was before: a write of a fixed value would now
 * and then write what a canary holds anyway. */
STEP void scribble(char* bytes, ptrdiff_t first, ptrdiff_t last) {
  for (ptrdiff_t i = first; i <= last; ++i) {
    FORGET(bytes);
    bytes[i] ^= 0x5a;
  }
}

#endif /* GABION_TESTS_PRELOAD_MISUSE_MISUSE_H_ */
