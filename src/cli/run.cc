#include "src/cli/run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>

#include "src/cli/command_path.h"
#include "src/cli/dedup.h"
#include "src/cli/elf_check.h"
#include "src/cli/environment.h"
#include "src/cli/error.h"
#include "src/cli/exit_status.h"
#include "src/cli/file.h"
#include "src/cli/log_directory.h"
#include "src/cli/report_reader.h"
#include "src/cli/runtime_options.h"
#include "src/cli/supervisor.h"
#include "src/cli/symbolizer.h"
#include "src/cli/text_printer.h"

namespace gabion::cli {
namespace {

constexpr char kOptionsVariable[] = "GABION_OPTIONS";
constexpr char kPreloadVariable[] = "LD_PRELOAD";
constexpr char kOptionSeparators[] = ":";
constexpr char kPreloadSeparators[] = ": ";

// What the user has set in GABION_OPTIONS counts like an option of the command line.
int chosen_exit_code(const RunRequest& request, const RuntimeOptions& options) {
  if (request.exit_code) return *request.exit_code;
  const std::string text = options.get("exit_code").value_or("");
  int code = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), code);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && may_mean_bugs(code) ? code : kBugsFound;  // the runtime complains
}

std::optional<std::string> chosen_log(const RunRequest& request, const RuntimeOptions& options) {
  if (request.log) return request.log;
  const std::optional<std::string> users = options.get("log_dir");
  return users && !users->empty() ? users : std::nullopt;
}

// False if the library must not be preloaded.
bool check_program(const std::string& path, const RunRequest& request, const Environment& env) {
  const std::optional<Obstacle> obstacle = find_obstacle(path, env.get("PATH"));
  if (!obstacle) return true;
  const std::string what = obstacle->program + " " + obstacle->reason;
  if (request.require) throw Error(kOwnFailure, what + ": it cannot be checked");
  warn(what + ": it runs unchecked");
  return !obstacle->must_not_preload;
}

struct Findings {
  BugList bugs;
  uint64_t damaged = 0;
};

Findings collect(const LogDirectory& log) {
  Findings findings;
  for (const std::string& file : log.report_files()) {
    try {
      findings.damaged += read_report_file(file, [&](BugReport&& report) {
                            findings.bugs.add(std::move(report));
                          }).damaged_reports;
    } catch (const Error& error) {
      warn(error.what());  // the others still count
    }
  }
  return findings;
}

void append_to_log(const std::string& directory, const std::string& text) {
  const std::string path = directory + "/gabion.report.txt";
  // One write, so that runs that share the directory do not mix their reports.
  const FileDescriptor file(
      open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (!file || !write_all(file.get(), text)) {
    warn(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
  }
}

void print(BugList& bugs, const std::string& kept) {
  Symbolizer symbolizer;
  for (Bug& bug : bugs.bugs()) symbolizer.symbolize(bug.report);
  bugs = merge_again(std::move(bugs));
  std::string all;
  for (const Bug& bug : bugs.bugs()) {
    const std::string text = print_text(bug);
    write_all(STDERR_FILENO, text);
    all += text;
  }
  if (!kept.empty()) append_to_log(kept, all);
}

void warn_about(const std::vector<pid_t>& processes) {
  if (processes.empty()) return;
  warn(fmt::format("{} of the command still run{} (pid {}{}); what {} from now on is not seen",
                   processes.size() == 1 ? "a process" : "processes",
                   processes.size() == 1 ? "s" : "", processes.front(),
                   processes.size() == 1 ? "" : ", ...",
                   processes.size() == 1 ? "it reports" : "they report"));
}

// A shell script ends at Ctrl-C only if what it waits for was ended by it, too: the number alone
// means to a shell that the program has dealt with the signal.
int end_like(const Outcome& outcome) {
  if (outcome.signal == SIGINT) {
    signal(SIGINT, SIG_DFL);
    raise(SIGINT);
  }
  return outcome.status;
}

}  // namespace

int run(const RunRequest& request, const std::vector<int>& closed_streams) {
  Environment environment(environ);
  RuntimeOptions options(environment.get(kOptionsVariable).value_or(""));
  const int exit_code = chosen_exit_code(request, options);

  SpawnRequest spawning;
  spawning.path = resolve_command(request.command.front(), environment.get("PATH"));
  spawning.arguments = request.command;
  spawning.closed_streams = closed_streams;
  const std::string library = locate_library(request.profile, library_directories());
  const bool preload = check_program(spawning.path, request, environment);

  Supervisor supervisor;  // first: no signal may end us while there is something to remove
  LogDirectory log(chosen_log(request, options));
  std::unique_ptr<ScratchDirectory> links;
  options.replace("log_dir", without_separators(log.path(), kOptionSeparators, links));
  options.set_default("log_path", "none");
  if (request.exit_code) options.replace("exit_code", std::to_string(exit_code));
  options.set_default("exit_code", std::to_string(exit_code));
  if (request.halt) options.replace("halt_on_error", *request.halt ? "1" : "0");
  if (preload) {
    environment.set(kOptionsVariable, options.text());
    environment.set(kPreloadVariable,
                    preload_list(without_separators(library, kPreloadSeparators, links),
                                 environment.get(kPreloadVariable).value_or("")));
  }
  spawning.environment = environment.variables();

  const Outcome outcome = supervisor.run(spawning, request.patience);
  Findings findings = collect(log);
  // From here on nothing temporary is left, and the user may end us at any time.
  log.finish(!outcome.still_running.empty());
  links.reset();
  supervisor.release();

  warn_about(outcome.still_running);
  if (findings.bugs.reports() == 0 && findings.damaged == 0) return end_like(outcome);
  print(findings.bugs, log.kept());
  const std::string where =
      log.kept().empty() ? "" : fmt::format("; reports are in {}", log.kept());
  say(fmt::format("{}{}", print_totals(findings.bugs), where));
  return exit_code;
}

}  // namespace gabion::cli
