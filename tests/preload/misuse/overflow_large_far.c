/* Damage at the far end of the last page: the canary goes up to the mapped end. */
#include "misuse.h"

enum { kSize = (1 << 20) + 5, kPageEnd = (1 << 20) + 4096 };

int main(void) {
  char* buffer = make_buffer(kSize);
  scribble(buffer, kPageEnd - 1, kPageEnd - 1);
  release_buffer(buffer);
  return 0;
}
