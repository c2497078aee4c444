/* The block comes out of libc, and so from malloc. */
#include <cstring>

#include "misuse.h"

namespace {

STEP char* copy_of(const char* text) {
  char* copy = strdup(text);
  FORGET(copy);
  return copy;
}

STEP void release_text(char* text) {
  FORGET(text);
  delete[] text;
}

}  // namespace

int main() { release_text(copy_of("bastion")); }
