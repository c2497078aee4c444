#include "src/report/files.h"

#include <errno.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

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

}  // namespace
}  // namespace gabion::report
