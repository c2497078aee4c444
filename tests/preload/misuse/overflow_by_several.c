#include "misuse.h"

int main(void) {
  char* buffer = make_buffer(25);
  scribble(buffer, 25, 31);
  release_buffer(buffer);
  return 0;
}
