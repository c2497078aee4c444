/* What a daemon does. */
#include <unistd.h>

#include "misuse.h"

int main(void) {
  char* buffer = make_buffer(24);
  for (int fd = 0; fd < 1024; ++fd) close(fd);
  if (chdir("/") != 0) abort();
  release_buffer(buffer);
  release_again(buffer);
  return 0;
}
