#include "src/report/files.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "src/os/process.h"

namespace gabion::report {
namespace {

std::string expanded(std::string_view name_template) {
  ProcessFacts facts;
  facts.read();
  base::FixedText<4096> path;
  EXPECT_TRUE(expand_file_name(path, name_template, facts, 42, 1767323045));
  EXPECT_EQ(path.view().back(), '\0');
  return path.view().data();
}

TEST(Files, TemplatesAreExpanded) {
  EXPECT_EQ(expanded("/d/%p"), "/d/42");
  EXPECT_EQ(expanded("/d/%n.%p.%t.log"), "/d/files_test.42.20260102-030405.log");
  EXPECT_EQ(expanded("/100%%/%x/%"), "/100%/%x/%");
  EXPECT_EQ(expanded("log.%p"), std::filesystem::current_path().string() + "/log.42");
}

TEST(Files, TooLongANameIsRefused) {
  const ProcessFacts facts;
  base::FixedText<64> path;
  EXPECT_FALSE(expand_file_name(path, std::string(100, 'x'), facts, 1, 0));
  base::FixedText<64> json;
  EXPECT_FALSE(json_file_name(json, std::string(100, 'x'), facts, 1));
}

TEST(Files, RecordsAreAppended) {
  const std::string path = ::testing::TempDir() + "/append." + std::to_string(getpid());
  EXPECT_EQ(append_to_file(path.c_str(), "one\n", Links::kRefuse), 0);
  EXPECT_EQ(append_to_file(path.c_str(), "two\n", Links::kRefuse), 0);
  std::ifstream file(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "one\ntwo\n");
  std::filesystem::remove(path);
}

TEST(Files, ErrorsAreTold) {
  EXPECT_EQ(append_to_file("/nonexistent/x", "x", Links::kFollow), ENOENT);
  EXPECT_EQ(append_to_file("/dev/full", "x", Links::kFollow), ENOSPC);
  const std::string link = ::testing::TempDir() + "/link." + std::to_string(getpid());
  std::filesystem::create_symlink("/dev/null", link);
  EXPECT_EQ(append_to_file(link.c_str(), "x", Links::kRefuse), ELOOP);
  EXPECT_EQ(append_to_file(link.c_str(), "x", Links::kFollow), 0);
  std::filesystem::remove(link);
}

TEST(Files, APipeThatNobodyReadsIsNotWaitedFor) {
  const std::string pipe = ::testing::TempDir() + "/pipe." + std::to_string(getpid());
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(append_to_file(pipe.c_str(), "x", Links::kFollow), ENXIO);
  std::filesystem::remove(pipe);
}

// Neither may the signals that go with these errors end the program.
TEST(Files, AFileThatMayNotGrowIsAnError) {
  const std::string path = ::testing::TempDir() + "/limit." + std::to_string(getpid());
  rlimit former;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &former), 0);
  const rlimit nothing{.rlim_cur = 0, .rlim_max = former.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &nothing), 0);
  const int error = append_to_file(path.c_str(), "x", Links::kRefuse);
  const rlimit little{.rlim_cur = 6, .rlim_max = former.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &little), 0);
  const int first_error = append_to_file(path.c_str(), "one\n", Links::kRefuse);
  const int second_error = append_to_file(path.c_str(), "two\n", Links::kRefuse);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &former), 0);
  EXPECT_EQ(error, EFBIG);
  EXPECT_EQ(first_error, 0);
  EXPECT_EQ(second_error, ENOSPC);
  EXPECT_EQ(std::filesystem::file_size(path), 4u) << "half a record stays";
  sigset_t pending;
  sigpending(&pending);
  EXPECT_EQ(sigismember(&pending, SIGXFSZ), 0);
  std::filesystem::remove(path);
}

TEST(Files, AStreamThatNobodyReadsIsNoReasonToDie) {
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  close(pipe_ends[0]);
  os::write_all(pipe_ends[1], "x");
  close(pipe_ends[1]);
}

// Node.js, for one, makes its standard error non-blocking.
TEST(Files, AFullStreamIsWaitedFor) {
  int pipe_ends[2];
  ASSERT_EQ(pipe2(pipe_ends, O_NONBLOCK), 0);
  const std::string text(300'000, 'x');
  std::thread reader([&] {
    size_t got = 0;
    char buffer[10'000];
    while (got < text.size()) {
      const ssize_t n = read(pipe_ends[0], buffer, sizeof buffer);
      if (n > 0) got += static_cast<size_t>(n);
      if (n < 0) usleep(1000);
      if (n == 0) break;
    }
    EXPECT_EQ(got, text.size());
  });
  os::write_all(pipe_ends[1], text);
  close(pipe_ends[1]);
  reader.join();
  close(pipe_ends[0]);
}

}  // namespace
}  // namespace gabion::report
