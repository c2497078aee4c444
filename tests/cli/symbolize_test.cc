// Function and line of real programs in the forms that compilers, linkers and strip leave them in.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <sstream>

#include "tests/cli/lab.h"

namespace gabion::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

struct Frame {
  std::string function;  // with everything up to the place
  std::string place;     // base name of the file, and the line; or "(module+0x...)"
};

// The frames of the first stack that a report shows.
std::vector<Frame> first_stack(const std::string& report) {
  std::vector<Frame> frames;
  const std::regex line(R"(    #(\d+) 0x[0-9a-f]+ (?:in (.*) )?(\S+))");
  std::istringstream text(report);
  for (std::string s; std::getline(text, s);) {
    std::smatch match;
    if (!std::regex_match(s, match, line)) {
      if (!frames.empty()) break;
      continue;
    }
    std::string place = match[3];
    if (place[0] != '(') {
      place = std::filesystem::path(place).filename();
      place = std::regex_replace(place, std::regex(R"((:\d+):\d+$)"), "$1");
    }
    frames.push_back({match[2], place});
  }
  return frames;
}

std::string at(const std::string& mark) {
  return "shapes.cc:" + std::to_string(line_of("shapes.cc", mark));
}

class Symbolize : public ::testing::Test {
 protected:
  // The program's frames below `report`, and the whole text.
  std::vector<Frame> frames(const std::string& program, const std::string& shape) {
    const auto outcome = lab_.run({"run", "--", program, shape});
    EXPECT_EQ(outcome.exit_code, 86) << outcome.describe();
    text_ = outcome.err;
    auto list = first_stack(outcome.err);
    EXPECT_GE(list.size(), 3u) << outcome.err;
    list.resize(std::max<size_t>(list.size(), 5));
    return list;
  }

  void expect_all_shapes(const std::string& program) {
    auto list = frames(program, "method");
    EXPECT_EQ(list[0].function, "report(char const*)");
    EXPECT_EQ(list[0].place, at("report"));
    EXPECT_EQ(list[1].function, "outer::(anonymous namespace)::Widget::poke(int) const");
    EXPECT_EQ(list[1].place, at("poke"));
    EXPECT_EQ(list[2].function, "main");

    list = frames(program, "inline");
    // Line tables alone name inlined functions without scope and parameters.
    EXPECT_THAT(list[1].function, HasSubstr("inlined_inner"));
    EXPECT_EQ(list[1].place, at("inlined_inner"));
    EXPECT_THAT(list[2].function, HasSubstr("inlined_middle"));
    EXPECT_EQ(list[2].place, at("inlined_middle"));
    EXPECT_EQ(list[3].function, "with_inlined(int)");
    EXPECT_EQ(list[3].place, at("with_inlined"));
    EXPECT_EQ(list[4].function, "main");

    list = frames(program, "lambda");
    // The compilers do not agree on the name of a lambda.
    EXPECT_THAT(list[1].function, AllOf(HasSubstr("with_lambda(int)::"), HasSubstr("operator()")));
    EXPECT_EQ(list[1].place, at("lambda"));
    EXPECT_EQ(list[2].function, "with_lambda(int)");
    EXPECT_EQ(list[2].place, at("with_lambda"));

    list = frames(program, "template");
    EXPECT_EQ(list[1].function, "long outer::templated<long>(long)");
    EXPECT_EQ(list[1].place, at("templated"));

    list = frames(program, "c");
    EXPECT_EQ(list[1].function, "plain_c");
    EXPECT_EQ(list[1].place, at("plain_c"));
    EXPECT_EQ(list[2].function, "main");
    EXPECT_EQ(list[2].place, at("main_c"));
  }

  Lab lab_;
  std::string text_;
};

TEST_F(Symbolize, Optimized) { expect_all_shapes(lab_.compile("p", {"-g", "-O2", "shapes.cc"})); }

TEST_F(Symbolize, InlinedFunctionsHaveTheirFullNames) {
  const auto list = frames(lab_.compile("p", {"-g", "-O2", "shapes.cc"}), "inline");
  EXPECT_EQ(list[1].function, "outer::inlined_inner(int)");
  EXPECT_EQ(list[2].function, "outer::inlined_middle(int)");
}

TEST_F(Symbolize, NotOptimized) {
  expect_all_shapes(lab_.compile("p", {"-g", "-O0", "shapes.cc"}));
}

TEST_F(Symbolize, NotPositionIndependent) {
  expect_all_shapes(lab_.compile("p", {"-g", "-O2", "-no-pie", "-fno-pie", "shapes.cc"}));
}

TEST_F(Symbolize, OlderDwarf) {
  expect_all_shapes(lab_.compile("p", {"-gdwarf-4", "-O2", "shapes.cc"}));
}

TEST_F(Symbolize, CompressedDebugSections) {
  expect_all_shapes(lab_.compile("p", {"-g", "-gz", "-O2", "shapes.cc"}));
}

TEST_F(Symbolize, SplitDwarf) {
  std::filesystem::current_path(lab_.path());  // where the .dwo file goes
  expect_all_shapes(lab_.compile("p", {"-g", "-gsplit-dwarf", "-O2", "shapes.cc"}));
}

TEST_F(Symbolize, Clang) {
  if (!exists_in_path("clang++-19")) GTEST_SKIP() << "no clang";
  expect_all_shapes(lab_.compile("p", {"clang++-19", "-g", "-O2", "shapes.cc"}));
  expect_all_shapes(lab_.compile("q", {"clang++-19", "-g", "-O0", "-no-pie", "shapes.cc"}));
}

TEST_F(Symbolize, ClangWithLineTablesOnly) {
  if (!exists_in_path("clang++-19")) GTEST_SKIP() << "no clang";
  expect_all_shapes(lab_.compile("p", {"clang++-19", "-gline-tables-only", "-O2", "shapes.cc"}));
}

TEST_F(Symbolize, NoDebugInfo) {
  const std::string program = lab_.compile("p", {"-O2", "shapes.cc"});
  const auto list = frames(program, "method");
  EXPECT_THAT(list[1].function,
              MatchesRegex(R"(outer::\(anonymous namespace\)::Widget::poke\(int\) const\+0x.*)"));
  EXPECT_THAT(list[1].place, MatchesRegex(R"(\(.*/p\+0x[0-9a-f]+\))"));
}

TEST_F(Symbolize, Stripped) {
  const std::string program = lab_.compile("p", {"-O2", "shapes.cc"});
  Lab::must({"strip", program});
  const auto list = frames(program, "method");
  EXPECT_EQ(list[1].function, "");
  EXPECT_THAT(list[1].place, MatchesRegex(R"(\(.*/p\+0x[0-9a-f]+\))"));
}

TEST_F(Symbolize, SeparateDebugFileByLink) {
  const std::string program = lab_.compile("p", {"-g", "-O2", "-Wl,--build-id=none", "shapes.cc"});
  Lab::must({"objcopy", "--only-keep-debug", program, program + ".debug"});
  Lab::must({"strip", program});
  Lab::must({"objcopy", "--add-gnu-debuglink=" + program + ".debug", program});
  expect_all_shapes(program);
}

TEST_F(Symbolize, SharedLibrary) {
  lab_.compile("libshapes.so", {"-g", "-O2", "-shared", "-fPIC", "shapes_library.cc"});
  const std::string program =
      lab_.compile("p", {"-g", "-O2", "-DWITH_LIBRARY", "shapes.cc", "-L" + lab_.path(), "-lshapes",
                         "-Wl,-rpath," + lab_.path()});
  const auto list = frames(program, "library");
  EXPECT_EQ(list[0].function, "library::deep(int)");
  EXPECT_EQ(list[0].place,
            "shapes_library.cc:" + std::to_string(line_of("shapes_library.cc", "deep")));
  EXPECT_EQ(list[1].function, "in_library");
  EXPECT_EQ(list[2].function, "main");
}

TEST_F(Symbolize, OwnFramesAreHidden) {
  frames(lab_.compile("p", {"-g", "-O2", "shapes.cc"}), "c");
  EXPECT_THAT(text_, Not(HasSubstr("fake_report")));
}

TEST_F(Symbolize, SummaryNamesFileAndFunction) {
  frames(lab_.compile("p", {"-g", "-O2", "shapes.cc"}), "c");
  EXPECT_THAT(text_, HasSubstr("SUMMARY: Gabion: heap-buffer-overflow " + testdata("shapes.cc")));
}

TEST_F(Symbolize, ProgramRemovedOrReplacedSinceItRan) {
  const std::string program = lab_.compile("p", {"-g", "-O2", "shapes.cc"});
  const std::string log = lab_.file("log");
  EXPECT_EQ(lab_.run({"run", "--log", log, "--", program, "c"}).exit_code, 86);

  lab_.compile("p", {"-g", "-O0", "-DOTHER", "shapes.cc"});
  auto outcome = lab_.run({"report", log});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("has changed since it ran"));
  EXPECT_THAT(outcome.out, Not(HasSubstr("shapes.cc")));
  EXPECT_THAT(outcome.out, HasSubstr("/p+0x"));

  std::filesystem::remove(program);
  outcome = lab_.run({"report", log});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("/p+0x"));
}

TEST_F(Symbolize, ModulesThatAreNoFilesDoNotHang) {
  Lab::must({"mkfifo", lab_.file("pipe")});
  const std::string log = lab_.write(
      "x.jsonl", R"({"type":"report","version":1,"pid":1,"kind":"k","stacks":{"error":{"frames":[)"
                 R"({"pc":"0x10","module":")" +
                     lab_.file("pipe") +
                     R"(","offset":"0x10"},)"
                     R"({"pc":"0x11","module":"/dev/zero","offset":"0x11"},)"
                     R"({"pc":"0x12","module":"[vdso]","offset":"0x12"},)"
                     R"({"pc":"0x13"}]}}})"
                     "\n");
  const auto outcome = lab_.run({"report", log});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.describe();
  EXPECT_THAT(outcome.out, HasSubstr("#3 0x000000000013"));
}

}  // namespace
}  // namespace gabion::cli
