#include "c23_free.h"

int main(void) {
  release_aligned_sized(make_aligned(128, 256), 64, 256);
  return 0;
}
