/* The parent does not care how its child ended. */
#include <sys/wait.h>
#include <unistd.h>

#include "misuse.h"

STEP void child_frees_twice(void) {
  char* buffer = make_buffer(24);
  release_buffer(buffer);
  release_again(buffer);
}

int main(void) {
  const pid_t child = fork();
  if (child == 0) {
    child_frees_twice();
    _exit(0);
  }
  waitpid(child, NULL, 0);
  return 0;
}
