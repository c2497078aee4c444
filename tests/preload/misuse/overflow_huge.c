#include "misuse.h"

enum { kSize = (64 << 20) + 100 };

int main(void) {
  char* buffer = make_buffer(kSize);
  scribble(buffer, kSize, kSize + 3);
  release_buffer(buffer);
  return 0;
}
