/* Also the start of a page. */
#include "misuse.h"

int main(void) {
  char* buffer = make_buffer(1 << 20);
  release_buffer(buffer + 65536);
  return 0;
}
