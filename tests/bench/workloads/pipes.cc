// Producers allocate messages, one consumer reads and frees them: one to one (a pipe) and four to
// one (a funnel), with small blocks of one kind and with realistic sizes. The consumer never
// allocates, so every block must find its way back to a producer, and the live set is bounded by
// the queues: memory must be too.
#include <array>
#include <atomic>
#include <memory>
#include <thread>

#include "tests/bench/support/block.h"
#include "tests/bench/support/random.h"
#include "tests/bench/support/sizes.h"
#include "tests/bench/support/stopwatch.h"
#include "tests/bench/workloads/workloads.h"

namespace gabion::bench {
namespace {

// Of all producers together.
constexpr std::size_t kSmallMessages = 12'000'000;
constexpr std::size_t kMixedMessages = 5'000'000;
constexpr unsigned kFunnelProducers = 4;
constexpr std::size_t kCacheLine = 64;

// A bounded queue with one writer and one reader.
class Queue {
 public:
  bool push(Node* node) {
    const std::size_t at = written_.load(std::memory_order_relaxed);
    if (at - read_.load(std::memory_order_acquire) == kCapacity) return false;
    slots_[at % kCapacity] = node;
    written_.store(at + 1, std::memory_order_release);
    return true;
  }
  Node* pop() {
    const std::size_t at = read_.load(std::memory_order_relaxed);
    if (at == written_.load(std::memory_order_acquire)) return nullptr;
    Node* node = slots_[at % kCapacity];
    read_.store(at + 1, std::memory_order_release);
    return node;
  }

 private:
  static constexpr std::size_t kCapacity = 1024;
  alignas(kCacheLine) std::atomic<std::size_t> written_ = 0;
  alignas(kCacheLine) std::atomic<std::size_t> read_ = 0;
  alignas(kCacheLine) std::array<Node*, kCapacity> slots_{};
};

struct Traffic {
  std::size_t messages;
  std::size_t (*size)(Random&);
};
constexpr Traffic kSmall = {kSmallMessages,
                            [](Random& random) { return random.between(kMinNodeSize, 128); }};
constexpr Traffic kMixed = {kMixedMessages, realistic_size};

void produce(Queue& queue, std::size_t messages, std::uint64_t seed, std::size_t (*size)(Random&)) {
  Random random(seed);
  for (std::size_t i = 0; i < messages; ++i) {
    Node* node = new_node(size(random), i);
    while (!queue.push(node)) std::this_thread::yield();
  }
}

void consume(std::vector<std::unique_ptr<Queue>>& queues, std::size_t messages) {
  while (messages != 0) {
    std::size_t got = 0;
    for (const auto& queue : queues) {
      while (Node* node = queue->pop()) {
        delete_node(node);
        ++got;
      }
    }
    messages -= got;
    if (got == 0) std::this_thread::yield();
  }
}

Result run(const Settings& settings, unsigned producers, Traffic traffic) {
  const std::size_t each = settings.scaled(traffic.messages / producers);
  std::vector<std::unique_ptr<Queue>> queues;
  for (unsigned p = 0; p < producers; ++p) queues.push_back(std::make_unique<Queue>());
  const Stopwatch watch;
  std::vector<std::jthread> threads;
  for (unsigned p = 0; p < producers; ++p) {
    threads.emplace_back(produce, std::ref(*queues[p]), each, settings.seed + p, traffic.size);
  }
  consume(queues, each * producers);
  threads.clear();
  return {.seconds = watch.seconds(), .operations = 2 * each * producers};
}

}  // namespace

Result pipe_small(const Settings& settings) { return run(settings, 1, kSmall); }
Result pipe_mixed(const Settings& settings) { return run(settings, 1, kMixed); }
Result funnel_small(const Settings& settings) {
  return run(settings, settings.threads_or(kFunnelProducers), kSmall);
}
Result funnel_mixed(const Settings& settings) {
  return run(settings, settings.threads_or(kFunnelProducers), kMixed);
}

}  // namespace gabion::bench
