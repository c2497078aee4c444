#include "c23_free.h"

int main(void) {
  release_sized(make_buffer(64), 63);
  return 0;
}
