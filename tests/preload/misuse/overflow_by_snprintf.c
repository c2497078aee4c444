/* The size passed to snprintf is not the size of the block. */
#include <stdio.h>

#include "misuse.h"

STEP void format_label(char* to, size_t size, int number) {
  FORGET(to);
  snprintf(to, size, "label-%08d", number);
}

int main(void) {
  char* label = make_buffer(11);
  format_label(label, 64, 12345678);
  release_buffer(label);
  return 0;
}
