#include "src/os/process.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <set>
#include <thread>

namespace gabion::os {
namespace {

TEST(Process, EnvironmentIsThePrograms) {
  ASSERT_EQ(setenv("GABION_TEST_A", "some=value", 1), 0);
  ASSERT_EQ(setenv("GABION_TEST_AB", "", 1), 0);
  EXPECT_STREQ(environment("GABION_TEST_A"), "some=value");
  EXPECT_STREQ(environment("GABION_TEST_AB"), "");
  EXPECT_EQ(environment("GABION_TEST_"), nullptr);
  EXPECT_EQ(environment("GABION_TEST_ABC"), nullptr);
  EXPECT_EQ(unsetenv("GABION_TEST_A"), 0);
  EXPECT_EQ(environment("GABION_TEST_A"), nullptr);
}

TEST(Process, EnvironmentBeforeLibcHasSetIt) {
  ASSERT_NE(getenv("PATH"), nullptr);
  const std::string path = getenv("PATH");
  char** const saved = environ;
  environ = nullptr;
  const char* const early = environment("PATH");
  provide_environment();
  char** const provided = environ;
  environ = saved;
  ASSERT_NE(early, nullptr);
  EXPECT_EQ(early, path);
  EXPECT_NE(provided, nullptr);
}

TEST(Process, RandomBytesFillAllOfIt) {
  std::array<std::byte, 1000> bytes{};
  random_bytes(bytes);
  std::set<std::byte> values(bytes.begin(), bytes.end());
  EXPECT_GT(values.size(), 200u);
  std::set<uint64_t> numbers;
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(numbers.insert(random_u64()).second);
}

TEST(Process, Identity) {
  EXPECT_FALSE(is_secure_execution());
  EXPECT_EQ(process_id(), getpid());
  EXPECT_EQ(thread_id(), getpid());
  std::thread([] { EXPECT_NE(thread_id(), getpid()); }).join();
}

TEST(Process, TheClockGoesOn) {
  const uint32_t before = coarse_milliseconds();
  usleep(30'000);
  const uint32_t passed = coarse_milliseconds() - before;
  EXPECT_GE(passed, 10u);
  EXPECT_LT(passed, 60'000u);
}

TEST(Process, WriteAllWritesMoreThanAPipeHolds) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const std::string text(300'000, 'x');
  std::string got;
  std::thread reader([&] {
    char buffer[4096];
    ssize_t n;
    while ((n = read(ends[0], buffer, sizeof buffer)) > 0)
      got.append(buffer, static_cast<size_t>(n));
  });
  write_all(ends[1], text);
  close(ends[1]);
  reader.join();
  close(ends[0]);
  EXPECT_EQ(got, text);
}

// They quote the environment.
TEST(Process, AWarningIsOneLineThatLeavesTheTerminalAlone) {
  testing::internal::CaptureStderr();
  warn("bad: a\nb\x1b[31m\x7f \xc3\xa9");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "gabion: warning: bad: a?b?[31m? \xc3\xa9\n");
}

TEST(ProcessDeathTest, DieSaysWhy) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(die("the reason"), "gabion: the reason");
}

}  // namespace
}  // namespace gabion::os
