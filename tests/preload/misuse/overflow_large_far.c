/* Damage far behind the end, but in the page in which the block ends: the canary reaches that far.
 */
#include "misuse.h"

enum { kSize = (1 << 20) + 5, kFar = kSize + 4000 };

int main(void) {
  char* buffer = make_buffer(kSize);
  scribble(buffer, kFar, kFar);
  release_buffer(buffer);
  return 0;
}
