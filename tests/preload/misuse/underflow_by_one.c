#include "misuse.h"

int main(void) {
  char* buffer = make_buffer(48);
  scribble(buffer, -1, -1);
  release_buffer(buffer);
  return 0;
}
