/* Found by the sweep at exit: the damaged block is still live. */
#include "misuse.h"

static char* kept;

int main(void) {
  kept = make_buffer(40);
  scribble(kept, 40, 42);
  return 0;
}
