// Threads that build containers and hand them to each other through a queue.
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <iostream>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

using Parcel = std::map<int, std::string>;

class Mailbox {
 public:
  void put(Parcel parcel) {
    const std::lock_guard lock(mutex_);
    parcels_.push_back(std::move(parcel));
    arrived_.notify_one();
  }

  Parcel take() {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [this] { return !parcels_.empty(); });
    Parcel parcel = std::move(parcels_.front());
    parcels_.pop_front();
    return parcel;
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Parcel> parcels_;
};

constexpr int kThreads = 8;
constexpr int kRounds = 200;

}  // namespace

int main() {
  std::vector<Mailbox> mailboxes(kThreads);
  std::vector<std::uint64_t> sums(kThreads);
  std::vector<std::thread> threads;
  for (size_t self = 0; self < kThreads; ++self) {
    threads.emplace_back([&, self] {
      for (int round = 0; round < kRounds; ++round) {
        Parcel parcel;
        for (int i = 0; i < 20; ++i) {
          parcel[i] = std::string(static_cast<size_t>(i * round % 300), 'a') + std::to_string(i);
        }
        mailboxes[(self + 1) % kThreads].put(std::move(parcel));
        for (const auto& [key, text] : mailboxes[self].take()) {
          sums[self] += text.size() * static_cast<std::uint64_t>(key + 1);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::uint64_t sum : sums) std::cout << sum << '\n';
}
