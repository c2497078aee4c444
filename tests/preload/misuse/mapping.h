/* Steps for programs that map pages themselves. */

#ifndef GABION_TESTS_PRELOAD_MISUSE_MAPPING_H_
#define GABION_TESTS_PRELOAD_MISUSE_MAPPING_H_

#include <sys/mman.h>

#include "misuse.h"

STEP char* map_pages(int protection) {
  void* pages = mmap(NULL, 8192, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) abort();
  return (char*)pages;
}

#endif /* GABION_TESTS_PRELOAD_MISUSE_MAPPING_H_ */
