#include <new>

#include "misuse.h"

namespace {

STEP void* make_large(size_t size) {
  void* block = ::operator new(size);
  FORGET(block);
  return block;
}

STEP void release_sized(void* block, size_t size) {
  FORGET(block);
  ::operator delete(block, size);
}

}  // namespace

int main() { release_sized(make_large(1 << 20), (1 << 20) - 1); }
