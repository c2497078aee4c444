/* The old pointer is freed although realloc moved the block. */
#include "resize.h"

int main(void) {
  char* old = make_buffer(60);
  char* moved = resize_buffer(old, 100000);
  release_again(old);
  release_buffer(moved);
  return 0;
}
