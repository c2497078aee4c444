#include <dlfcn.h>

#include "tests/preload/check.h"

int main(void) {
  for (int i = 0; i < 50; ++i) {
    void* library = dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL);
    CHECK(library != NULL);
    double (*floor_of)(double) = (double (*)(double))dlsym(library, "floor");
    CHECK(floor_of != NULL && floor_of(2.5) == 2.0);
    CHECK(dlsym(library, "no such symbol") == NULL);
    CHECK(dlerror() != NULL); /* its text is allocated */
    CHECK(dlopen("libthat-does-not-exist.so", RTLD_NOW) == NULL);
    CHECK(dlclose(library) == 0);
  }
  puts("loaded and unloaded");
  return 0;
}
