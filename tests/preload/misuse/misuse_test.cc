// Each misuse program under `gabion run`: the report must name the bug, the block and the stacks.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/preload/misuse/expectations.h"
#include "tests/support/reports.h"
#include "tests/support/subprocess.h"
#include "tests/support/workspace.h"

namespace gabion::testing {

// GoogleTest would print the bytes of the struct.
void PrintTo(const Expectation& expectation, std::ostream* out) { *out << expectation.program; }

namespace {

using nlohmann::json;

constexpr int kBugExitCode = 86;
constexpr std::chrono::seconds kTimeout{60};

// A field of nested objects, or null when any of them is absent.
json field(const json& object, std::initializer_list<const char*> path) {
  json here = object;
  for (const char* name : path) {
    if (!here.is_object() || !here.contains(name)) return nullptr;
    here = json(here.at(name));
  }
  return here;
}

void expect_text(const json& report, std::initializer_list<const char*> path,
                 std::string_view expected) {
  if (expected.empty()) return;
  EXPECT_EQ(field(report, path), json(expected)) << "field " << *(path.end() - 1);
}

void expect_number(const json& report, std::initializer_list<const char*> path,
                   std::int64_t expected) {
  if (expected == kNotChecked) return;
  EXPECT_EQ(field(report, path), json(expected)) << "field " << *(path.end() - 1);
}

void expect_offset(const json& report, const char* object, const Expectation& expected) {
  if (expected.offset == kNotChecked) return;
  const json offset = field(report, {object, "offset"});
  ASSERT_TRUE(offset.is_number_integer()) << object;
  EXPECT_GE(offset.get<std::int64_t>(), expected.offset) << object;
  // Of damage before a block the report names the byte next to it, and the damage from its first
  // byte.
  const bool nearest = expected.offset < 0 && std::string_view(object) == "block";
  EXPECT_LT(offset.get<std::int64_t>(), nearest ? 0 : expected.offset + expected.span) << object;
}

void expect_report(const json& report, const Expectation& expected) {
  expect_text(report, {"kind"}, expected.kind);
  expect_text(report, {"detected"}, expected.detected);
  expect_text(report, {"block", "kind"}, expected.block);
  expect_text(report, {"block", "state"}, expected.state);
  expect_text(report, {"region"}, expected.region);
  expect_text(report, {"access", "type"}, expected.access);
  expect_text(report, {"mismatch", "allocated_with"}, expected.allocated_with);
  expect_text(report, {"mismatch", "released_with"}, expected.released_with);
  expect_number(report, {"mismatch", "released_size"}, expected.released_size);
  expect_number(report, {"block", "size"}, expected.size);
  expect_offset(report, "block", expected);
  if (report.contains("damage")) expect_offset(report, "damage", expected);
  if (!expected.error.empty()) {
    expect_number(report, {"stacks", "error", "thread"}, expected.error_thread);
  }
  if (!expected.free.empty()) {
    expect_number(report, {"stacks", "free", "thread"}, expected.free_thread);
  }
  if (!expected.alloc.empty()) {
    expect_number(report, {"stacks", "alloc", "thread"}, expected.alloc_thread);
  }
  EXPECT_FALSE(report.value("message", "").empty());
}

// "#0 0xPC in function location": the function may contain spaces, the location none.
struct Frame {
  std::string_view function;
  std::string_view location;
};

Frame parse_frame(std::string_view line) {
  const size_t in = line.find(" in ");
  const size_t last = line.rfind(' ');
  if (in == std::string_view::npos || last < in + 4) return {};
  return {.function = line.substr(in + 4, last - in - 4), .location = line.substr(last + 1)};
}

// Bazel strips debug information from what it links in its default mode (see --strip).
bool has_lines(const std::string& program) {
  std::ifstream file(program, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  return bytes.find(".debug_line") != std::string::npos;
}

// The functions must be in the stack in this order, innermost first, with source file and line.
void expect_stack(const TextReport& report, const char* stack, std::string_view functions,
                  bool lines) {
  if (functions.empty()) return;
  static const std::regex in_source("\\.(c|cc|h):[0-9]+");
  const auto found = report.stacks.find(stack);
  ASSERT_NE(found, report.stacks.end()) << "no " << stack << " stack";
  std::istringstream names{std::string(functions)};
  auto frame = found->second.begin();
  for (std::string name; names >> name;) {
    frame = std::find_if(frame, found->second.end(), [&](const std::string& line) {
      return parse_frame(line).function.find(name) != std::string_view::npos;
    });
    ASSERT_NE(frame, found->second.end()) << name << " is not in the " << stack << " stack";
    const std::string location(parse_frame(*frame).location);
    EXPECT_TRUE(!lines || std::regex_search(location, in_source)) << *frame;
  }
}

void expect_text_report(const TextReport& report, const Expectation& expected, bool lines) {
  // AddressSanitizer's spelling, which people search for; a mismatch names the two sides in
  // between.
  const std::string kind(expected.kind == "double-free" ? "attempting double-free" : expected.kind);
  const std::regex first("^==\\d+==ERROR: Gabion: " + kind + "( \\(.*\\))? on .*0x[0-9a-f]+");
  EXPECT_TRUE(std::regex_search(report.first_line, first)) << report.first_line;
  expect_stack(report, "error", expected.error, lines);
  expect_stack(report, "free", expected.free, lines);
  expect_stack(report, "alloc", expected.alloc, lines);
}

class Misuse : public ::testing::TestWithParam<Expectation> {
 protected:
  Outcome run_program() {
    const Profile profile = profile_under_test();
    Command command{.argv = {workspace_file("gabion"), "run", "--profile", profile.name, "--log",
                             log_.path(), "--", program()},
                    .timeout = kTimeout};
    if (!GetParam().options.empty()) {
      command.env.emplace_back("GABION_OPTIONS", GetParam().options);
    }
    return run(command);
  }

  [[nodiscard]] static std::string program() {
    return workspace_file("tests/preload/misuse/" + std::string(GetParam().program));
  }

  [[nodiscard]] std::vector<json> reports() const { return read_reports(log_.path()); }

 private:
  ScratchDirectory log_;
};

TEST_P(Misuse, IsReported) {
  const Expectation& expected = GetParam();
  const Profile profile = profile_under_test();
  const Outcome outcome = run_program();
  SCOPED_TRACE(outcome.describe());
  ASSERT_FALSE(outcome.timed_out);
  // The fast profile owes a program with a bug nothing but an end.
  if (profile.name == "fast") return;

  const std::vector<json> found = reports();
  if (profile.name == "hardened") {
    if (found.empty() && expected.hardened == Hardened::kMayMiss) return;
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(outcome.exit_code, kBugExitCode);
    const std::string_view kind =
        expected.hardened_kind.empty() ? expected.kind : expected.hardened_kind;
    for (const json& report : found) expect_text(report, {"kind"}, kind);
    return;
  }

  EXPECT_EQ(outcome.exit_code, kBugExitCode);
  EXPECT_EQ(found.size(), expected.reports);
  for (const json& report : found) {
    SCOPED_TRACE(report.dump(2));
    expect_report(report, expected);
  }
  const std::vector<TextReport> texts = parse_text_reports(outcome.out + outcome.err);
  EXPECT_EQ(texts.size(), expected.distinct);
  const bool lines = has_lines(program());
  for (const TextReport& text : texts) expect_text_report(text, expected, lines);
}

INSTANTIATE_TEST_SUITE_P(Programs, Misuse, ::testing::ValuesIn(expectations()),
                         [](const ::testing::TestParamInfo<Expectation>& info) {
                           return std::string(info.param.program);
                         });

TEST(MisuseTable, NamesEveryProgramOnce) {
  std::multiset<std::string> expected;
  for (const Expectation& row : expectations()) expected.emplace(row.program);
  std::multiset<std::string> built;
  for (const std::string& path : words_of("GABION_TEST_PROGRAMS")) built.insert(base_name(path));
  EXPECT_EQ(expected, built);
}

}  // namespace
}  // namespace gabion::testing
