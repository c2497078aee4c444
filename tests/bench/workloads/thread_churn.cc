// Thousands of threads one after the other, each of which allocates a little, frees all but one
// block and exits; the main thread frees that block some threads later. A program that starts a
// thread for each connection: it shows what a thread's first allocation and its end cost, and
// whether memory grows with the number of threads that ever lived.
#include <array>
#include <thread>

#include "tests/bench/support/block.h"
#include "tests/bench/support/random.h"
#include "tests/bench/support/sizes.h"
#include "tests/bench/support/stopwatch.h"
#include "tests/bench/workloads/workloads.h"

namespace gabion::bench {
namespace {

constexpr std::size_t kThreads = 20000;
constexpr std::size_t kBlocks = 200;
constexpr std::size_t kLeftAlive = 64;

Node* short_life(std::uint64_t seed) {
  Random random(seed);
  std::array<Node*, kBlocks> blocks;
  for (Node*& block : blocks) block = new_node(random.between(kMinNodeSize, 512), random.next());
  for (std::size_t i = 1; i < kBlocks; ++i) delete_node(blocks[i]);
  return blocks[0];
}

}  // namespace

Result thread_churn(const Settings& settings) {
  const std::size_t threads = settings.scaled(kThreads);
  std::array<Node*, kLeftAlive> left{};
  const Stopwatch watch;
  for (std::size_t t = 0; t < threads; ++t) {
    Node*& slot = left[t % kLeftAlive];
    if (slot != nullptr) delete_node(slot);
    std::thread([&slot, seed = settings.seed + t] { slot = short_life(seed); }).join();
  }
  for (Node* node : left) {
    if (node != nullptr) delete_node(node);
  }
  return {.seconds = watch.seconds(), .operations = 2 * threads * kBlocks};
}

}  // namespace gabion::bench
