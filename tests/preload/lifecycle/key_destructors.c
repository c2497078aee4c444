/* malloc and free in all rounds of the destructors of thread-specific data, the last one included.
 */
#include <limits.h>
#include <pthread.h>

#include "tests/preload/lifecycle/rss.h"

enum { kThreads = 3000, kAtOnce = 20 };

static pthread_key_t keys[3];

struct state {
  int rounds;
  char* block;
};

static void destroy(void* value) {
  struct state* state = value;
  free(state->block);
  state->block = malloc(5000);
  CHECK(state->block != NULL);
  if (++state->rounds < PTHREAD_DESTRUCTOR_ITERATIONS) {
    for (int i = 0; i < 3; ++i) {
      if (pthread_getspecific(keys[i]) == NULL) {
        pthread_setspecific(keys[i], state);
        return;
      }
    }
  }
  free(state->block);
  free(state);
}

static void* set_keys(void* unused) {
  (void)unused;
  for (int i = 0; i < 3; ++i) {
    struct state* state = calloc(1, sizeof *state);
    state->block = malloc(100);
    pthread_setspecific(keys[i], state);
  }
  return NULL;
}

static void run_threads(int count) {
  pthread_t threads[kAtOnce];
  for (int started = 0; started < count; started += kAtOnce) {
    for (int i = 0; i < kAtOnce; ++i) {
      CHECK(pthread_create(&threads[i], NULL, set_keys, NULL) == 0);
    }
    for (int i = 0; i < kAtOnce; ++i) pthread_join(threads[i], NULL);
  }
}

int main(void) {
  for (int i = 0; i < 3; ++i) CHECK(pthread_key_create(&keys[i], destroy) == 0);
  run_threads(kThreads);
  CHECK(resident_bytes() < resident_bound(4 * MIB));
  puts("threads ended");
  return 0;
}
