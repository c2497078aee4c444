#include "misuse.h"

int main(void) {
  char* buffer = make_buffer(32 << 20);
  release_buffer(buffer);
  release_again(buffer);
  return 0;
}
