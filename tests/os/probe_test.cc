#include "src/os/probe.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <thread>

#include "src/os/loaded_code.h"
#include "src/os/memory.h"

namespace gabion::os {
namespace {

TEST(Probe, TellsWhatCanBeRead) {
  alignas(8) int local[2] = {};
  sigset_t before, after;
  sigprocmask(SIG_SETMASK, nullptr, &before);
  errno = 4711;
  EXPECT_TRUE(is_readable(reinterpret_cast<uintptr_t>(local)));
  for (const uintptr_t wild : {uintptr_t{0}, uintptr_t{8}, uintptr_t{1} << 63, UINTPTR_MAX - 7,
                               uintptr_t{0x4141414141414140}}) {
    EXPECT_FALSE(is_readable(wild)) << wild;
  }
  EXPECT_EQ(errno, 4711);
  sigprocmask(SIG_SETMASK, nullptr, &after);
  for (int signal = 1; signal < 32; ++signal) {
    EXPECT_EQ(sigismember(&before, signal), sigismember(&after, signal));
  }
}

TEST(Probe, EachThreadHasItsPointer) {
  const uintptr_t mine = thread_pointer();
  EXPECT_EQ(mine, thread_pointer());
  uintptr_t other = mine;
  std::thread([&] { other = thread_pointer(); }).join();
  EXPECT_NE(other, mine);
}

TEST(Probe, TheStackBeginsAtTheArguments) {
  const uintptr_t end = initial_stack_end();
  ASSERT_NE(end, 0u);
  EXPECT_GE(*reinterpret_cast<const long*>(end), 1);  // argc
}

TEST(LoadedCode, FindsTheObjectOfAnAddress) {
  if (!can_find_loaded_code()) GTEST_SKIP() << "not with this C library";
  LoadedCode program, libc, none;
  const auto here = reinterpret_cast<uintptr_t>(&initial_stack_end);
  ASSERT_TRUE(find_loaded_code(here, program));
  EXPECT_TRUE(here >= program.begin && here < program.end);
  EXPECT_NE(program.module, nullptr);
  EXPECT_NE(program.eh_frame_hdr, nullptr);
  ASSERT_TRUE(find_loaded_code(reinterpret_cast<uintptr_t>(&getppid), libc));
  EXPECT_NE(libc.module, nullptr);
  int local = 0;
  EXPECT_FALSE(find_loaded_code(reinterpret_cast<uintptr_t>(&local), none));
  EXPECT_FALSE(find_loaded_code(0, none));
}

}  // namespace
}  // namespace gabion::os
