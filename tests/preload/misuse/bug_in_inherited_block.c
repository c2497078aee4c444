/* Freed by the parent before the fork, and once more by the child. */
#include <sys/wait.h>
#include <unistd.h>

#include "misuse.h"

int main(void) {
  char* buffer = make_buffer(120);
  release_buffer(buffer);
  const pid_t child = fork();
  if (child == 0) {
    release_again(buffer);
    _exit(0);
  }
  waitpid(child, NULL, 0);
  return 0;
}
