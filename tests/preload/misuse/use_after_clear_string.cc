/* A pointer into a string outlives the string. */
#include <string>

#include "misuse.h"

namespace {

STEP std::string* make_text() { return new std::string(99, 'x'); }

STEP void release_text(std::string* text) {
  FORGET(text);
  delete text;
}

}  // namespace

int main() {
  std::string* text = make_text();
  char* letters = text->data();
  FORGET(letters);
  release_text(text);
  scribble(letters, 50, 53);
}
