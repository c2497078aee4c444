#include "c23_free.h"

int main(void) {
  release_aligned_sized(make_aligned(128, 256), 128, 512);
  return 0;
}
