// Deletes of every legal kind: virtual, sized, of arrays with a cookie, over-aligned.
#include <array>
#include <functional>
#include <iostream>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace {

int alive = 0;

struct Base {
  Base() { ++alive; }
  Base(const Base&) = delete;
  Base& operator=(const Base&) = delete;
  virtual ~Base() { --alive; }
};

struct Derived : Base {
  std::string name = std::string(100, 'd');
  std::array<long, 20> values{};
};

struct alignas(256) Wide : Base {
  std::array<char, 300> bytes{};
};

struct Counted {
  Counted() { ++alive; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() { --alive; }
  std::string text = std::string(50, 'c');
};

}  // namespace

int main() {
  for (int i = 1; i < 200; ++i) {
    std::vector<std::unique_ptr<Base>> owners;
    owners.push_back(std::make_unique<Derived>());
    owners.push_back(std::make_unique<Wide>());
    const std::unique_ptr<Counted[]> counted(new Counted[static_cast<size_t>(i)]);
    const std::unique_ptr<Wide[]> wide(new Wide[3]);
    auto shared = std::make_shared<Derived>();
    const std::weak_ptr<Base> weak = shared;
    const std::shared_ptr<int[]> array(new int[static_cast<size_t>(i)]);
    const std::shared_ptr<char> by_free(static_cast<char*>(std::malloc(10)), std::free);
    const std::function<size_t()> closure = [shared, i] {
      return shared->name.size() + static_cast<size_t>(i);
    };
    shared.reset();
    if (weak.expired() || closure() != 100 + static_cast<size_t>(i)) return 1;
    alignas(Derived) std::array<std::byte, sizeof(Derived)> place;
    std::destroy_at(new (place.data()) Derived);
  }
  std::cout << alive << " left\n";
}
