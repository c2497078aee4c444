/* The block is made by libc on the program's behalf. */
#include <string.h>

#include "misuse.h"

STEP char* copy_of(const char* text) {
  char* copy = strdup(text);
  FORGET(copy);
  return copy;
}

int main(void) {
  char* copy = copy_of("wall");
  scribble(copy, 5, 5);
  release_buffer(copy);
  return 0;
}
