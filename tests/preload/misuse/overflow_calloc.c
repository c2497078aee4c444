#include "misuse.h"

STEP char* make_records(size_t count, size_t size) {
  char* records = (char*)calloc(count, size);
  FORGET(records);
  return records;
}

int main(void) {
  char* records = make_records(3, 7);
  scribble(records, 21, 22);
  release_buffer(records);
  return 0;
}
