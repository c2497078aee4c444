#include <new>

#include "number.h"

namespace {

STEP void release_aligned(void* block) {
  FORGET(block);
  ::operator delete(block, std::align_val_t{64});
}

}  // namespace

int main() { release_aligned(make_number()); }
