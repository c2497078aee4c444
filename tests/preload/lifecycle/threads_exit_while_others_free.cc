// Every thread allocates for the next one and ends while that one still frees.
#include <atomic>
#include <thread>
#include <vector>

#include "tests/preload/check.h"

namespace {

constexpr size_t kThreads = 400;
constexpr size_t kBlocks = 300;

using Blocks = std::vector<unsigned char*>;

}  // namespace

int main() {
  std::vector<Blocks> handed(kThreads + 1);
  std::vector<std::atomic<bool>> ready(kThreads + 1);
  ready[0] = true;
  std::vector<std::thread> threads;
  for (size_t self = 0; self < kThreads; ++self) {
    threads.emplace_back([&, self] {
      Blocks blocks(kBlocks);
      for (size_t i = 0; i < kBlocks; ++i) {
        blocks[i] = static_cast<unsigned char*>(std::malloc(16 + i * 11));
        blocks[i][0] = static_cast<unsigned char>(i);
        blocks[i][15 + i * 11] = static_cast<unsigned char>(self);
      }
      handed[self + 1] = std::move(blocks);
      ready[self + 1] = true;
      ready[self + 1].notify_all();
      ready[self].wait(false);
      for (size_t i = 0; i < handed[self].size(); ++i) {
        unsigned char* block = handed[self][i];
        CHECK(block[0] == static_cast<unsigned char>(i));
        CHECK(block[15 + i * 11] == static_cast<unsigned char>(self - 1));
        std::free(block);
      }
    });
    if (self % 8 == 7) {
      for (std::thread& thread : threads) thread.join();
      threads.clear();
    }
  }
  for (std::thread& thread : threads) thread.join();
  for (unsigned char* block : handed[kThreads]) std::free(block);
  std::puts("all contents right");
}
