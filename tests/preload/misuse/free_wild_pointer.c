#include <stdint.h>

#include "misuse.h"

int main(void) {
  release_buffer((void*)(uintptr_t)0x1230);
  return 0;
}
