/* A thread ends the process, in each way there is, while others allocate and free. */
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/preload/check.h"

enum { kThreads = 4, kRounds = 15, kStatus = 5 };

static void* allocate_for_ever(void* unused) {
  (void)unused;
  for (size_t i = 0;; ++i) {
    char* block = malloc(1 + i % 3000);
    CHECK(block != NULL);
    block[0] = 'x';
    KEEP(block);
    free(block);
  }
  return NULL;
}

static void at_end(void) { free(malloc(1000)); }

static void* end_process(void* way) {
  usleep(2000);
  if (strcmp(way, "_exit") == 0) _exit(kStatus);
  if (strcmp(way, "quick_exit") == 0) quick_exit(kStatus);
  exit(kStatus);
}

static void child(const char* way) {
  pthread_t thread;
  atexit(at_end);
  at_quick_exit(at_end);
  for (int i = 0; i < kThreads; ++i) pthread_create(&thread, NULL, allocate_for_ever, NULL);
  pthread_create(&thread, NULL, end_process, (void*)way);
  pause();
}

int main(void) {
  const char* ways[] = {"_exit", "quick_exit", "exit"};
  for (int round = 0; round < kRounds; ++round) {
    for (int i = 0; i < 3; ++i) {
      const pid_t pid = fork();
      if (pid == 0) child(ways[i]);
      int status = 0;
      CHECK(waitpid(pid, &status, 0) == pid);
      CHECK(WIFEXITED(status) && WEXITSTATUS(status) == kStatus);
    }
  }
  puts("ended");
  return 0;
}
