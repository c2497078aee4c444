/* A library that allocates when it is loaded and unloaded, and that has thread-local storage. */
#include <stdlib.h>
#include <string.h>

static char* kept;
static _Thread_local char* of_thread;
static _Thread_local char space[256];

__attribute__((constructor)) static void allocate_at_load(void) {
  kept = malloc(1000);
  memset(kept, 'k', 1000);
}

__attribute__((destructor)) static void free_at_unload(void) { free(kept); }

/* Gives each thread a block of its own and returns a byte of it. */
int plugin_work(int size);
int plugin_work(int size) {
  free(of_thread);
  of_thread = calloc(1, (size_t)size);
  of_thread[size - 1] = 'p';
  space[size % 256] = kept[999];
  const int result = of_thread[size - 1] + space[size % 256];
  free(of_thread);
  of_thread = NULL;
  return result;
}
