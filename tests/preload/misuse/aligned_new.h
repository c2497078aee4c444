// Steps for programs with over-aligned operator new.

#ifndef GABION_TESTS_PRELOAD_MISUSE_ALIGNED_NEW_H_
#define GABION_TESTS_PRELOAD_MISUSE_ALIGNED_NEW_H_

#include <new>

#include "misuse.h"

STEP void* make_aligned_new(size_t size) {
  void* block = ::operator new(size, std::align_val_t{64});
  FORGET(block);
  return block;
}

#endif  // GABION_TESTS_PRELOAD_MISUSE_ALIGNED_NEW_H_
