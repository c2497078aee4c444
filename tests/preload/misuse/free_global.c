#include "misuse.h"

static char table[256];

int main(void) {
  release_buffer(table);
  return 0;
}
