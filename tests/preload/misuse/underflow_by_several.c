#include "misuse.h"

int main(void) {
  char* buffer = make_buffer(100);
  scribble(buffer, -8, -1);
  release_buffer(buffer);
  return 0;
}
