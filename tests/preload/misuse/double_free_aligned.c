#include "misuse.h"

int main(void) {
  char* block = make_aligned(256, 512);
  release_buffer(block);
  release_again(block);
  return 0;
}
