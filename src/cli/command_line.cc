#include "src/cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "src/cli/error.h"
#include "src/cli/exit_status.h"
#include "src/cli/version.h"

namespace gabion::cli {
namespace {

constexpr char kRunFooter[] = R"(Exit status:
  86         a bug was reported, by whichever process of the command's tree
             (--exit-code N changes it)
  2          wrong usage of gabion
  125        gabion itself failed: library missing, log directory unusable, or a
             program that cannot be checked with --require
  126        COMMAND cannot be executed
  127        COMMAND was not found
  128+N      no bug was reported, and COMMAND was killed by signal N
  otherwise  no bug was reported, and this is COMMAND's own status

Example:
  gabion run --log reports -- make check)";

constexpr char kReportFooter[] = R"(Exit status: 0, or 125 if a file or directory cannot be read.)";

struct Parser {
  CLI::App app{"Finds heap bugs in programs that nobody recompiled.", "gabion"};
  CLI::App* run;
  CLI::App* report;
  RunRequest run_request;
  ReportRequest report_request;
  std::string profile = "debug";
  bool halt = false;
  bool no_halt = false;

  Parser();
};

Parser::Parser() {
  app.set_version_flag("--version", fmt::format("gabion {}", kVersion));
  app.require_subcommand(1);
  app.footer("'gabion run --help' says more, also what exit statuses mean.");

  run = app.add_subcommand("run", "Run a command and print the heap bugs of all its processes");
  run->add_option("--profile", profile, "Library to preload: debug (the default), hardened or fast")
      ->type_name("NAME");
  run->add_option("--log", run_request.log,
                  "Keep the reports in DIR (made if need be): a .jsonl file for each\n"
                  "process that reported, and gabion.report.txt")
      ->type_name("DIR");
  run->add_option("--exit-code", run_request.exit_code,
                  "Exit status when a bug was reported: 3 to 125 but not 77 or 99\n"
                  "(default 86)")
      ->type_name("N");
  CLI::Option* halt_option =
      run->add_flag("--halt", halt, "End a process at its first bug (the default)");
  run->add_flag("--no-halt", no_halt,
                "Let a process go on after a bug; the exit status is the same")
      ->excludes(halt_option);
  run->add_flag("--require", run_request.require,
                "Fail if COMMAND cannot be checked, instead of a warning");
  run->add_option_function<double>(
         "--wait",
         [this](const double& seconds) {
           run_request.patience = std::chrono::milliseconds(static_cast<int64_t>(seconds * 1000));
         },
         "How long to wait for processes that COMMAND leaves behind (default 2)")
      ->check(CLI::Range(0.0, 1e6).description(""))
      ->type_name("SECONDS");
  // For the help only: the command is split off before its own options could be taken for ours.
  run->add_option("command", run_request.command, "The command and its arguments")
      ->option_text("COMMAND...");
  run->footer(kRunFooter);

  report = app.add_subcommand("report", "Print the bugs that a log directory holds");
  report->add_option("path", report_request.paths, "Log directories or .jsonl files")
      ->required()
      ->option_text("DIR|FILE...");
  report->add_flag("--json", report_request.json, "One JSON array instead of text");
  report->footer(kReportFooter);
}

// Where the command begins among the arguments of `gabion run`: behind "--", or at the first
// argument that is neither an option nor an option's value.
size_t find_command(const CLI::App& run, const std::vector<std::string>& arguments, size_t from) {
  for (size_t i = from; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--" || argument.size() < 2 || argument[0] != '-') return i;
    const CLI::Option* option = run.get_option_no_throw(argument);
    const bool takes_value = option != nullptr && option->get_items_expected_max() > 0;
    if (takes_value && i + 1 < arguments.size() && arguments[i + 1] != "--") ++i;
  }
  return arguments.size();
}

Profile profile_of(const std::string& name) {
  if (name == "debug") return Profile::kDebug;
  if (name == "hardened") return Profile::kHardened;
  if (name == "fast") return Profile::kFast;
  throw Error(kUsageError, fmt::format("--profile {}: must be debug, hardened or fast", name));
}

std::string one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

void check(const RunRequest& request) {
  if (request.command.empty()) throw Error(kUsageError, "run: no command given");
  if (request.log && request.log->empty()) throw Error(kUsageError, "--log: empty name");
  if (request.exit_code && !may_mean_bugs(*request.exit_code)) {
    throw Error(kUsageError, fmt::format("--exit-code {}: must be from 3 to 125, and not 77 or 99",
                                         *request.exit_code));
  }
}

}  // namespace

Request parse_command_line(const std::vector<std::string>& arguments) {
  Parser parser;
  std::vector<std::string> own = arguments;
  std::vector<std::string> command;
  if (!own.empty() && own.front() == "run") {
    const size_t begin = find_command(*parser.run, own, 1);
    const size_t first = begin < own.size() && own[begin] == "--" ? begin + 1 : begin;
    command.assign(own.begin() + static_cast<ptrdiff_t>(first), own.end());
    own.resize(begin);
  }
  if (!own.empty() && !own.front().starts_with('-') && own.front() != "run" &&
      own.front() != "report") {
    throw Error(kUsageError,
                fmt::format("{}: no such subcommand (see 'gabion --help')", own.front()));
  }
  try {
    std::reverse(own.begin(), own.end());  // as the library wants it
    parser.app.parse(own);
  } catch (const CLI::CallForHelp&) {
    return HelpRequest{parser.app.help() + "\n"};
  } catch (const CLI::CallForVersion& version) {
    return HelpRequest{version.what() + std::string("\n")};
  } catch (const CLI::ParseError& error) {
    const char* hint = parser.run->parsed() ? "run --help" : "--help";
    throw Error(kUsageError, fmt::format("{} (see 'gabion {}')", one_line(error.what()), hint));
  }
  if (parser.report->parsed()) return parser.report_request;
  RunRequest request = std::move(parser.run_request);
  request.command = std::move(command);
  request.profile = profile_of(parser.profile);
  if (parser.halt) request.halt = true;
  if (parser.no_halt) request.halt = false;
  check(request);
  return request;
}

}  // namespace gabion::cli
