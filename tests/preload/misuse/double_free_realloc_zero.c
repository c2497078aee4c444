/* realloc to no bytes frees the block; the program frees it once more. */
#include "resize.h"

STEP void shrink_to_nothing(char* buffer) {
  char* none = resize_buffer(buffer, 0);
  FORGET(none);
}

int main(void) {
  char* buffer = make_buffer(60);
  shrink_to_nothing(buffer);
  release_again(buffer);
  return 0;
}
