#include "misuse.h"

int main(void) {
  char* buffer = make_buffer(40);
  release_buffer(buffer);
  scribble(buffer, 39, 39);
  return 0;
}
