#include "mapping.h"

int main(void) {
  release_buffer(map_pages(PROT_READ | PROT_WRITE));
  return 0;
}
