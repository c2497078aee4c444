#include "resize.h"

int main(void) {
  char* buffer = make_buffer(64);
  buffer = resize_buffer(buffer + 32, 128);
  FORGET(buffer);
  return 0;
}
