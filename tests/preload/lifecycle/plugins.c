/* Libraries that allocate in constructors and destructors, loaded and unloaded by several threads.
 */
#include <dlfcn.h>
#include <pthread.h>

#include "tests/preload/lifecycle/beside.h"

static char plugin[PATH_MAX];

static void* load_and_work(void* unused) {
  (void)unused;
  for (int i = 1; i < 100; ++i) {
    void* library = dlopen(plugin, RTLD_NOW);
    CHECK(library != NULL);
    int (*work)(int) = (int (*)(int))dlsym(library, "plugin_work");
    CHECK(work != NULL && work(i * 100) == 'p' + 'k');
    CHECK(dlclose(library) == 0);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[4];
  path_beside(plugin, sizeof plugin, "libplugin.so");
  for (int i = 0; i < 4; ++i) CHECK(pthread_create(&threads[i], NULL, load_and_work, NULL) == 0);
  for (int i = 0; i < 4; ++i) CHECK(pthread_join(threads[i], NULL) == 0);
  puts("worked");
  return 0;
}
