#include "misuse.h"

STEP void overflow_by_one(char* buffer) { scribble(buffer, 10, 10); }

int main(void) {
  char* buffer = make_buffer(10);
  overflow_by_one(buffer);
  release_buffer(buffer);
  return 0;
}
