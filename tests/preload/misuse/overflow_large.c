#include "misuse.h"

int main(void) {
  char* buffer = make_buffer(1 << 20);
  scribble(buffer, 1 << 20, 1 << 20);
  release_buffer(buffer);
  return 0;
}
