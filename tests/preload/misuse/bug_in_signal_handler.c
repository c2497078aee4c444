#include <signal.h>

#include "misuse.h"

static char* freed;

STEP void handle_signal(int number) {
  (void)number;
  release_again(freed);
}

int main(void) {
  freed = make_buffer(24);
  release_buffer(freed);
  signal(SIGUSR1, handle_signal);
  raise(SIGUSR1);
  return 0;
}
