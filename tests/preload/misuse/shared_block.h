/* A block that two threads know. */

#ifndef GABION_TESTS_PRELOAD_MISUSE_SHARED_BLOCK_H_
#define GABION_TESTS_PRELOAD_MISUSE_SHARED_BLOCK_H_

#include "thread.h"

static char* shared;

STEP void* release_shared(void* unused) {
  (void)unused;
  release_buffer(shared);
  return NULL;
}

#endif /* GABION_TESTS_PRELOAD_MISUSE_SHARED_BLOCK_H_ */
