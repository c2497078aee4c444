#include "src/report/json_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/report/bugs.h"

namespace gabion::report {
namespace {

using nlohmann::json;

class JsonWriterTest : public ::testing::Test {
 protected:
  json parsed() {
    EXPECT_FALSE(text_.truncated());
    const std::string line(text_.view());
    EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1);
    EXPECT_EQ(line.back(), '\n');
    text_.clear();
    return json::parse(line);
  }

  json string_value(std::string_view value) {
    text_.clear();
    write_json_string(text_, value);
    return json::parse(std::string(text_.view()));
  }

  char buffer_[64 << 10];
  base::Text text_{std::span<char>(buffer_)};
  ProcessFacts facts_;
};

TEST_F(JsonWriterTest, Overflow) {
  const Overflow overflow;
  write_json(text_, overflow.bug, fake_context(facts_));
  EXPECT_EQ(parsed(), json::parse(R"({
    "type": "report", "version": 1, "pid": 123, "tid": 124, "thread": 1, "program": "",
    "kind": "heap-buffer-overflow",
    "message": "write of at least 1 byte past the end of a 10-byte block, found when it was freed",
    "address": "0x7f000000100a", "detected": "free", "access": {"type": "write"},
    "block": {"address": "0x7f0000001000", "size": 10, "offset": 10, "kind": "malloc",
              "state": "live", "alignment": 16},
    "damage": {"offset": 10, "length": 1, "found": "41", "expected": "d3"},
    "stacks": {
      "error": {"thread": 1, "frames": [
        {"pc": "0x401139", "module": "/opt/app", "offset": "0x1139", "build_id": "abcd01",
         "function": "main"},
        {"pc": "0x401200", "module": "/opt/app", "offset": "0x1200", "build_id": "abcd01",
         "function": "main"}]},
      "alloc": {"thread": 0, "frames": [
        {"pc": "0x401050", "module": "/opt/app", "offset": "0x1050", "build_id": "abcd01",
         "function": "make"}]}}})"));
}

TEST_F(JsonWriterTest, EveryCombinationOfPartsParses) {
  Overflow parts;
  const Mismatch mismatch{.allocated_with = AllocationKind::kNewArray,
                          .released_with = AccessKind::kFree,
                          .allocated_size = 8,
                          .released_size = 4,
                          .allocated_alignment = 64,
                          .released_alignment = 16};
  for (unsigned bits = 0; bits < 32; ++bits) {
    for (int kind = 0; kind <= static_cast<int>(BugKind::kNewDeleteTypeMismatch); ++kind) {
      Bug bug = parts.bug;
      bug.kind = static_cast<BugKind>(kind);
      if ((bits & 1) != 0) bug.block = nullptr;
      if ((bits & 2) != 0) bug.damage = nullptr;
      if ((bits & 4) != 0) bug.mismatch = &mismatch;
      if ((bits & 8) != 0) bug.error = {};
      if ((bits & 16) != 0) bug.access = AccessKind::kDelete;
      write_json(text_, bug, fake_context(facts_));
      const json report = parsed();
      EXPECT_EQ(report.contains("block"), (bits & 1) == 0);
      EXPECT_EQ(report.contains("region"), (bits & 1) != 0);
      EXPECT_EQ(report.at("stacks").contains("error"), (bits & 8) == 0);
      EXPECT_FALSE(report.at("message").get<std::string>().empty());
    }
  }
}

TEST_F(JsonWriterTest, HeaderAndEnd) {
  facts_.read();
  write_json_header(text_, fake_context(facts_), 1767323045);
  const json header = parsed();
  EXPECT_EQ(header.at("type"), "header");
  EXPECT_EQ(header.at("profile"), "debug");
  EXPECT_EQ(header.at("ppid"), 100);
  EXPECT_EQ(header.at("time"), "2026-01-02T03:04:05Z");
  EXPECT_TRUE(header.at("program").get<std::string>().starts_with('/'));
  EXPECT_GE(header.at("args").size(), 1u);
  write_json_end(text_, fake_context(facts_), 7);
  EXPECT_EQ(parsed(), json::parse(R"({"type":"end","version":1,"pid":123,"reports":7})"));
}

TEST_F(JsonWriterTest, Strings) {
  EXPECT_EQ(string_value("plain/path"), "plain/path");
  EXPECT_EQ(string_value("q\"b\\n\n\t\x01\x1f"), "q\"b\\n\n\t\x01\x1f");
  EXPECT_EQ(string_value("ü€😀"), "ü€😀");
  EXPECT_EQ(string_value(std::string_view("a\0b", 3)), std::string("a\0b", 3));
}

TEST_F(JsonWriterTest, BytesThatAreNoUtf8) {
  for (const char* bad :
       {"\xff", "\x80", "\xc3", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf0\x80\x80\x80",
        "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", "\xe2\x82"}) {
    const std::string value = std::string("/x") + bad + "y";
    const auto read = string_value(value).get<std::string>();
    EXPECT_TRUE(read.starts_with("/x\xef\xbf\xbd")) << read;
    EXPECT_TRUE(read.ends_with("y"));
  }
  std::string all;
  for (int i = 0; i < 65536; ++i) {
    const char pair[] = {static_cast<char>(i >> 8), static_cast<char>(i)};
    ASSERT_NO_THROW(string_value({pair, 2}));
  }
}

}  // namespace
}  // namespace gabion::report
