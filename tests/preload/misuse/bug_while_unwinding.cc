/* A destructor that runs because an exception passes. */
#include <stdexcept>

#include "misuse.h"

namespace {

struct Owner {
  char* buffer;
  __attribute__((noinline)) ~Owner() { release_again(buffer); }
};

STEP void throw_past_owner(char* buffer) {
  const Owner owner{buffer};
  throw std::runtime_error("passing");
}

}  // namespace

int main() {
  char* buffer = make_buffer(24);
  release_buffer(buffer);
  try {
    throw_past_owner(buffer);
  } catch (const std::runtime_error&) {
  }
}
