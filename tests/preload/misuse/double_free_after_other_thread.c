#include "shared_block.h"

int main(void) {
  shared = make_buffer(200);
  run_thread(release_shared);
  release_again(shared);
  return 0;
}
