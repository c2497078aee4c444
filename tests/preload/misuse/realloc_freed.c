#include "resize.h"

int main(void) {
  char* buffer = make_buffer(64);
  release_buffer(buffer);
  buffer = resize_buffer(buffer, 128);
  FORGET(buffer);
  return 0;
}
