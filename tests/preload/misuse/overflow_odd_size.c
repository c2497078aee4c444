#include "misuse.h"

int main(void) {
  char* buffer = make_buffer(13);
  scribble(buffer, 0, 13);
  release_buffer(buffer);
  return 0;
}
