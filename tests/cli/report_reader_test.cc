#include "src/cli/report_reader.h"

#include <gtest/gtest.h>

#include <sstream>
#include <vector>

#include "src/cli/error.h"

namespace gabion::cli {
namespace {

struct Read {
  ReadSummary summary;
  std::vector<BugReport> reports;
};

Read read(const std::string& text) {
  Read result;
  std::istringstream stream(text);
  result.summary =
      read_reports([&](std::string& line) { return static_cast<bool>(std::getline(stream, line)); },
                   [&](BugReport&& report) { result.reports.push_back(std::move(report)); });
  return result;
}

constexpr char kFull[] =
    R"({"type":"report","version":1,"pid":12,"tid":13,"thread":2,"program":"/p","kind":"heap-buffer-overflow",)"
    R"("message":"m","address":"0x7f10","detected":"free","access":{"type":"write","size":4},)"
    R"("block":{"address":"0x7f00","size":10,"offset":-3,"kind":"new[]","state":"freed","alignment":64},)"
    R"("damage":{"offset":-1,"length":2,"found":"4142","expected":"d3d3"},)"
    R"("mismatch":{"allocated_with":"malloc","released_with":"operator delete","allocated_size":8},)"
    R"("stacks":{"error":{"thread":2,"frames":[{"pc":"0x5","module":"/m","offset":"0x1139","build_id":"ab","function":"f"},{}]},)"
    R"("free":{"thread":1,"frames":[]}}})";

TEST(ReportReader, ReadsEverything) {
  const Read result = read(std::string(kFull) + "\n");
  ASSERT_EQ(result.reports.size(), 1u);
  const BugReport& report = result.reports[0];
  EXPECT_EQ(report.pid, 12);
  EXPECT_EQ(report.thread, 2);
  EXPECT_EQ(report.kind, "heap-buffer-overflow");
  EXPECT_EQ(report.address, 0x7f10u);
  EXPECT_EQ(report.access->type, "write");
  EXPECT_EQ(report.access->size, 4u);
  EXPECT_EQ(report.block->address, 0x7f00u);
  EXPECT_EQ(report.block->offset, -3);
  EXPECT_EQ(report.block->alignment, 64u);
  EXPECT_EQ(report.damage->offset, -1);
  EXPECT_EQ(report.damage->found, "4142");
  EXPECT_EQ(report.mismatch->allocated_size, 8u);
  EXPECT_EQ(report.mismatch->released_size, std::nullopt);
  ASSERT_EQ(report.error_stack->frames.size(), 2u);
  EXPECT_EQ(report.error_stack->frames[0].offset, 0x1139u);
  EXPECT_EQ(report.error_stack->frames[0].function, "f");
  EXPECT_EQ(report.error_stack->frames[1].pc, 0u);
  EXPECT_FALSE(report.error_stack->frames[0].exact);
  EXPECT_TRUE(report.free_stack.has_value());
  EXPECT_FALSE(report.alloc_stack.has_value());
}

TEST(ReportReader, SkipsHeadersEndsAndUnknownTypes) {
  const Read result = read(
      "{\"type\":\"header\",\"version\":1}\n{\"type\":\"later\"}\n\n{\"type\":\"end\",\"reports\":"
      "0}");
  EXPECT_EQ(result.summary.reports, 0u);
  EXPECT_EQ(result.summary.unreadable_lines, 0u);
}

TEST(ReportReader, CountsGarbageAndTruncation) {
  const std::string full = kFull;
  const Read result = read("garbage\n" + full + "\n[1]\n\"x\"\n17\n{}\n" + full.substr(0, 200));
  EXPECT_EQ(result.reports.size(), 1u);
  EXPECT_EQ(result.summary.unreadable_lines, 6u);
  EXPECT_EQ(result.summary.damaged_reports, 1u);
}

// Cut anywhere, and with each byte changed: never a crash, never lost as "no bug" unless the type
// itself is gone.
TEST(ReportReader, SurvivesAnyDamage) {
  const std::string full = kFull;
  for (size_t length = 0; length <= full.size(); ++length) {
    const Read result = read(full.substr(0, length));
    EXPECT_LE(result.reports.size(), 1u);
    if (length > 20) {
      EXPECT_EQ(result.summary.reports + result.summary.damaged_reports, 1u);
    }
  }
  for (size_t i = 0; i < full.size(); ++i) {
    for (const char c : {'\0', '"', '}', '\xff', '9'}) {
      std::string changed = full;
      changed[i] = c;
      read(changed);
    }
  }
}

TEST(ReportReader, WrongTypesAreAbsentValues) {
  const Read result = read(
      R"({"type":"report","pid":"x","kind":5,"address":"zz","access":3,"block":{"size":-1,"address":[]},)"
      R"("damage":[],"stacks":{"error":{"frames":{}},"alloc":{"frames":[1,null,{"pc":7}]}}})");
  ASSERT_EQ(result.reports.size(), 1u);
  const BugReport& report = result.reports[0];
  EXPECT_EQ(report.pid, 0);
  EXPECT_EQ(report.kind, "unknown-error");
  EXPECT_EQ(report.address, std::nullopt);
  EXPECT_EQ(report.block->size, 0u);
  EXPECT_FALSE(report.error_stack.has_value());
  EXPECT_EQ(report.alloc_stack->frames[2].pc, 7u);
}

TEST(ReportReader, StringsThatAreNoUtf8) {
  const Read result =
      read("{\"type\":\"report\",\"kind\":\"k\",\"program\":\"/a\xff\xc3\xa9\xe2\x82/b\"}");
  ASSERT_EQ(result.reports.size(), 1u);
  EXPECT_EQ(result.reports[0].program,
            "/a?\xc3\xa9?"
            "?/b");
}

TEST(ReportReader, NewerFormat) {
  EXPECT_TRUE(read(R"({"type":"report","version":2,"kind":"k"})").summary.newer_format);
  EXPECT_FALSE(read(R"({"type":"report","version":1,"kind":"k"})").summary.newer_format);
}

TEST(ReportReader, InnermostFrameOfAFaultIsExact) {
  const std::string start =
      R"({"type":"report","kind":"k","detected":"access","stacks":{"error":{"frames":[)";
  EXPECT_TRUE(read(start + R"({"module":"/p"},{"module":"/p"}]}}})")
                  .reports[0]
                  .error_stack->frames[0]
                  .exact);
  EXPECT_FALSE(read(start + R"({"module":"/p"},{"module":"/p"}]}}})")
                   .reports[0]
                   .error_stack->frames[1]
                   .exact);
  EXPECT_FALSE(read(start + R"({"module":"/l/libgabion-debug.so"},{"module":"/p"}]}}})")
                   .reports[0]
                   .error_stack->frames[0]
                   .exact);
}

TEST(ReportReader, MissingFile) {
  EXPECT_THROW(read_report_file("/no/such/file", [](BugReport&&) {}), Error);
  EXPECT_THROW(read_report_file("/tmp", [](BugReport&&) {}), Error);
}

}  // namespace
}  // namespace gabion::cli
