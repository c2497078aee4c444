#include "src/report/process_facts.h"

#include <gtest/gtest.h>
#include <time.h>

#include <string>

namespace gabion::report {
namespace {

TEST(ProcessFacts, AreThoseOfThisProcess) {
  ProcessFacts facts;
  EXPECT_EQ(facts.program_name(), "unknown");
  facts.read();
  EXPECT_EQ(facts.program_name(), "process_facts_test");
  EXPECT_TRUE(facts.directory().starts_with('/'));
  EXPECT_NE(facts.arguments().find("process_facts_test"), std::string_view::npos);
}

TEST(ProcessFacts, TimesAreThoseOfTheCLibrary) {
  for (int64_t seconds : {int64_t{0}, int64_t{68169600}, int64_t{951782400}, int64_t{951868799},
                          int64_t{1709164800}, int64_t{1767323045}, int64_t{4107542399}}) {
    const time_t time = seconds;
    tm parts{};
    gmtime_r(&time, &parts);
    char expected[64];
    strftime(expected, sizeof expected, "%Y-%m-%dT%H:%M:%SZ", &parts);
    base::FixedText<64> ours;
    append_utc_time(ours, seconds);
    EXPECT_EQ(ours.view(), expected);
    strftime(expected, sizeof expected, "%Y%m%d-%H%M%S", &parts);
    ours.clear();
    append_compact_time(ours, seconds);
    EXPECT_EQ(ours.view(), expected);
  }
}

}  // namespace
}  // namespace gabion::report
