#include "thread.h"

STEP void* thread_frees_twice(void* unused) {
  (void)unused;
  char* buffer = make_buffer(24);
  release_buffer(buffer);
  release_again(buffer);
  return NULL;
}

int main(void) {
  run_thread(thread_frees_twice);
  return 0;
}
