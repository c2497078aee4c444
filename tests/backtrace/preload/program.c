// Frees a block twice, deep enough that both stacks say how well they were followed. Compiled
// without frame pointers.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define STEP __attribute__((noinline, noclone))

static void* volatile block;

STEP static void inner_release(void) {
  void* pointer = block;
  free(pointer);
  __asm__ volatile("" ::: "memory");
}

STEP static int release_from_callback(const void* a, const void* b) {
  if (block != NULL) inner_release();
  return memcmp(a, b, 1);
}

STEP static void outer_release(void) {
  char letters[2] = {'b', 'a'};
  qsort(letters, 2, 1, release_from_callback);
  __asm__ volatile("" ::: "memory");
}

STEP static void make_block(void) {
  block = malloc(40);
  __asm__ volatile("" ::: "memory");
}

STEP static void* release_twice(void* nothing) {
  make_block();
  outer_release();
  outer_release();
  return nothing;
}

int main(int argc, char** argv) {
  const char* where = argc > 1 ? argv[1] : "main";
  if (strcmp(where, "thread") == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, release_twice, NULL);
    pthread_join(thread, NULL);
  } else if (strcmp(where, "child") == 0) {
    pid_t child = fork();
    if (child == 0) {
      release_twice(NULL);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  } else if (strcmp(where, "environment") == 0) {
    const char* value = getenv("GABION_TEST_VALUE");
    return value != NULL && strcmp(value, "kept") == 0 ? 0 : 1;
  } else {
    release_twice(NULL);
  }
  return 0;
}
