#include <string.h>

#include "misuse.h"

STEP void clear_too_much(char* buffer, size_t size) {
  FORGET(buffer);
  memset(buffer, 0, size);
}

int main(void) {
  char* buffer = make_buffer(100);
  clear_too_much(buffer, 108);
  release_buffer(buffer);
  return 0;
}
