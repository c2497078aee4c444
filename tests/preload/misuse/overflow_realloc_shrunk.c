/* The bytes that a shrinking realloc gave up are no longer the program's. */
#include "resize.h"

int main(void) {
  char* buffer = make_buffer(100);
  buffer = resize_buffer(buffer, 90);
  scribble(buffer, 90, 99);
  release_buffer(buffer);
  return 0;
}
