#include "src/backtrace/unwind.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "tests/backtrace/stacks.h"

#define KEEP_FRAME() asm volatile("" ::: "memory")

namespace gabion::backtrace {
namespace {

Record shared;

[[gnu::noinline]] void leaf() {
  record(shared);
  KEEP_FRAME();
}

[[gnu::noinline]] int recurse(int depth) {
  int local = depth;
  if (depth == 0) {
    leaf();
  } else {
    local += recurse(depth - 1);
  }
  KEEP_FRAME();
  return local;
}

TEST(Unwind, BeginsAtTheCaller) {
  leaf();
  ASSERT_GE(shared.count, 2u);
  EXPECT_EQ(position_of(shared, reinterpret_cast<void*>(&leaf), 64), 0);
}

TEST(Unwind, AgreesWithTheCLibrary) {
  recurse(20);
  const Recorded ours = shared.all();
  void* theirs[kRoom + 8];
  const int n = ::backtrace(theirs, static_cast<int>(std::size(theirs)));
  // Both end with the same outermost frames: those of this test's callers.
  ASSERT_GT(n, 4);
  ASSERT_GT(ours.size(), 24u);
  for (size_t i = 1; i < static_cast<size_t>(n) - 1 && i <= 5; ++i) {
    EXPECT_EQ(ours[ours.size() - i],
              reinterpret_cast<uintptr_t>(theirs[static_cast<size_t>(n) - i]));
  }
}

TEST(Unwind, FreshRulesGiveTheSame) {
  Record cached, fresh;
  for (const Rules rules : {Rules::kCached, Rules::kFresh}) {
    record(rules == Rules::kCached ? cached : fresh, kRoom, rules);
  }
  // Frame 0 is the place of the call: compilers unroll the loop.
  cached.frames[0] = fresh.frames[0];
  EXPECT_EQ(cached.all(), fresh.all());
}

TEST(Unwind, KeepsToTheRoomGiven) {
  Record small;
  record(small, 3);
  EXPECT_EQ(small.count, 3u);
  record(small, 1);
  EXPECT_EQ(small.count, 1u);
  record(small, 0);
  EXPECT_EQ(small.count, 0u);
}

int compare_and_record(const void*, const void*) {
  record(shared);
  KEEP_FRAME();
  return 0;
}

[[gnu::noinline]] void sort_something() {
  int values[2] = {2, 1};
  qsort(values, 2, sizeof values[0], compare_and_record);
  KEEP_FRAME();
}

TEST(Unwind, PassesThroughCallbacksOfTheCLibrary) {
  sort_something();
  EXPECT_EQ(position_of(shared, reinterpret_cast<void*>(&compare_and_record), 64), 0);
  EXPECT_TRUE(returns_into(shared, reinterpret_cast<void*>(&sort_something)));
}

[[gnu::noinline]] void realigned(int n) {
  alignas(128) char buffer[256];
  auto* more = static_cast<char*>(__builtin_alloca(static_cast<size_t>(n)));
  memset(buffer, n, sizeof buffer);
  memset(more, n, static_cast<size_t>(n));
  leaf();
  asm volatile("" ::"r"(buffer), "r"(more) : "memory");
}

TEST(Unwind, PassesThroughFramesOfVariableSizeAndAlignment) {
  realigned(77);
  EXPECT_TRUE(returns_into(shared, reinterpret_cast<void*>(&realigned)));
  EXPECT_GT(shared.count, 5u);
}

#if defined(__x86_64__)

// Calls its argument with a frame pointer that is none. The first says how to unwind, the second
// has no table at all.
extern "C" void call_without_frame_pointer(void (*function)(), uintptr_t garbage);
extern "C" void call_without_table(void (*function)(), uintptr_t garbage);
asm(R"(
.text
.type call_without_frame_pointer, @function
call_without_frame_pointer:
  .cfi_startproc
  push %rbp
  .cfi_adjust_cfa_offset 8
  .cfi_rel_offset %rbp, 0
  mov %rsi, %rbp
  call *%rdi
  pop %rbp
  .cfi_adjust_cfa_offset -8
  .cfi_restore %rbp
  ret
  .cfi_endproc
.size call_without_frame_pointer, .-call_without_frame_pointer
.skip 64
.type call_without_table, @function
call_without_table:
  push %rbp
  mov %rsi, %rbp
  call *%rdi
  pop %rbp
  ret
.size call_without_table, .-call_without_table
.skip 64
)");

std::vector<uintptr_t> garbage_values() {
  int local = 0;
  const auto here = reinterpret_cast<uintptr_t>(&local);
  std::vector<uintptr_t> values = {0,
                                   1,
                                   8,
                                   16,
                                   0x4141414141414141,
                                   UINTPTR_MAX,
                                   UINTPTR_MAX - 7,
                                   UINTPTR_MAX - 15,
                                   0x00007ffffffffff8,
                                   0xffff800000000000,
                                   uintptr_t{1} << 63,
                                   here & ~uintptr_t{7},
                                   (here & ~uintptr_t{7}) + 1,
                                   here + (1 << 20),
                                   here - (1 << 20),
                                   here + (1u << 30)};
  for (uintptr_t offset = 0; offset < 4096; offset += 8) {
    values.push_back((here & ~uintptr_t{7}) + offset - 1024);
  }
  return values;
}

TEST(Unwind, IgnoresAGarbageFramePointerWhereThereIsATable) {
  for (const uintptr_t garbage : garbage_values()) {
    call_without_frame_pointer(leaf, garbage);
    ASSERT_EQ(position_of(shared, reinterpret_cast<void*>(&leaf), 64), 0);
    ASSERT_EQ(position_of(shared, reinterpret_cast<void*>(&call_without_frame_pointer), 16), 1);
    ASSERT_GT(shared.count, 5u) << std::hex << garbage;
  }
}

TEST(Unwind, SurvivesAGarbageFramePointerWithoutATable) {
  for (const uintptr_t garbage : garbage_values()) {
    call_without_table(leaf, garbage);
    ASSERT_EQ(position_of(shared, reinterpret_cast<void*>(&leaf), 64), 0);
  }
}

// Code made at run time, as a JIT compiler does: nothing but frame pointers leads out of it.
class MadeCode {
 public:
  MadeCode() {
    // push %rbp; mov %rsp,%rbp; call *%rdi; pop %rbp; ret
    constexpr unsigned char kCode[] = {0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3};
    memory_ = mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(memory_, kCode, sizeof kCode);
    mprotect(memory_, kSize, PROT_READ | PROT_EXEC);
  }
  ~MadeCode() { munmap(memory_, kSize); }
  MadeCode(const MadeCode&) = delete;
  MadeCode& operator=(const MadeCode&) = delete;

  void call(void (*function)()) const { reinterpret_cast<void (*)(void (*)())>(memory_)(function); }
  [[nodiscard]] const void* address() const { return memory_; }

 private:
  static constexpr size_t kSize = 4096;
  void* memory_;
};

TEST(Unwind, FollowsFramePointersOutOfMadeCode) {
  const MadeCode code;
  code.call(leaf);
  EXPECT_EQ(position_of(shared, code.address(), 16), 1);
  EXPECT_GT(shared.count, 6u);
}

#endif  // __x86_64__

[[gnu::noinline]] void raise_signal() {
  raise(SIGUSR1);
  KEEP_FRAME();
}

TEST(Unwind, PassesThroughASignalFrame) {
  struct sigaction action{}, former{};
  action.sa_handler = [](int) { leaf(); };
  sigaction(SIGUSR1, &action, &former);
  raise_signal();
  sigaction(SIGUSR1, &former, nullptr);
  EXPECT_TRUE(returns_into(shared, reinterpret_cast<void*>(&raise_signal)));
}

volatile sig_atomic_t ticks = 0;

TEST(Unwind, WorksOnASignalStackAtAnyInstruction) {
  static char stack[64 << 10];
  stack_t alternate{.ss_sp = stack, .ss_flags = 0, .ss_size = sizeof stack}, former_stack{};
  sigaltstack(&alternate, &former_stack);
  struct sigaction action{}, former{};
  action.sa_flags = SA_ONSTACK | SA_RESTART;
  static Record in_handler;
  action.sa_handler = [](int) {
    record(in_handler);
    ticks = ticks + 1;
  };
  sigaction(SIGPROF, &action, &former);
  itimerval interval{{0, 1000}, {0, 1000}}, off{};
  setitimer(ITIMER_PROF, &interval, nullptr);
  size_t shortest = kRoom;
  while (ticks < 100) {
    recurse(10);
    Record mine;
    record(mine);
    shortest = std::min(shortest, mine.count);
  }
  setitimer(ITIMER_PROF, &off, nullptr);
  sigaction(SIGPROF, &former, nullptr);
  sigaltstack(&former_stack, nullptr);
  EXPECT_GT(shortest, 3u);
  EXPECT_GT(in_handler.count, 2u);
}

ucontext_t main_context, coroutine;

void coroutine_body() {
  leaf();
  swapcontext(&coroutine, &main_context);
}

TEST(Unwind, WorksOnMakecontextStacks) {
  constexpr size_t kSize = 32 << 10;
  for (int i = 0; i < 3; ++i) {
    // The page behind the stack is not readable, and the stack goes away afterwards.
    auto* stack = static_cast<char*>(
        mmap(nullptr, kSize + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(stack + kSize, 4096, PROT_NONE);
    getcontext(&coroutine);
    coroutine.uc_stack = {.ss_sp = stack, .ss_flags = 0, .ss_size = kSize};
    coroutine.uc_link = nullptr;
    makecontext(&coroutine, coroutine_body, 0);
    swapcontext(&main_context, &coroutine);
    EXPECT_EQ(position_of(shared, reinterpret_cast<void*>(&leaf), 64), 0);
    EXPECT_TRUE(returns_into(shared, reinterpret_cast<void*>(&coroutine_body), 64));
    EXPECT_LE(shared.count, 4u);
    munmap(stack, kSize + 4096);
  }
}

TEST(Unwind, WorksOnTheSmallestThreadStacks) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, static_cast<size_t>(PTHREAD_STACK_MIN)), 0);
  for (int i = 0; i < 3; ++i) {
    pthread_t thread;
    static const auto body = [](void*) -> void* {
      leaf();
      return nullptr;
    };
    ASSERT_EQ(pthread_create(&thread, &attributes, body, nullptr), 0);
    pthread_join(thread, nullptr);
    EXPECT_GE(shared.count, 3u);
  }
  pthread_attr_destroy(&attributes);
}

TEST(Unwind, WorksInDeepRecursion) {
  EXPECT_NE(recurse(60'000), 0);
  EXPECT_EQ(shared.count, kRoom);
}

TEST(Unwind, WorksWhileObjectsComeAndGoAndOthersFork) {
  std::atomic<bool> stop{false};
  std::thread loader([&] {
    while (!stop) {
      void* object = dlopen("libunwind.so.8", RTLD_NOW | RTLD_LOCAL);
      if (object == nullptr) object = dlopen("libm.so.6", RTLD_NOW | RTLD_LOCAL);
      if (object != nullptr) dlclose(object);
    }
  });
  std::thread walker([&] {
    Record mine;
    while (!stop) record(mine, kRoom, Rules::kFresh);
  });
  for (int i = 0; i < 100; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);
      recurse(10);
      _exit(shared.count > 10 ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  stop = true;
  loader.join();
  walker.join();
}

}  // namespace
}  // namespace gabion::backtrace
