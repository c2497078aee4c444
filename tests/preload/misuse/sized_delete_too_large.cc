#include <new>

#include "number.h"

namespace {

STEP void release_sized(void* block, size_t size) {
  FORGET(block);
  ::operator delete(block, size);
}

}  // namespace

int main() { release_sized(make_number(), sizeof(long) + 1); }
