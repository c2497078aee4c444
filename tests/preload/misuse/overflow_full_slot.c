/* A size that fills a slot of a plain allocator to its last byte. */
#include "misuse.h"

int main(void) {
  char* buffer = make_buffer(32);
  scribble(buffer, 32, 32);
  release_buffer(buffer);
  return 0;
}
