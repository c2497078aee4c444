#include "misuse.h"

int main(void) {
  char* buffer = make_buffer(64);
  release_buffer(buffer + 16);
  return 0;
}
