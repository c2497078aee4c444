/* Whoever looks at bytes before the pointer to find out whose it is gets a fault. */
#include "mapping.h"

int main(void) {
  release_buffer(map_pages(PROT_NONE) + 4096);
  return 0;
}
