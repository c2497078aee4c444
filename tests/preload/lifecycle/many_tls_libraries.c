/* 200 libraries with thread-local storage are loaded next to the allocator's own. */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/sendfile.h>
#include <sys/stat.h>

#include "tests/preload/lifecycle/beside.h"

enum { kCopies = 200 };

static int (*work[kCopies])(int);

static void copy_file(const char* from, const char* to) {
  struct stat status;
  const int in = open(from, O_RDONLY | O_CLOEXEC);
  const int out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
  CHECK(in >= 0 && out >= 0 && fstat(in, &status) == 0);
  CHECK(sendfile(out, in, NULL, (size_t)status.st_size) == status.st_size);
  close(in);
  close(out);
}

static void* work_in_all(void* unused) {
  (void)unused;
  for (int i = 0; i < kCopies; ++i) CHECK(work[i](i + 1) == 'p' + 'k');
  return NULL;
}

int main(void) {
  char plugin[PATH_MAX];
  char directory[] = "/tmp/gabion-tls-XXXXXX";
  path_beside(plugin, sizeof plugin, "libplugin.so");
  CHECK(mkdtemp(directory) != NULL);
  for (int i = 0; i < kCopies; ++i) {
    char copy[64];
    snprintf(copy, sizeof copy, "%s/%d.so", directory, i);
    copy_file(plugin, copy);
    void* library = dlopen(copy, RTLD_NOW);
    unlink(copy);
    CHECK(library != NULL);
    work[i] = (int (*)(int))dlsym(library, "plugin_work");
    CHECK(work[i] != NULL);
  }
  rmdir(directory);
  for (int i = 0; i < 20; ++i) {
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, work_in_all, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
  }
  work_in_all(NULL);
  puts("worked");
  return 0;
}
