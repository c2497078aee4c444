// The whole command: statuses, streams, logs, environment, process trees.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/cli/lab.h"

namespace gabion::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::ContainsRegex;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

int count(const std::string& text, const std::string& part) {
  int n = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++n;
  return n;
}

std::vector<std::string> entries(const std::string& directory) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(directory)) {
    names.push_back(entry.path().filename());
  }
  return names;
}

class Run : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    programs_ = new Lab;
    programs_->compile("shapes", {"-g", "-O1", "shapes.cc"});
  }
  static void TearDownTestSuite() {
    delete programs_;
    programs_ = nullptr;
  }

  static std::string shapes() { return programs_->file("shapes"); }
  testing::Outcome sh(const std::string& script, const testing::Environment& environment = {}) {
    testing::Environment all = environment;
    all.emplace_back("GABION", lab_.gabion());
    all.emplace_back("SHAPES", shapes());
    all.emplace_back("TMPDIR", temporary_);
    return testing::run({.argv = {"sh", "-c", script}, .env = all, .directory = lab_.path()});
  }
  // One line, and that status.
  void expect_refusal(const std::string& arguments, int status, const std::string& part) {
    const auto outcome = sh("$GABION " + arguments);
    EXPECT_EQ(outcome.exit_code, status) << outcome.describe();
    EXPECT_EQ(count(outcome.err, "\n"), 1) << outcome.err;
    EXPECT_THAT(outcome.err, StartsWith("gabion: "));
    EXPECT_THAT(outcome.err, HasSubstr(part));
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(entries(temporary_), IsEmpty());
  }

  Lab lab_;
  std::string temporary_ = [this] {
    fs::create_directory(lab_.file("tmp"));
    return lab_.file("tmp");
  }();
  static Lab* programs_;
};

Lab* Run::programs_ = nullptr;

TEST_F(Run, StatusOfACommandWithoutBugsIsItsOwn) {
  for (const int status : {0, 1, 2, 42, 86, 125, 255}) {
    const auto outcome = sh("$GABION run -- sh -c 'exit " + std::to_string(status) + "'");
    EXPECT_EQ(outcome.exit_code, status);
    EXPECT_EQ(outcome.err, "");
  }
}

TEST_F(Run, StatusOfAKilledCommand) {
  EXPECT_EQ(sh("$GABION run -- sh -c 'kill -9 $$'").exit_code, 137);
  EXPECT_EQ(sh("$GABION run -- sh -c 'kill -TERM $$'").exit_code, 143);
  EXPECT_EQ(sh("$GABION run -- sh -c 'kill -SEGV $$'").exit_code, 139);
}

TEST_F(Run, BugGivesTheChosenStatus) {
  EXPECT_EQ(sh("$GABION run -- $SHAPES c").exit_code, 86);
  EXPECT_EQ(sh("$GABION run --exit-code 42 -- $SHAPES c").exit_code, 42);
  EXPECT_EQ(sh("$GABION run --exit-code=3 $SHAPES c").exit_code, 3);
  EXPECT_EQ(sh("$GABION run -- $SHAPES c", {{"GABION_OPTIONS", "exit_code=33"}}).exit_code, 33);
  EXPECT_EQ(
      sh("$GABION run --exit-code 42 -- $SHAPES c", {{"GABION_OPTIONS", "exit_code=33"}}).exit_code,
      42);
}

TEST_F(Run, BugOfAChildCountsEvenIfItsParentIgnoresIt) {
  const auto outcome = sh("$GABION run -- sh -c '$SHAPES c; $SHAPES c; exit 0'");
  EXPECT_EQ(outcome.exit_code, 86);
  EXPECT_THAT(outcome.err, HasSubstr("reported 2 times by 2 processes"));
  EXPECT_THAT(outcome.err, EndsWith("gabion: 1 bug in 2 reports of 2 processes\n"));
}

TEST_F(Run, BugOfAnOrphanCounts) {
  const auto outcome =
      sh("$GABION run --wait 20 -- sh -c '(sleep 0.3; exec $SHAPES c) >/dev/null & exit 0'");
  EXPECT_EQ(outcome.exit_code, 86) << outcome.describe();
}

TEST_F(Run, AbortWithAReportIsABug) {
  const auto outcome = sh("$GABION run -- $SHAPES c", {{"GABION_OPTIONS", "abort_on_error=1"}});
  EXPECT_EQ(outcome.exit_code, 86) << outcome.describe();
}

TEST_F(Run, NoHaltShowsEachBugOnce) {
  const auto outcome = sh("$GABION run --no-halt -- $SHAPES repeat");
  EXPECT_EQ(outcome.exit_code, 86);
  EXPECT_EQ(count(outcome.err, "==ERROR: Gabion: "), 2) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("reported 5 times"));
  EXPECT_THAT(outcome.err, EndsWith("gabion: 2 bugs in 6 reports\n"));
  EXPECT_EQ(
      count(sh("$GABION run --halt -- $SHAPES repeat", {{"GABION_OPTIONS", "halt_on_error=0"}}).err,
            "==ERROR: Gabion: "),
      1);
}

TEST_F(Run, OutputOfTheProgramIsUntouched) {
  const auto outcome = sh("printf input | $GABION run -- sh -c 'cat; $SHAPES c'");
  EXPECT_EQ(outcome.out, "inputoutput\n");
}

TEST_F(Run, ReportLooksLikeAddressSanitizers) {
  const auto outcome = sh("$GABION run -- $SHAPES c");
  EXPECT_THAT(outcome.err, ContainsRegex("^=+\n==[0-9]+==ERROR: Gabion: heap-buffer-overflow on "
                                         "address 0x7f000000100a \\(made up\\)\n"));
  EXPECT_THAT(
      outcome.err,
      HasSubstr(
          "WRITE of at least 1 byte at 0x7f000000100a, found when the block was freed by thread "
          "T0 here:\n    #0 0x"));
  EXPECT_THAT(outcome.err, HasSubstr("0x7f000000100a is located 0 bytes after 10-byte region "
                                     "[0x7f0000001000,0x7f000000100a)\n"));
  EXPECT_THAT(outcome.err, HasSubstr("\nallocated by thread T0 here:\n"));
  EXPECT_THAT(outcome.err, HasSubstr("+10: [41] d3"));
}

TEST_F(Run, TemporaryFilesAreRemoved) {
  sh("$GABION run -- $SHAPES c");
  EXPECT_THAT(entries(temporary_), IsEmpty());
  sh("$GABION run -- true");
  EXPECT_THAT(entries(temporary_), IsEmpty());
}

TEST_F(Run, LogKeepsLinesAndText) {
  const auto outcome = sh("$GABION run --log some/new/dir -- $SHAPES c");
  EXPECT_EQ(outcome.exit_code, 86);
  const std::string log = lab_.file("some/new/dir");
  EXPECT_EQ(entries(log).size(), 2u);  // nothing else is left
  const std::string text = read_file(log + "/gabion.report.txt");
  EXPECT_THAT(text, HasSubstr("==ERROR: Gabion: "));
  EXPECT_THAT(outcome.err, StartsWith(text));
  EXPECT_THAT(outcome.err, EndsWith("; reports are in " + fs::canonical(log).string() + "\n"));
}

TEST_F(Run, EarlierReportsOfALogDirectoryDoNotCount) {
  EXPECT_EQ(sh("$GABION run --log log -- $SHAPES c").exit_code, 86);
  EXPECT_EQ(sh("$GABION run --log log -- true").exit_code, 0);
  EXPECT_EQ(sh("$GABION run --log log -- $SHAPES c").exit_code, 86);
  const auto outcome = sh("$GABION report log");
  EXPECT_THAT(outcome.out, EndsWith("1 bug in 2 reports of 2 processes\n"));
}

TEST_F(Run, RunsAtTheSameTimeMayShareALog) {
  const auto outcome =
      sh("$GABION run --log log -- sh -c 'sleep 0.5; exit 7' & a=$!\n"
         "$GABION run --log log -- $SHAPES c & b=$!\n"
         "wait $a; echo first $?; wait $b; echo second $?");
  EXPECT_THAT(outcome.out, HasSubstr("first 7\n"));
  EXPECT_THAT(outcome.out, HasSubstr("second 86\n"));
}

TEST_F(Run, LogDirectoryOfTheUsersOptions) {
  const auto outcome =
      sh("$GABION run -- $SHAPES c", {{"GABION_OPTIONS", "stack_depth=8:log_dir=mine"}});
  EXPECT_EQ(outcome.exit_code, 86);
  EXPECT_EQ(entries(lab_.file("mine")).size(), 2u);
}

TEST_F(Run, DirectoriesWithSeparatorsInTheirNames) {
  EXPECT_EQ(sh("$GABION run --log 'a:b c' -- $SHAPES c").exit_code, 86);
  EXPECT_EQ(entries(lab_.file("a:b c")).size(), 2u);
  const auto outcome =
      sh("mkdir 'my: tools'; cp bin/* 'my: tools'; './my: tools/gabion' run -- $SHAPES c");
  EXPECT_EQ(outcome.exit_code, 86) << outcome.describe();
  EXPECT_EQ(count(outcome.err, "ERROR: Gabion"), 1) << outcome.err;
  EXPECT_THAT(entries(temporary_), IsEmpty());
}

TEST_F(Run, EnvironmentIsAddedTo) {
  const auto outcome =
      sh("$GABION run -- env", {{"LD_PRELOAD", "/usr/lib/x86_64-linux-gnu/libm.so.6"},
                                {"GABION_OPTIONS", "stack_depth=9:log_path=stderr"}});
  EXPECT_THAT(outcome.out,
              HasSubstr("LD_PRELOAD=" + fs::canonical(lab_.path()).string() +
                        "/bin/libgabion-debug.so:/usr/lib/x86_64-linux-gnu/libm.so.6\n"));
  EXPECT_THAT(outcome.out, HasSubstr(":stack_depth=9:log_path=stderr\n"));
  EXPECT_THAT(outcome.out, HasSubstr("GABION_OPTIONS=log_dir=" + temporary_));
  EXPECT_THAT(outcome.out, Not(HasSubstr("log_path=none")));
}

TEST_F(Run, NestedRunsReportToBoth) {
  const auto outcome =
      sh("$GABION run --exit-code 50 -- sh -c '$GABION run -- $SHAPES c; echo inner $?'");
  EXPECT_EQ(outcome.exit_code, 50) << outcome.describe();
  EXPECT_THAT(outcome.out, HasSubstr("inner 50\n"));  // by the outer one's GABION_OPTIONS
}

TEST_F(Run, LibraryIsFoundInAnInstallPrefix) {
  for (const std::string directory : {"lib", "lib/gabion"}) {
    const auto outcome = sh("rm -rf prefix; mkdir -p prefix/bin prefix/" + directory +
                            "; cp bin/gabion prefix/bin; cp bin/*.so prefix/" + directory +
                            "; ln -sf ../prefix/bin/gabion tmp/link; tmp/link run -- $SHAPES c; "
                            "s=$?; rm tmp/link; exit $s");
    EXPECT_EQ(outcome.exit_code, 86) << outcome.describe();
  }
}

TEST_F(Run, ClosedStreams) {
  EXPECT_EQ(sh("$GABION run -- $SHAPES c <&- >&- 2>&-").exit_code, 86);
  EXPECT_EQ(sh("$GABION run -- sh -c 'ls -l /proc/$$/fd >list; exit 4' <&- >&- 2>&-").exit_code, 4);
  EXPECT_THAT(read_file(lab_.file("list")), HasSubstr(" 1 -> "));  // of the redirection
  EXPECT_THAT(read_file(lab_.file("list")), Not(HasSubstr(" 0 -> ")));
  EXPECT_THAT(read_file(lab_.file("list")), Not(HasSubstr(" 2 -> ")));
  EXPECT_EQ(sh("$GABION run -- $SHAPES c 2>/dev/full").exit_code, 86);
  EXPECT_EQ(
      sh("($GABION run -- $SHAPES c >/dev/null; echo $? >status) 2>&1 | true; cat status").out,
      "86\n");
}

TEST_F(Run, DispositionsAndMaskAreTheCallers) {
  const auto outcome =
      sh("trap '' HUP; $GABION run -- grep ^Sig /proc/self/status; "
         "grep ^Sig /proc/self/status");
  const std::string half = outcome.out.substr(0, outcome.out.size() / 2);
  EXPECT_EQ(outcome.out, half + half);
}

TEST_F(Run, DaemonsAreNotWaitedForLong) {
  const auto start = std::chrono::steady_clock::now();
  const auto outcome =
      sh("$GABION run --wait 0.2 -- sh -c 'setsid sleep 30 >/dev/null & echo $!'; "
         "exit $?");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.err, HasSubstr("gabion: warning: a process of the command still runs (pid "));
  kill(static_cast<pid_t>(std::stoi(outcome.out)), SIGKILL);
}

TEST_F(Run, ChildrenFromBeforeAreNotWaitedFor) {
  const auto start = std::chrono::steady_clock::now();
  const auto outcome = sh("sleep 20 & exec $GABION run --wait 15 -- true");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  EXPECT_EQ(outcome.err, "");
}

TEST_F(Run, SignalsSentToItReachTheCommand) {
  // A shell without job control starts background jobs with INT and QUIT ignored: see
  // terminal_test.
  for (const std::string signal : {"TERM", "HUP", "USR1"}) {
    const auto outcome = sh(
        "$GABION run -- sh -c 'trap \"echo got; exit 9\" " + signal +
        "; echo ready >ready; i=0; while [ $i -lt 200 ]; do sleep 0.05; i=$((i+1)); done' & p=$!\n"
        "while [ ! -s ready ]; do sleep 0.02; done\n"
        "kill -" +
        signal + " $p; wait $p; echo $?; rm ready");
    EXPECT_EQ(outcome.out, "got\n9\n") << signal << outcome.describe();
  }
}

TEST_F(Run, CommandDiesWithIt) {
  const auto outcome =
      sh("$GABION run -- sh -c 'echo $$ >pid; exec sleep 30' & p=$!\n"
         "while [ ! -s pid ]; do sleep 0.02; done; kill -9 $p; wait $p; sleep 0.3\n"
         "grep -q 'State:.*[RSDT] ' /proc/$(cat pid)/status && echo alive || echo dead");
  EXPECT_THAT(outcome.out, EndsWith("dead\n"));
}

TEST_F(Run, StopOfTheCommandAloneDoesNotStopTheWait) {
  // No terminal: whoever stopped it continues it, and knows nothing of us.
  const auto outcome =
      sh("$GABION run -- sh -c '(sleep 0.3; kill -CONT $$) & kill -STOP $$; exit 6'");
  EXPECT_EQ(outcome.exit_code, 6);
}

TEST_F(Run, CommandsOptionsAreItsOwn) {
  EXPECT_EQ(sh("$GABION run echo --log --help -- [a,b]").out, "--log --help -- [a,b]\n");
  EXPECT_EQ(sh("$GABION run -- echo -- x").out, "-- x\n");
}

TEST_F(Run, ScriptWithoutInterpreterLine) {
  lab_.write("script", "echo script $1", 0755);
  EXPECT_EQ(sh("$GABION run ./script arg").out, "script arg\n");
}

TEST_F(Run, BadUsage) {
  expect_refusal("", 2, "subcommand");
  expect_refusal("bogus", 2, "bogus: no such subcommand");
  expect_refusal("run", 2, "no command");
  expect_refusal("run --", 2, "no command");
  expect_refusal("run --bogus -- true", 2, "--bogus");
  expect_refusal("run -x true", 2, "-x");
  expect_refusal("run --log", 2, "--log");
  expect_refusal("run --log -- true", 2, "--log");
  expect_refusal("run --log '' -- true", 2, "--log");
  expect_refusal("run --log a --log b -- true", 2, "--log");
  expect_refusal("run --profile slow -- true", 2, "--profile slow");
  expect_refusal("run --wait x -- true", 2, "--wait");
  expect_refusal("run --halt --no-halt -- true", 2, "halt");
  for (const std::string code :
       {"0", "1", "2", "77", "99", "126", "200", "255", "256", "-3", "x"}) {
    expect_refusal("run --exit-code " + code + " -- true", 2, "--exit-code");
  }
  expect_refusal("report", 2, "");
  expect_refusal("report --bogus x", 2, "--bogus");
}

TEST_F(Run, CommandThatCannotRun) {
  expect_refusal("run -- no-such-command-here", 127, "no-such-command-here: command not found");
  expect_refusal("run -- ./nothing", 127, "./nothing: command not found");
  expect_refusal("run -- ''", 127, "empty");
  expect_refusal("run -- /", 126, "/: is a directory");
  lab_.write("plain", "text", 0644);
  expect_refusal("run -- ./plain", 126, "./plain: not executable");
  expect_refusal("run -- ./plain/x", 127, "./plain/x: command not found");
  lab_.write("lost", "#!/no/such/interpreter\n", 0755);
  expect_refusal("run -- ./lost", 126, "./lost: its interpreter does not exist");
}

TEST_F(Run, LogDirectoryThatCannotBeUsed) {
  lab_.write("plain", "text");
  expect_refusal("run --log plain -- true", 125, "plain");
  expect_refusal("run --log plain/below -- true", 125, "plain/below");
  expect_refusal("run --log /proc/nothing -- true", 125, "/proc/nothing");
  if (geteuid() != 0) {
    fs::create_directory(lab_.file("closed"));
    chmod(lab_.file("closed").c_str(), 0);
    expect_refusal("run --log closed -- true", 125, "closed");
  }
}

TEST_F(Run, LibraryThatIsMissing) {
  expect_refusal("run --profile fast -- true", 125, "libgabion.so is missing: looked in ");
  expect_refusal("run --profile hardened -- true", 125, "libgabion-hardened.so is missing");
  lab_.write("bin/libgabion.so", "not a library");
  expect_refusal("run --profile fast -- true", 125, "libgabion.so: not a readable library");
}

TEST_F(Run, ProgramThatCannotBeChecked) {
  lab_.write("s.c", "int main(void) { return 5; }");
  lab_.compile("static", {"-static", "-x", "c", "-std=c11", lab_.file("s.c")});
  auto outcome = sh("$GABION run ./static");
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_EQ(outcome.err, "gabion: warning: ./static is statically linked: it runs unchecked\n");
  expect_refusal("run --require ./static", 125, "./static is statically linked");
  EXPECT_EQ(sh("$GABION run --require true").err, "");
}

TEST_F(Run, ProgramUnderASanitizerRunsWithoutUs) {
  lab_.write("s.c", "int main(void) { return 5; }");
  lab_.compile("asan", {"-fsanitize=address", "-x", "c", "-std=c11", lab_.file("s.c")});
  const auto outcome = sh("ASAN_OPTIONS=detect_leaks=0 $GABION run ./asan");
  EXPECT_EQ(outcome.exit_code, 5) << outcome.describe();
  EXPECT_EQ(outcome.err,
            "gabion: warning: ./asan is built with AddressSanitizer: it runs unchecked\n");
}

TEST_F(Run, DamagedReportsStillFail) {
  auto outcome =
      sh(R"($GABION run -- $SHAPES raw 'raw:{"type":"report","version":1,"kind":"heap-bu')");
  EXPECT_EQ(outcome.exit_code, 86) << outcome.describe();
  EXPECT_EQ(count(outcome.err, "gabion: warning: "), 1);
  EXPECT_THAT(outcome.err, HasSubstr("1 damaged line left out, 1 of them bug reports"));
  outcome = sh("$GABION run -- $SHAPES raw 'raw:nonsense'");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.describe();
  EXPECT_EQ(count(outcome.err, "gabion: warning: "), 1);
}

TEST_F(Run, ReportCommand) {
  sh("$GABION run --log log --no-halt -- $SHAPES repeat");
  auto outcome = sh("$GABION report log");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(count(outcome.out, "==ERROR: Gabion"), 2);
  EXPECT_THAT(outcome.out, HasSubstr("shapes.cc:"));
  EXPECT_EQ(sh("$GABION report log/*.jsonl").out, outcome.out);

  outcome = sh("$GABION report --json log");
  const auto array = nlohmann::json::parse(outcome.out);
  ASSERT_EQ(array.size(), 2u);
  EXPECT_EQ(array[0]["kind"], "heap-buffer-overflow");
  EXPECT_EQ(array[0]["count"], 5);
  bool found = false;
  for (const auto& frame : array[0]["stacks"]["error"]["frames"]) {
    for (const auto& at : frame.value("locations", nlohmann::json::array())) {
      found |=
          at.value("function", "") == "plain_c" && at["line"] == line_of("shapes.cc", "plain_c");
    }
  }
  EXPECT_TRUE(found) << outcome.out;

  EXPECT_EQ(sh("mkdir empty; $GABION report empty").out, "0 bugs\n");
  EXPECT_EQ(sh("$GABION report --json empty").out, "[]\n");
  expect_refusal("report nothing", 125, "nothing");
  EXPECT_EQ(sh("$GABION report empty >/dev/full").exit_code, 125);
}

TEST_F(Run, Help) {
  auto outcome = sh("$GABION --version");
  EXPECT_THAT(outcome.out, ContainsRegex("^gabion [0-9]+\\.[0-9]+\\.[0-9]+\n$"));
  outcome = sh("$GABION --help");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("Usage: gabion"));
  outcome = sh("$GABION run --help");
  EXPECT_EQ(outcome.exit_code, 0);
  for (const std::string part : {"--profile", "--log", "--exit-code", "--require", "--no-halt",
                                 "--wait", "Exit status:", "86", "125", "126", "127", "128+N"}) {
    EXPECT_THAT(outcome.out, HasSubstr(part));
  }
  EXPECT_THAT(sh("$GABION report --help").out, HasSubstr("--json"));
}

}  // namespace
}  // namespace gabion::cli
