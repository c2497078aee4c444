/* Steps for programs that realloc. */

#ifndef GABION_TESTS_PRELOAD_MISUSE_RESIZE_H_
#define GABION_TESTS_PRELOAD_MISUSE_RESIZE_H_

#include "misuse.h"

STEP char* resize_buffer(char* buffer, size_t size) {
  FORGET(buffer);
  buffer = (char*)realloc(buffer, size);
  FORGET(buffer);
  return buffer;
}

#endif /* GABION_TESTS_PRELOAD_MISUSE_RESIZE_H_ */
