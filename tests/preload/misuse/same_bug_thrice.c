/* Run with halt_on_error=0: one bug, met three times. */
#include "misuse.h"

STEP void free_twice(void) {
  char* buffer = make_buffer(24);
  release_buffer(buffer);
  release_again(buffer);
}

int main(void) {
  for (int i = 0; i < 3; ++i) free_twice();
  return 0;
}
