#include "misuse.h"

int main(void) {
  char* block = make_aligned(64, 128);
  scribble(block, 128, 130);
  release_buffer(block);
  return 0;
}
