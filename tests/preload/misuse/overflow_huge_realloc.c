/* A huge block that moved or grew by remapping keeps its canary. */
#include "resize.h"

enum { kSize = (96 << 20) + 11 };

int main(void) {
  char* buffer = make_buffer(48 << 20);
  buffer = resize_buffer(buffer, kSize);
  scribble(buffer, kSize, kSize);
  release_buffer(buffer);
  return 0;
}
