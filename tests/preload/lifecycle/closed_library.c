/* The allocator itself is opened and closed as a plug-in; a thread that used it ends afterwards. */
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#include "tests/preload/check.h"

static pthread_barrier_t closed;
static void* (*plugin_malloc)(size_t);
static void (*plugin_free)(void*);

static void* use_then_end(void* unused) {
  (void)unused;
  void* block = plugin_malloc(100);
  pthread_barrier_wait(&closed);
  pthread_barrier_wait(&closed);
  plugin_free(block);
  return NULL;
}

int main(void) {
  const char* path = getenv("GABION_TEST_LIBRARY_PATH");
  CHECK(path != NULL);
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) fprintf(stderr, "%s\n", dlerror());
  CHECK(library != NULL);
  plugin_malloc = (void* (*)(size_t))dlsym(library, "malloc");
  plugin_free = (void (*)(void*))dlsym(library, "free");
  CHECK(plugin_malloc != NULL && plugin_free != NULL);
  pthread_t thread;
  pthread_barrier_init(&closed, NULL, 2);
  CHECK(pthread_create(&thread, NULL, use_then_end, NULL) == 0);
  pthread_barrier_wait(&closed);
  CHECK(dlclose(library) == 0);
  pthread_barrier_wait(&closed);
  CHECK(pthread_join(thread, NULL) == 0);
  free(malloc(10));
  puts("still there");
  return 0;
}
