/* The bytes right behind the block stay as they were. */
#include "misuse.h"

int main(void) {
  char* buffer = make_buffer(20);
  scribble(buffer, 23, 23);
  release_buffer(buffer);
  return 0;
}
