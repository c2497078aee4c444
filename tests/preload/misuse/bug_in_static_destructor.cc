#include "misuse.h"

namespace {

class Registry {
 public:
  Registry() : entries_(make_buffer(36)) {}
  __attribute__((noinline)) ~Registry() {
    scribble(entries_, 36, 37);
    release_buffer(entries_);
  }

 private:
  char* entries_;
};

Registry registry;

}  // namespace

int main() {}
