/* Opens a library that lies in the program's own directory. */

#ifndef GABION_TESTS_PRELOAD_LIFECYCLE_BESIDE_H_
#define GABION_TESTS_PRELOAD_LIFECYCLE_BESIDE_H_

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "tests/preload/check.h"

static inline void path_beside(char* path, size_t size, const char* name) {
  char self[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  CHECK(length > 0);
  self[length] = '\0';
  *strrchr(self, '/') = '\0';
  CHECK((size_t)snprintf(path, size, "%s/%s", self, name) < size);
}

#endif /* GABION_TESTS_PRELOAD_LIFECYCLE_BESIDE_H_ */
