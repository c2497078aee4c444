/* In the last moments of a thread. */
#include "thread.h"

static pthread_key_t key;

STEP void destroy_twice(void* buffer) {
  release_buffer(buffer);
  release_again(buffer);
}

STEP void* set_key(void* unused) {
  (void)unused;
  pthread_setspecific(key, make_buffer(24));
  return NULL;
}

int main(void) {
  pthread_key_create(&key, destroy_twice);
  run_thread(set_key);
  return 0;
}
