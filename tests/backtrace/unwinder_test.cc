// The ways of following a stack, side by side on real ones, with libunwind itself as the oracle.
#define UNW_LOCAL_ONLY
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <libunwind.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "src/backtrace/libunwind.h"
#include "src/backtrace/start.h"
#include "src/backtrace/unwind.h"
#include "src/os/fork.h"
#include "tests/backtrace/stacks.h"

#define KEEP_FRAME() asm volatile("" ::: "memory")

namespace gabion::backtrace {
namespace {

constexpr const char* kNames[] = {"auto", "tables", "libunwind", "frames"};
constexpr Unwinder kWays[] = {Unwinder::kTables, Unwinder::kLibunwind, Unwinder::kFrames};

Record seen[4];  // by Unwinder
Record oracle;
int looks = 0;

int unwind_with_libunwind(void** frames, int size) {
  using Backtrace = int(void**, int);
  static Backtrace* const backtrace = [] {
    void* const library = dlopen("libunwind.so.8", RTLD_NOW | RTLD_LOCAL);
    return library == nullptr ? nullptr
                              : reinterpret_cast<Backtrace*>(dlsym(library, "unw_backtrace"));
  }();
  return backtrace == nullptr ? 0 : backtrace(frames, size);
}

// Frame 0 is different in each: the place of the call here.
[[gnu::noinline]] void look() {
  for (const Unwinder way : kWays) {
    ASSERT_EQ(use_unwinder(way), way);
    record(seen[static_cast<size_t>(way)]);
  }
  use_unwinder(Unwinder::kAuto);
  oracle.count = static_cast<size_t>(
      unwind_with_libunwind(reinterpret_cast<void**>(oracle.frames), static_cast<int>(kRoom)));
  ++looks;
  KEEP_FRAME();
}

const Record& by(Unwinder way) { return seen[static_cast<size_t>(way)]; }

Recorded callers(const Record& record) {
  return {record.frames + std::min<size_t>(record.count, 1), record.frames + record.count};
}

// What is seen from `look`, and where frame pointers lead, up to the frame that returns into `root`
// (nullptr: not checked, there is code without them).
void expect_agreement(size_t least, const void* root, size_t root_size = 512) {
  ASSERT_GT(oracle.count, least);
  const Recorded truth = callers(oracle);
  EXPECT_EQ(callers(by(Unwinder::kTables)), truth);
  EXPECT_EQ(callers(by(Unwinder::kLibunwind)), truth);
  const Recorded frames = callers(by(Unwinder::kFrames));
  ASSERT_FALSE(frames.empty());
  EXPECT_EQ(frames[0], truth[0]);
  if (root == nullptr) return;
  const int depth = position_of(oracle, root, root_size);
  ASSERT_GE(depth, 1);
  const auto shared = static_cast<size_t>(depth);
  ASSERT_GE(frames.size(), shared);
  EXPECT_EQ(Recorded(frames.begin(), frames.begin() + depth),
            Recorded(truth.begin(), truth.begin() + depth));
}

template <typename Function>
const void* address_of(Function* function) {
  return reinterpret_cast<const void*>(function);
}

class Unwinders : public ::testing::Test {
 protected:
  void SetUp() override {
    if (use_unwinder(Unwinder::kTables) != Unwinder::kTables) GTEST_SKIP() << "no tables here";
    if (use_unwinder(Unwinder::kLibunwind) != Unwinder::kLibunwind) GTEST_SKIP() << "no libunwind";
    looks = 0;
  }
  void TearDown() override { use_unwinder(Unwinder::kAuto); }
};

// --- Shapes of stacks.

[[gnu::noinline]] int recurse(int depth) {
  volatile int local = depth;
  if (depth == 0) {
    look();
  } else {
    local = local + recurse(depth - 1);
  }
  KEEP_FRAME();
  return local;
}

TEST_F(Unwinders, AgreeInRecursion) {
  for (const int depth : {0, 1, 5, 30}) {
    recurse(depth);
    expect_agreement(static_cast<size_t>(depth) + 2, address_of(&recurse), 256);
    EXPECT_GT(position_of(oracle, address_of(&recurse), 256), 0);
  }
}

TEST_F(Unwinders, AgreeOnAStackDeeperThanTheRoom) {
  recurse(1000);
  for (const Unwinder way : kWays) EXPECT_EQ(by(way).count, kRoom) << static_cast<int>(way);
  expect_agreement(kRoom - 1, address_of(&recurse), 256);
}

int compare_and_look(const void* a, const void* b) {
  if (looks == 0) look();
  KEEP_FRAME();
  return *static_cast<const int*>(a) - *static_cast<const int*>(b);
}

TEST_F(Unwinders, AgreeInACallbackOfTheCLibrary) {
  int values[] = {5, 3, 9, 1, 4, 8, 2};
  qsort(values, std::size(values), sizeof values[0], compare_and_look);
  expect_agreement(4, nullptr);
  int key = 4;
  looks = 0;
  EXPECT_NE(bsearch(&key, values, std::size(values), sizeof values[0], compare_and_look), nullptr);
  expect_agreement(3, nullptr);
}

[[gnu::noinline]] void sort_with_a_lambda() {
  std::vector<int> values;
  for (int i = 0; i < 100; ++i) values.push_back(i * 37 % 101);
  std::sort(values.begin(), values.end(), [](int a, int b) {
    if (looks == 0) look();
    return a < b;
  });
  KEEP_FRAME();
}

TEST_F(Unwinders, AgreeInALambdaOfASort) {
  sort_with_a_lambda();
  expect_agreement(3, address_of(&sort_with_a_lambda), 4096);
}

[[gnu::noinline]] void call_functions(int depth) {
  const std::function<void()> function = [depth] {
    if (depth == 0) {
      look();
    } else {
      call_functions(depth - 1);
    }
  };
  function();
  KEEP_FRAME();
}

TEST_F(Unwinders, AgreeThroughStdFunction) {
  call_functions(6);
  expect_agreement(9, address_of(&call_functions));
}

struct Shape {
  virtual ~Shape() = default;
  virtual double visit(int depth) = 0;
};
struct Square : Shape {
  std::unique_ptr<Shape> inner;
  double visit(int depth) override;
};
struct Circle : Shape {
  double visit(int) override {
    look();
    KEEP_FRAME();
    return 3;
  }
};

[[gnu::noinline]] double Square::visit(int depth) {
  const double area = inner->visit(depth + 1) * depth;
  KEEP_FRAME();
  return area + 1;
}

[[gnu::noinline]] double visit_shapes() {
  std::unique_ptr<Shape> shape = std::make_unique<Circle>();
  for (int i = 0; i < 4; ++i) {
    auto outer = std::make_unique<Square>();
    outer->inner = std::move(shape);
    shape = std::move(outer);
  }
  const double area = shape->visit(0);
  KEEP_FRAME();
  return area;
}

TEST_F(Unwinders, AgreeThroughVirtualCalls) {
  visit_shapes();
  expect_agreement(6, address_of(&visit_shapes), 1024);
}

[[gnu::noinline]] void look_from_varying_frame(int n) {
  alignas(128) char buffer[256];
  auto* more = static_cast<char*>(__builtin_alloca(static_cast<size_t>(n)));
  memset(buffer, n, sizeof buffer);
  memset(more, n, static_cast<size_t>(n));
  look();
  asm volatile("" ::"r"(buffer), "r"(more) : "memory");
}

TEST_F(Unwinders, AgreeThroughFramesOfVariableSizeAndAlignment) {
  for (const int n : {8, 77, 4000}) {
    look_from_varying_frame(n);
    expect_agreement(2, address_of(&look_from_varying_frame));
  }
}

void look_in_handler(int) {
  look();
  KEEP_FRAME();
}

TEST_F(Unwinders, AgreeInASignalHandler) {
  struct sigaction action{}, former{};
  action.sa_handler = look_in_handler;
  sigaction(SIGUSR1, &action, &former);
  raise(SIGUSR1);
  sigaction(SIGUSR1, &former, nullptr);
  expect_agreement(4, nullptr);
}

TEST_F(Unwinders, AgreeInAThread) {
  std::thread([] { recurse(3); }).join();
  expect_agreement(6, address_of(&recurse), 256);
  pthread_t thread;
  const auto body = [](void*) -> void* {
    recurse(2);
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, nullptr, body, nullptr), 0);
  pthread_join(thread, nullptr);
  expect_agreement(4, address_of(&recurse), 256);
}

class Frameless : public Unwinders {
 protected:
  void SetUp() override {
    Unwinders::SetUp();
    const char* path = getenv("GABION_TEST_FRAMELESS");
    if (path == nullptr) GTEST_SKIP() << "GABION_TEST_FRAMELESS names no library";
    const std::string file = strchr(path, '/') == nullptr ? std::string("./") + path : path;
    library_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library_, nullptr) << dlerror();
  }
  void TearDown() override {
    Unwinders::TearDown();
    if (library_ != nullptr) dlclose(library_);
  }
  template <typename Function>
  Function* find(const char* name) {
    return reinterpret_cast<Function*>(dlsym(library_, name));
  }

 private:
  void* library_ = nullptr;
};

TEST_F(Frameless, AgreeInCodeWithoutFramePointers) {
  auto* const recurse_frameless = find<int(int, void (*)())>("frameless_recurse");
  ASSERT_NE(recurse_frameless, nullptr);
  for (const int depth : {0, 3, 25}) {
    recurse_frameless(depth, look);
    expect_agreement(static_cast<size_t>(depth) + 2, nullptr);
    EXPECT_EQ(position_of(by(Unwinder::kTables), address_of(recurse_frameless), 128), 1);
  }
}

TEST_F(Frameless, AgreeWhereTheFramePointerIsAValue) {
  auto* const busy = find<long(const long*, void (*)())>("frameless_busy");
  ASSERT_NE(busy, nullptr);
  const auto here = reinterpret_cast<long>(__builtin_frame_address(0));
  for (const long value : {0L, 1L, here, here + 64, -1L, 0x4141414141414141L}) {
    const long values[] = {value, value, value, value, value, value};
    busy(values, look);
    expect_agreement(3, nullptr);
  }
}

// --- Where libunwind is not asked, and what it leaves alone.

TEST_F(Unwinders, ErrnoIsKept) {
  use_unwinder(Unwinder::kLibunwind);
  errno = 4711;
  Record mine;
  record(mine);
  EXPECT_EQ(errno, 4711);
}

TEST_F(Unwinders, KeepToTheRoomGiven) {
  for (const Unwinder way : kWays) {
    use_unwinder(way);
    for (const size_t room : {0u, 1u, 2u}) {
      Record mine;
      record(mine, room);
      EXPECT_EQ(mine.count, room) << kNames[static_cast<size_t>(way)];
    }
  }
}

TEST_F(Unwinders, ASmallSignalStackIsEnough) {
  static char stack[8 << 10];
  static Record small;
  stack_t alternate{.ss_sp = stack, .ss_flags = 0, .ss_size = sizeof stack}, former_stack{};
  sigaltstack(&alternate, &former_stack);
  struct sigaction action{}, former{};
  action.sa_flags = SA_ONSTACK;
  action.sa_handler = [](int) { record(small); };
  sigaction(SIGUSR1, &action, &former);
  for (const Unwinder way : kWays) {
    use_unwinder(way);
    small.count = 0;
    raise(SIGUSR1);
    EXPECT_GE(small.count, 1u);
  }
  sigaction(SIGUSR1, &former, nullptr);
  sigaltstack(&former_stack, nullptr);
}

TEST_F(Unwinders, TheSmallestThreadStackIsEnough) {
  use_unwinder(Unwinder::kLibunwind);
  static Record small;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, static_cast<size_t>(PTHREAD_STACK_MIN)), 0);
  const auto body = [](void*) -> void* {
    record(small);
    return nullptr;
  };
  pthread_t thread;
  ASSERT_EQ(pthread_create(&thread, &attributes, body, nullptr), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  EXPECT_GE(small.count, 1u);
}

// A child's captures end even when, at the fork, another thread had the loader's lock.
TEST_F(Unwinders, WorkInChildrenWhileLibrariesComeAndGo) {
  os::install_fork_handlers();
  use_unwinder(Unwinder::kLibunwind);
  std::atomic<bool> stop{false};
  std::thread loader([&] {
    while (!stop) {
      void* library = dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL);
      void* other = dlopen("libthread_db.so.1", RTLD_NOW | RTLD_LOCAL);
      if (other != nullptr) dlclose(other);
      if (library != nullptr) dlclose(library);
    }
  });
  std::thread walker([&] {
    Record mine;
    while (!stop) record(mine);
  });
  for (int i = 0; i < 100; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);
      Record mine;
      record(mine);
      _exit(mine.count >= 1 ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_EQ(status, 0);
  }
  stop = true;
  loader.join();
  walker.join();
}

}  // namespace
}  // namespace gabion::backtrace
