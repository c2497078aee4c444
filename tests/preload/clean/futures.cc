#include <chrono>
#include <future>
#include <iostream>
#include <numeric>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace {

long sum_of(std::vector<long> numbers) {
  if (numbers.size() < 500) return std::accumulate(numbers.begin(), numbers.end(), 0L);
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  auto left = std::async(std::launch::async, sum_of, std::vector<long>(numbers.begin(), middle));
  const long right = sum_of(std::vector<long>(middle, numbers.end()));
  return left.get() + right;
}

}  // namespace

int main() {
  std::vector<long> numbers(20000);
  std::iota(numbers.begin(), numbers.end(), 1L);
  std::cout << sum_of(numbers) << '\n';
  std::promise<std::string> promise;
  std::future<std::string> text = promise.get_future();
  std::jthread sender([&promise] { promise.set_value(std::string(1000, 'p')); });
  std::cout << text.get().size() << '\n';
  std::packaged_task<int(int)> task([](int x) { return x * 2; });
  std::future<int> doubled = task.get_future();
  std::jthread(std::move(task), 21).join();
  std::cout << doubled.get() << '\n';
}
