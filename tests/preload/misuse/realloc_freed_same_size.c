/* Nothing would have to be done for the new size, and yet the block is gone. */
#include "resize.h"

int main(void) {
  char* buffer = make_buffer(64);
  release_buffer(buffer);
  buffer = resize_buffer(buffer, 64);
  FORGET(buffer);
  return 0;
}
