/* One thread makes and damages the block, main frees it. */
#include "thread.h"

static char* shared;

STEP void* damage_shared(void* unused) {
  (void)unused;
  shared = make_buffer(18);
  scribble(shared, 18, 18);
  return NULL;
}

int main(void) {
  run_thread(damage_shared);
  release_buffer(shared);
  return 0;
}
