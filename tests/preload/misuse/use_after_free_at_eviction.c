/* Frees so much afterwards that the damaged block must leave the quarantine long before the end. */
#include "misuse.h"

enum { kRounds = 20000, kSize = 16 << 10 };

int main(void) {
  char* buffer = make_buffer(72);
  release_buffer(buffer);
  scribble(buffer, 70, 70);
  for (int i = 0; i < kRounds; ++i) release_buffer(make_buffer(kSize));
  return 0;
}
