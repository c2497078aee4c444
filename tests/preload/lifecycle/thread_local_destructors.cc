// Destructors of thread_local objects allocate, free and touch other thread_local objects.
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/preload/lifecycle/rss.h"

namespace {

constexpr int kThreads = 2000;

struct Late {
  std::map<int, std::string> entries;
  ~Late() {
    for (int i = 0; i < 20; ++i) entries[i] = std::string(static_cast<size_t>(i) * 50, 'l');
  }
};

struct Early {
  std::unique_ptr<std::vector<std::string>> texts;
  ~Early();
};

thread_local Late late;
thread_local Early early;

Early::~Early() {
  late.entries[-1] = "from early";
  texts = std::make_unique<std::vector<std::string>>(30, std::string(200, 'e'));
}

}  // namespace

int main() {
  for (int i = 0; i < kThreads; i += 4) {
    std::vector<std::thread> threads;
    for (int j = 0; j < 4; ++j) {
      threads.emplace_back([] {
        late.entries[0] = "zero";
        early.texts = std::make_unique<std::vector<std::string>>(3, "text");
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  late.entries[0] = "main too";
  early.texts = nullptr;
  CHECK(resident_bytes() < resident_bound(4 * MIB));
  std::puts("destroyed");
}
