#include "misuse.h"

static char* kept;

STEP void handler_frees_again(void) { release_again(kept); }

int main(void) {
  kept = make_buffer(24);
  atexit(handler_frees_again);
  release_buffer(kept);
  return 0;
}
