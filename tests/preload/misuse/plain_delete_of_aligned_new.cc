#include "aligned_new.h"

namespace {

STEP void release_plain(void* block) {
  FORGET(block);
  ::operator delete(block);
}

}  // namespace

int main() { release_plain(make_aligned_new(128)); }
