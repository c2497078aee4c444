#include "resize.h"

int main(void) {
  char local[64];
  char* buffer = resize_buffer(local, 128);
  FORGET(buffer);
  return 0;
}
