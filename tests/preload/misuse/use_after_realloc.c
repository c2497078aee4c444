/* Writes through the old pointer after realloc moved the block. */
#include "resize.h"

int main(void) {
  char* old = make_buffer(40);
  char* moved = resize_buffer(old, 100000);
  scribble(old, 8, 8);
  release_buffer(moved);
  return 0;
}
