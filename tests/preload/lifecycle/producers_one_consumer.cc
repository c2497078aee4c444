// Producers allocate, one consumer frees and never allocates; at most 64 MiB are live.
#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "tests/preload/lifecycle/rss.h"

namespace {

constexpr size_t kLive = 64 * MIB;
constexpr size_t kTotal = 1024 * MIB;
constexpr size_t kProducers = 3;

// A ring of fixed size: the consumer must not allocate.
class Ring {
 public:
  void put(char* block, size_t size) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [&] { return bytes_ + size <= kLive && count_ < kSlots; });
    slots_[(first_ + count_++) % kSlots] = {block, size};
    bytes_ += size;
    arrived_.notify_one();
  }

  size_t take_and_free() {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [this] { return count_ > 0; });
    const Slot slot = slots_[first_];
    first_ = (first_ + 1) % kSlots;
    --count_;
    bytes_ -= slot.size;
    lock.unlock();
    room_.notify_all();
    std::free(slot.block);
    return slot.size;
  }

 private:
  static constexpr size_t kSlots = 1 << 15;
  struct Slot {
    char* block;
    size_t size;
  };
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::condition_variable room_;
  Slot slots_[kSlots];
  size_t first_ = 0;
  size_t count_ = 0;
  size_t bytes_ = 0;
};

Ring ring;

void produce() {
  size_t random = 1;
  for (size_t made = 0; made < kTotal / kProducers;) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    const size_t size = 64 + (random >> 33) % 20000;
    char* block = static_cast<char*>(std::malloc(size));
    for (size_t i = 0; i < size; i += 1024) block[i] = 'p';
    ring.put(block, size);
    made += size;
  }
  ring.put(nullptr, 0);
}

}  // namespace

int main() {
  std::vector<std::thread> producers;
  for (size_t i = 0; i < kProducers; ++i) producers.emplace_back(produce);
  size_t most = 0;
  std::thread consumer([&most] {
    size_t done = 0;
    for (size_t taken = 0; done < kProducers; ++taken) {
      done += ring.take_and_free() == 0 ? 1U : 0U;
      if (taken % 5000 == 0) most = std::max(most, resident_bytes());
    }
  });
  for (std::thread& producer : producers) producer.join();
  consumer.join();
  CHECK(most < resident_bound(kLive));
  std::puts("bounded");
}
