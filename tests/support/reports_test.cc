#include "tests/support/reports.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/workspace.h"

namespace gabion::testing {
namespace {

constexpr const char* kText = R"(output of the program
=================================================================
==12==ERROR: Gabion: attempting double-free on address 0x7f00 (freed twice)
found when the block was freed by thread T0 here:
    #0 0x1 in release_again misuse.h:10:3
    #1 0x2 in main double_free.c:6:3
0x7f00 is located 0 bytes inside of 24-byte region [0x7f00,0x7f18)
freed by thread T1 here:
    #0 0x3 in release_buffer misuse.h:5:3
previously allocated by thread T0 here:
    #0 0x4 in make_buffer misuse.h:3:3
SUMMARY: Gabion: double-free misuse.h:10 in release_again
==12==ERROR: Gabion: bad-free on address 0x10
    #0 0x5 in other other.c:1:1
)";

TEST(TextReports, AreTakenApart) {
  const std::vector<TextReport> reports = parse_text_reports(kText);
  ASSERT_EQ(reports.size(), 2U);
  const TextReport& first = reports[0];
  EXPECT_TRUE(first.first_line.starts_with("==12==ERROR: Gabion: attempting double-free"));
  EXPECT_EQ(first.stacks.at("error").size(), 2U);
  EXPECT_EQ(first.stacks.at("free"),
            std::vector<std::string>{"#0 0x3 in release_buffer misuse.h:5:3"});
  EXPECT_EQ(first.stacks.at("alloc").size(), 1U);
  EXPECT_EQ(reports[1].stacks.size(), 1U);
}

TEST(JsonReports, AreReadFromAllFilesOfADirectory) {
  const ScratchDirectory directory;
  for (const char* name : {"/gabion.a.1.jsonl", "/gabion.b.2.jsonl"}) {
    std::ofstream(directory.path() + name) << "{\"type\":\"header\"}\n{\"type\":\"report\","
                                              "\"kind\":\"bad-free\"}\n{\"type\":\"end\"}\n";
  }
  std::ofstream(directory.path() + "/other.txt") << "not a report\n";
  EXPECT_EQ(read_reports(directory.path()).size(), 2U);
}

TEST(JsonReports, MustBeWhole) {
  const ScratchDirectory directory;
  std::ofstream(directory.path() + "/gabion.a.1.jsonl") << "{\"type\":\"report\",\"kind\":";
  EXPECT_ANY_THROW(read_reports(directory.path()));
}

}  // namespace
}  // namespace gabion::testing
