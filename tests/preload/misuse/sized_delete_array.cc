#include <new>

#include "number.h"

namespace {

STEP void release_sized_array(void* block, size_t size) {
  FORGET(block);
  ::operator delete[](block, size);
}

}  // namespace

int main() { release_sized_array(make_numbers(10), 9 * sizeof(long)); }
