#include "resize.h"

int main(void) {
  char* buffer = make_buffer(5);
  buffer = resize_buffer(buffer, 50);
  scribble(buffer, 50, 50);
  release_buffer(buffer);
  return 0;
}
