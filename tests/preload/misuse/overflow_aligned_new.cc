#include "misuse.h"

namespace {

struct alignas(64) Line {
  char bytes[64];
};

STEP Line* make_line() {
  Line* line = new Line;
  FORGET(line);
  return line;
}

STEP void release_line(Line* line) {
  FORGET(line);
  delete line;
}

}  // namespace

int main() {
  Line* line = make_line();
  scribble(line->bytes, 64, 64);
  release_line(line);
}
