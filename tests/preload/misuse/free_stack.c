#include "misuse.h"

int main(void) {
  char local[64];
  char* buffer = local;
  release_buffer(buffer);
  return 0;
}
