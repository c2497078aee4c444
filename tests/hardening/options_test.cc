#include "src/hardening/options.h"

#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "src/backtrace/unwind.h"
#include "src/hardening/profile.h"

namespace gabion::hardening {
namespace {

std::vector<std::string> complaints;

Options parse(std::string_view text) {
  complaints.clear();
  Options options = default_options();
  parse_options(text, options, [](std::string_view line) { complaints.emplace_back(line); });
  return options;
}

TEST(Options, DefaultsAreTheProfiles) {
  const Options options = default_options();
  EXPECT_TRUE(options.halt_on_error);
  EXPECT_EQ(options.exit_code, 86u);
  EXPECT_EQ(options.log_path, "stderr");
  EXPECT_EQ(options.log_dir, "");
  EXPECT_EQ(options.abort_on_error, kProfile.name != kDebug.name);
  EXPECT_EQ(options.check_exit, kProfile.exit_sweep);
  EXPECT_EQ(options.quarantine_mib != 0, kProfile.quarantine);
}

TEST(Options, ParsesEveryType) {
  const Options options =
      parse("halt_on_error=0:exit_code=99:log_path=/tmp/x.%p:decay_ms=4294967295");
  EXPECT_FALSE(options.halt_on_error);
  EXPECT_EQ(options.log_path, "/tmp/x.%p");
  EXPECT_EQ(options.decay_ms, 4294967295u);
  EXPECT_EQ(options.exit_code, 86u);  // 99 is refused
  ASSERT_EQ(complaints.size(), 1u);
  EXPECT_EQ(
      complaints[0],
      "bad value in GABION_OPTIONS: exit_code=99 (want 3 to 125, not 77, not 99); the default "
      "is used");
}

TEST(Options, LastOneWins) {
  EXPECT_EQ(parse("exit_code=5:exit_code=6").exit_code, 6u);
  EXPECT_TRUE(complaints.empty());
}

TEST(Options, EmptyItemsAreNothing) {
  EXPECT_EQ(parse(":::exit_code=5::").exit_code, 5u);
  EXPECT_TRUE(complaints.empty());
  parse("");
  EXPECT_TRUE(complaints.empty());
}

TEST(Options, OneComplaintForEachBadItem) {
  parse(
      "nonsense:exit_code:exit_code=:exit_code=0:exit_code=126:exit_code=-5:exit_code=5x:"
      "exit_code=99999999999999999999:halt_on_error=2:=1:quarantine_mib=1000000000000");
  EXPECT_EQ(complaints.size(), 11u);
  EXPECT_EQ(complaints[0], "unknown key in GABION_OPTIONS: nonsense");
}

TEST(Options, FlagsHaveWords) {
  EXPECT_FALSE(parse("halt_on_error=no").halt_on_error);
  EXPECT_FALSE(parse("halt_on_error=off").halt_on_error);
  EXPECT_TRUE(parse("halt_on_error=true").halt_on_error);
  EXPECT_TRUE(complaints.empty());
}

TEST(Options, ChoicesAreWords) {
  using backtrace::Unwinder;
  EXPECT_EQ(default_options().unwinder, static_cast<uint64_t>(Unwinder::kAuto));
  EXPECT_EQ(parse("unwinder=auto").unwinder, static_cast<uint64_t>(Unwinder::kAuto));
  EXPECT_EQ(parse("unwinder=tables").unwinder, static_cast<uint64_t>(Unwinder::kTables));
  EXPECT_EQ(parse("unwinder=libunwind").unwinder, static_cast<uint64_t>(Unwinder::kLibunwind));
  EXPECT_EQ(parse("unwinder=frames").unwinder, static_cast<uint64_t>(Unwinder::kFrames));
  EXPECT_TRUE(complaints.empty());
  for (const char* bad : {"unwinder=", "unwinder=0", "unwinder=table", "unwinder=auto|tables"}) {
    EXPECT_EQ(parse(bad).unwinder, static_cast<uint64_t>(Unwinder::kAuto));
    ASSERT_EQ(complaints.size(), 1u) << bad;
  }
  EXPECT_EQ(complaints[0],
            "bad value in GABION_OPTIONS: unwinder=auto|tables (want "
            "auto|tables|libunwind|frames); the default is used");
}

TEST(Options, OverlongTextIsRefused) {
  const std::string path(kMaxOptionText, 'x');
  EXPECT_EQ(parse("log_dir=" + path + "y").log_dir, "");
  EXPECT_EQ(complaints.size(), 1u);
  EXPECT_EQ(complaints[0].find('\n'), std::string::npos);
  const std::string fitting = "log_dir=" + path;
  EXPECT_EQ(parse(fitting).log_dir, path);
}

TEST(Options, RefusedExitCodes) {
  for (int code = 0; code < 256; ++code) {
    const std::string text = "exit_code=" + std::to_string(code);
    const bool good = code >= 3 && code <= 125 && code != 77 && code != 99;
    EXPECT_EQ(parse(text).exit_code, good ? static_cast<uint64_t>(code) : 86u) << code;
  }
}

TEST(Options, DocumentationHoldsTheList) {
  std::vector<char> buffer(64 << 10);
  base::Text table{std::span<char>(buffer)};
  write_option_table(table);
  ASSERT_FALSE(table.truncated());
  std::ifstream file("docs/options.md");
  ASSERT_TRUE(file) << "docs/options.md is not among the test's data";
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_NE(text.str().find(table.view()), std::string::npos) << "docs/options.md should contain\n"
                                                              << table.view();
}

}  // namespace
}  // namespace gabion::hardening
