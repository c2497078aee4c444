/* Freed by one thread, written to by main. */
#include "shared_block.h"

int main(void) {
  shared = make_buffer(56);
  run_thread(release_shared);
  scribble(shared, 16, 23);
  return 0;
}
