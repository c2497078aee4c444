#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "tests/bench/compare/allocators.h"
#include "tests/bench/compare/process.h"
#include "tests/bench/compare/program_job.h"
#include "tests/bench/compare/results.h"
#include "tests/bench/compare/statistics.h"
#include "tests/bench/compare/tables.h"

namespace gabion::bench {
namespace {

TEST(StatisticsTest, MedianSpreadAndGeometricMean) {
  EXPECT_DOUBLE_EQ(median({3, 1, 2}), 2);
  EXPECT_DOUBLE_EQ(median({4, 1, 2, 3}), 2.5);
  EXPECT_DOUBLE_EQ(spread({9, 10, 13}), 0.2);
  EXPECT_DOUBLE_EQ(geometric_mean({0.5, 2, 1}), 1);
}

TEST(AllocatorsTest, BaselineIsFirstAndMissingOnesAreSaid) {
  const Allocators allocators =
      find_allocators({"fast", "glibc", "x=/nonexistent/x.so"}, "/nonexistent");
  ASSERT_EQ(allocators.found.size(), 1U);
  EXPECT_EQ(allocators.found[0].name, "glibc");
  ASSERT_EQ(allocators.missing.size(), 2U);
  EXPECT_EQ(allocators.missing[0], "skipping fast: no libgabion.so in /nonexistent");
  EXPECT_EQ(allocators.missing[1], "skipping x: /nonexistent/x.so does not exist");
  EXPECT_THROW(find_allocators({"nonsense"}, "/"), std::invalid_argument);
}

TEST(ProcessTest, StatusOutputAndTimeout) {
  const Outcome fine = run({.arguments = {"sh", "-c", "echo out; echo err >&2"}});
  EXPECT_TRUE(fine.ok());
  EXPECT_EQ(fine.output, "out\n");
  EXPECT_EQ(fine.errors, "err\n");
  EXPECT_GT(fine.peak_rss_kib, 0U);
  EXPECT_EQ(run({.arguments = {"sh", "-c", "exit 3"}}).failure(), "status 3");
  EXPECT_EQ(run({.arguments = {"sh", "-c", "kill -9 $$"}}).status, 137);
  EXPECT_EQ(run({.arguments = {"/nonexistent"}}).status, 127);
  EXPECT_EQ(run({.arguments = {"sleep", "60"}, .timeout_seconds = 0.1}).failure(), "timed out");
}

class ProgramsTest : public testing::Test {
 protected:
  std::vector<Program> read(const std::string& text) {
    std::ofstream(file_) << text;
    return read_programs(file_);
  }
  std::filesystem::path file_ = std::filesystem::path(testing::TempDir()) / "programs.txt";
};

TEST_F(ProgramsTest, ReadsSectionsAndContinuedLines) {
  const auto programs = read(
      "# note\n[one]\nrun: a\n  b\n\n[two]\nrequires: c\nprepare: d\nrun: e\noutput: varies\n");
  ASSERT_EQ(programs.size(), 2U);
  EXPECT_EQ(programs[0].run, "a\nb");
  EXPECT_TRUE(programs[0].same_output);
  EXPECT_EQ(programs[1].requires_command, "c");
  EXPECT_EQ(programs[1].prepare, "d");
  EXPECT_FALSE(programs[1].same_output);
}

TEST_F(ProgramsTest, RefusesWhatItDoesNotKnow) {
  EXPECT_THROW(read("[one]\nruns: a\n"), std::invalid_argument);
  EXPECT_THROW(read("run: a\n"), std::invalid_argument);
  EXPECT_THROW(read("[one]\n"), std::invalid_argument);
  EXPECT_THROW(read_programs("/nonexistent"), std::invalid_argument);
}

TEST_F(ProgramsTest, SaysWhyAProgramIsSkippedAndComparesOutput) {
  const auto programs = read(
      "[none]\nrequires: no-such-command\nrun: x\n[varying]\nprepare: echo 1 > n\nrun: cat n; echo "
      "2 >> n\n");
  std::vector<std::string> missing;
  auto jobs = program_jobs(programs, {}, testing::TempDir(), 10, missing);
  ASSERT_EQ(missing.size(), 1U);
  EXPECT_EQ(missing[0], "skipping none: no-such-command is not installed");
  ASSERT_EQ(jobs.size(), 1U);
  EXPECT_EQ(jobs[0]->run({}).failure, "");
  EXPECT_EQ(jobs[0]->run({}).failure, "its output differs");
}

TEST(ResultsTest, RatiosOfMediansToTheFirst) {
  Results results({"glibc", "fast", "other"}, {"job"});
  for (const double seconds : {1.0, 2.0, 3.0}) {
    results.add(0, 0, {.seconds = seconds, .peak_rss_kib = 1024});
    results.add(0, 1, {.seconds = seconds / 2, .peak_rss_kib = 2048});
    results.add(0, 2, {.seconds = seconds / 4, .failure = seconds > 2 ? "broken" : ""});
  }
  EXPECT_DOUBLE_EQ(*results.ratio(Quantity::kTime, 0, 1), 0.5);
  EXPECT_DOUBLE_EQ(*results.ratio(Quantity::kPeakRss, 0, 1), 2);
  EXPECT_FALSE(results.ratio(Quantity::kTime, 0, 2));
  EXPECT_TRUE(results.any_failure());
  const std::string table = ratio_table(results, Quantity::kTime, "fast");
  EXPECT_NE(table.find("2.00 s ±50%"), std::string::npos);
  EXPECT_NE(table.find("fast / best other"), std::string::npos);
}

}  // namespace
}  // namespace gabion::bench
