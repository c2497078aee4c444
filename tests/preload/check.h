/* For the whole programs, C and C++: a condition that must hold, whatever NDEBUG says. */

#ifndef GABION_TESTS_PRELOAD_CHECK_H_
#define GABION_TESTS_PRELOAD_CHECK_H_

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                            \
  do {                                                                              \
    if (!(condition)) {                                                             \
      fprintf(stderr, "%s:%d: check failed: %s\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                                      \
    }                                                                               \
  } while (0)

/* The compiler may not drop a block because nobody seems to look at it. */
#define KEEP(pointer) __asm__ volatile("" : "+r"(pointer) : : "memory")

#endif /* GABION_TESTS_PRELOAD_CHECK_H_ */
