/* C23's sized frees, which glibc 2.36 does not have: looked up, and free() where there is none. */

#ifndef GABION_TESTS_PRELOAD_MISUSE_C23_FREE_H_
#define GABION_TESTS_PRELOAD_MISUSE_C23_FREE_H_

#include <dlfcn.h>

#include "misuse.h"

STEP void release_sized(void* block, size_t size) {
  void (*free_sized)(void*, size_t) = (void (*)(void*, size_t))dlsym(RTLD_DEFAULT, "free_sized");
  FORGET(block);
  if (free_sized != NULL) {
    free_sized(block, size);
  } else {
    free(block);
  }
}

STEP void release_aligned_sized(void* block, size_t alignment, size_t size) {
  void (*free_aligned_sized)(void*, size_t, size_t) =
      (void (*)(void*, size_t, size_t))dlsym(RTLD_DEFAULT, "free_aligned_sized");
  FORGET(block);
  if (free_aligned_sized != NULL) {
    free_aligned_sized(block, alignment, size);
  } else {
    free(block);
  }
}

#endif /* GABION_TESTS_PRELOAD_MISUSE_C23_FREE_H_ */
