/* Made by main, freed by one thread and then by another. */
#include "shared_block.h"

STEP void* release_second(void* unused) {
  (void)unused;
  release_again(shared);
  return NULL;
}

int main(void) {
  shared = make_buffer(88);
  run_thread(release_shared);
  run_thread(release_second);
  return 0;
}
