// Main allocates, a new thread each time frees: neither leaks nor keeps what it was given.
#include <thread>
#include <vector>

#include "tests/preload/lifecycle/rss.h"

int main() {
  constexpr size_t kBlock = 2000;
  constexpr size_t kBatch = 2000;
  for (int round = 0; round < 300; ++round) {
    std::vector<char*> blocks(kBatch);
    for (char*& block : blocks) {
      block = static_cast<char*>(std::malloc(kBlock));
      block[0] = 'b';
    }
    std::thread([&blocks] {
      for (char* block : blocks) std::free(block);
    }).join();
  }
  CHECK(resident_bytes() < resident_bound(kBlock * kBatch));
  std::puts("bounded");
}
