#include "src/report/report.h"

#include <gtest/gtest.h>
#include <limits.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "src/os/fork.h"
#include "tests/report/bugs.h"

namespace gabion::report {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

// Settings are made once a process, so every test runs in a child of its own.
class ReportTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "/report.XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
  }
  void TearDown() override { fs::remove_all(directory_); }

  static pid_t spawn(const std::function<void()>& body, const std::string& error_file) {
    const pid_t pid = fork();
    if (pid != 0) return pid;
    if (freopen(error_file.c_str(), "w", stderr) == nullptr) _exit(1);
    body();
    _exit(0);
  }

  int in_child(const std::function<void()>& body) {
    const pid_t pid = spawn(body, error_path());
    int status = 0;
    waitpid(pid, &status, 0);
    std::ifstream file(error_path());
    error_ = std::string(std::istreambuf_iterator<char>(file), {});
    return status;
  }

  [[nodiscard]] std::string error_path() const { return directory_.string() + "/stderr"; }

  [[nodiscard]] std::vector<fs::path> logs() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(directory_)) {
      if (entry.path().extension() == ".jsonl") found.push_back(entry.path());
    }
    return found;
  }

  static std::vector<json> lines_of(const fs::path& path) {
    std::vector<json> lines;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) lines.push_back(json::parse(line));
    return lines;
  }

  fs::path directory_;
  std::string error_;
};

TEST_F(ReportTest, TextGoesToStandardErrorEvenWithoutStart) {
  EXPECT_EQ(in_child([] {
              submit(Overflow().bug);
              if (count() != 1) _exit(1);
            }),
            0);
  EXPECT_NE(error_.find("==ERROR: Gabion: heap-buffer-overflow on address"), std::string::npos);
  EXPECT_TRUE(logs().empty());
}

TEST_F(ReportTest, JsonHasHeaderReportsAndEnd) {
  const std::string directory = directory_;
  EXPECT_EQ(in_child([&] {
              start({.log_path = "none", .log_dir = directory, .halts = false});
              if (!fs::is_empty(directory) && fs::exists(directory + "/x")) _exit(1);
              submit(Overflow().bug);
              submit(Overflow().bug);
              finish();
            }),
            0);
  EXPECT_EQ(error_, "");
  ASSERT_EQ(logs().size(), 1u);
  EXPECT_TRUE(logs()[0].filename().string().starts_with("gabion.report_test."));
  const auto lines = lines_of(logs()[0]);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0].at("type"), "header");
  EXPECT_EQ(lines[1].at("type"), "report");
  EXPECT_EQ(lines[2].at("type"), "report");
  EXPECT_EQ(lines[3].at("reports"), 2);
}

TEST_F(ReportTest, WithoutReportsThereIsNoFile) {
  const std::string directory = directory_;
  EXPECT_EQ(in_child([&] {
              start({.log_dir = directory});
              finish();
            }),
            0);
  EXPECT_TRUE(logs().empty());
}

TEST_F(ReportTest, AChildHasAFileAndACountOfItsOwn) {
  const std::string directory = directory_;
  EXPECT_EQ(in_child([&] {
              start({.log_path = "none", .log_dir = directory, .halts = false});
              os::install_fork_handlers();
              submit(Overflow().bug);
              const pid_t child = fork();
              if (child == 0) {
                if (count() != 0) _exit(1);
                submit(Overflow().bug);
                finish();
                _exit(count() == 1 ? 0 : 2);
              }
              int status = 1;
              waitpid(child, &status, 0);
              finish();
              _exit(status == 0 && count() == 1 ? 0 : 3);
            }),
            0);
  const auto files = logs();
  ASSERT_EQ(files.size(), 2u);
  for (const fs::path& path : files) EXPECT_EQ(lines_of(path).size(), 3u);
}

TEST_F(ReportTest, AnUnwritableDirectoryIsSaidOnceAndTheTextStillComes) {
  EXPECT_EQ(in_child([] {
              start({.log_path = "none", .log_dir = "/nonexistent/dir", .halts = false});
              submit(Overflow().bug);
              submit(Overflow().bug);
              finish();
            }),
            0);
  const auto occurrences = [&](const std::string& what) {
    size_t n = 0;
    for (size_t at = error_.find(what); at != std::string::npos; at = error_.find(what, at + 1))
      ++n;
    return n;
  };
  EXPECT_EQ(occurrences("gabion: warning: cannot write reports"), 1u);
  EXPECT_EQ(occurrences("==ERROR: Gabion:"), 2u);
}

TEST_F(ReportTest, AFullDiskIsSaidOnceAndTheTextStillComes) {
  EXPECT_EQ(in_child([] {
              start({.log_path = "/dev/full"});
              submit(Overflow().bug);
            }),
            0);
  EXPECT_NE(error_.find("gabion: warning: cannot write reports (errno 28)"), std::string::npos);
  EXPECT_NE(error_.find("==ERROR: Gabion:"), std::string::npos);
}

TEST_F(ReportTest, ManyProcessesShareOneLog) {
  constexpr int kProcesses = 64;
  const std::string log = directory_.string() + "/all.log";
  std::vector<pid_t> children;
  for (int i = 0; i < kProcesses; ++i) {
    children.push_back(spawn(
        [&] {
          start({.log_path = log});
          submit(Overflow().bug);
        },
        "/dev/null"));
  }
  for (const pid_t child : children) {
    int status = 1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  std::ifstream file(log);
  int inside = 0, whole = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("=====")) {
      EXPECT_EQ(inside++, 0);
    }
    if (line.ends_with("==ABORTING")) {
      EXPECT_EQ(--inside, 0);
      ++whole;
    }
  }
  EXPECT_EQ(whole, kProcesses);
}

TEST_F(ReportTest, ThreadsReportOneAfterTheOther) {
  const std::string directory = directory_;
  EXPECT_EQ(in_child([&] {
              start({.log_path = "none", .log_dir = directory, .halts = false});
              std::vector<std::thread> threads;
              for (int t = 0; t < 8; ++t) {
                threads.emplace_back([] {
                  for (int i = 0; i < 20; ++i) submit(Overflow().bug);
                });
              }
              for (std::thread& thread : threads) thread.join();
              finish();
            }),
            0);
  ASSERT_EQ(logs().size(), 1u);
  const auto lines = lines_of(logs()[0]);
  EXPECT_EQ(lines.size(), 162u);
  EXPECT_EQ(lines.back().at("reports"), 160);
}

// The deepest stacks that there can be, of addresses in a real module.
TEST_F(ReportTest, WorksOnTheSmallestThreadStack) {
  const std::string directory = directory_;
  EXPECT_EQ(in_child([&] {
              start({.log_dir = directory});
              pthread_attr_t attributes;
              pthread_attr_init(&attributes);
              pthread_attr_setstacksize(&attributes, static_cast<size_t>(PTHREAD_STACK_MIN));
              pthread_t thread;
              static uintptr_t frames[base::kMaxFrames];
              for (uintptr_t& frame : frames) frame = reinterpret_cast<uintptr_t>(&waitpid) + 4;
              static Overflow parts;
              parts.bug.error.frames = parts.bug.alloc.frames = frames;
              const auto body = [](void*) -> void* {
                submit(parts.bug);
                return nullptr;
              };
              if (pthread_create(&thread, &attributes, body, nullptr) != 0) _exit(1);
              pthread_join(thread, nullptr);
            }),
            0);
  EXPECT_NE(error_.find("SUMMARY: Gabion"), std::string::npos);
  EXPECT_EQ(lines_of(logs().at(0)).size(), 2u);
}

TEST_F(ReportTest, AFaultInsideAReportEndsTheProcessWithOneLine) {
  const int status = in_child([] {
    start({.exit_code = 87});
    Overflow parts;
    parts.damage.dump = {reinterpret_cast<const uint8_t*>(uintptr_t{64}), 16};
    submit(parts.bug);
  });
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 87);
  EXPECT_EQ(error_, "gabion: another error happened inside an error report\n");
}

TEST_F(ReportTest, TheProgramsOwnFaultHandlerIsBackAfterAReport) {
  const int status = in_child([] {
    start({});
    signal(SIGSEGV, [](int) { _exit(5); });
    submit(Overflow().bug);
    raise(SIGSEGV);
  });
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 5);
}

}  // namespace
}  // namespace gabion::report
