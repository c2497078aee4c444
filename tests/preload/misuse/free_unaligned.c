#include "misuse.h"

int main(void) {
  char* buffer = make_buffer(64);
  release_buffer(buffer + 1);
  return 0;
}
