#include "resize.h"

int main(void) {
  char* buffer = make_buffer(30);
  scribble(buffer, 30, 31);
  buffer = resize_buffer(buffer, 3000);
  release_buffer(buffer);
  return 0;
}
