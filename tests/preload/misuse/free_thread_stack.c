#include "thread.h"

STEP void* release_local(void* unused) {
  char local[64];
  (void)unused;
  release_buffer(local);
  return NULL;
}

int main(void) {
  run_thread(release_local);
  return 0;
}
