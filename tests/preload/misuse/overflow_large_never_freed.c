#include "misuse.h"

enum { kSize = (1 << 20) + 9 };

static char* kept;

int main(void) {
  kept = make_buffer(kSize);
  scribble(kept, kSize, kSize);
  return 0;
}
