#include "misuse.h"

int main(void) {
  char* buffer = make_buffer(1 << 20);
  release_buffer(buffer);
  scribble(buffer, 5000, 5003);
  return 0;
}
