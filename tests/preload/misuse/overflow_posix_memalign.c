#include "misuse.h"

STEP char* make_page(size_t size) {
  void* page = NULL;
  if (posix_memalign(&page, 4096, size) != 0) abort();
  FORGET(page);
  return (char*)page;
}

int main(void) {
  char* page = make_page(1000);
  scribble(page, 1000, 1000);
  release_buffer(page);
  return 0;
}
