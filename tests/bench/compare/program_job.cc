#include "tests/bench/compare/program_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <stdexcept>

#include "tests/bench/compare/process.h"

namespace gabion::bench {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> shell(const std::string& code) { return {"sh", "-c", "set -e\n" + code}; }

class ProgramJob : public Job {
 public:
  ProgramJob(Program program, fs::path directory, double timeout_seconds)
      : program_(std::move(program)),
        directory_(std::move(directory)),
        timeout_seconds_(timeout_seconds) {}

  const std::string& name() const override { return program_.name; }

  Sample run(const Allocator& allocator) override {
    const Outcome outcome = bench::run({.arguments = shell(program_.run),
                                        .preload = allocator.library,
                                        .directory = directory_,
                                        .timeout_seconds = timeout_seconds_});
    if (!outcome.ok()) return {.failure = outcome.failure()};
    if (program_.same_output) {
      if (!expected_) expected_ = outcome.output;
      if (outcome.output != *expected_) return {.failure = "its output differs"};
    }
    return {.seconds = outcome.seconds,
            .cpu_seconds = outcome.cpu_seconds,
            .peak_rss_kib = static_cast<double>(outcome.peak_rss_kib)};
  }

 private:
  Program program_;
  fs::path directory_;
  double timeout_seconds_;
  std::optional<std::string> expected_;  // what the first run printed
};

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

class Parser {
 public:
  explicit Parser(const fs::path& file) : file_(file) {}

  std::vector<Program> parse() {
    std::ifstream lines(file_);
    if (!lines) throw std::invalid_argument(fmt::format("cannot read {}", file_.string()));
    for (std::string line; std::getline(lines, line);) {
      ++number_;
      if (line.empty() || line[0] == '#') continue;
      if (line[0] == '[' && line.back() == ']') {
        programs_.push_back({.name = line.substr(1, line.size() - 2)});
        current_ = nullptr;
      } else if (line[0] == ' ' || line[0] == '\t') {
        if (current_ == nullptr) refuse("nothing to continue");
        *current_ += "\n" + trimmed(line);
      } else {
        key(line);
      }
    }
    for (const Program& program : programs_) {
      if (program.run.empty()) refuse(fmt::format("[{}] has no 'run'", program.name));
    }
    return std::move(programs_);
  }

 private:
  void key(const std::string& line) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos || programs_.empty()) refuse("expected [name] or key: value");
    const std::string name = line.substr(0, colon);
    const std::string value = trimmed(line.substr(colon + 1));
    Program& program = programs_.back();
    current_ = name == "requires"  ? &program.requires_command
               : name == "prepare" ? &program.prepare
               : name == "run"     ? &program.run
                                   : nullptr;
    if (current_ != nullptr) {
      *current_ = value;
    } else if (name == "output" && (value == "same" || value == "varies")) {
      program.same_output = value == "same";
    } else {
      refuse(fmt::format("unknown '{}: {}'", name, value));
    }
  }

  [[noreturn]] void refuse(const std::string& why) const {
    throw std::invalid_argument(fmt::format("{}:{}: {}", file_.string(), number_, why));
  }

  fs::path file_;
  int number_ = 0;
  std::vector<Program> programs_;
  std::string* current_ = nullptr;
};

// Why this program cannot be run, or nothing.
std::string prepare(const Program& program, const fs::path& directory) {
  if (!program.requires_command.empty() &&
      !run({.arguments = shell("command -v " + program.requires_command)}).ok()) {
    return program.requires_command + " is not installed";
  }
  fs::create_directories(directory);
  if (program.prepare.empty()) return "";
  const Outcome outcome = run({.arguments = shell(program.prepare), .directory = directory});
  return outcome.ok() ? "" : "its preparation failed: " + outcome.failure();
}

}  // namespace

std::vector<Program> read_programs(const fs::path& file) { return Parser(file).parse(); }

std::vector<std::unique_ptr<Job>> program_jobs(const std::vector<Program>& programs,
                                               const std::vector<std::string>& names,
                                               const fs::path& scratch, double timeout_seconds,
                                               std::vector<std::string>& missing) {
  std::vector<std::unique_ptr<Job>> jobs;
  for (const Program& program : programs) {
    if (!names.empty() && std::find(names.begin(), names.end(), program.name) == names.end())
      continue;
    const fs::path directory = scratch / program.name;
    const std::string failure = prepare(program, directory);
    if (failure.empty()) {
      jobs.push_back(std::make_unique<ProgramJob>(program, directory, timeout_seconds));
    } else {
      missing.push_back(fmt::format("skipping {}: {}", program.name, failure));
    }
  }
  return jobs;
}

}  // namespace gabion::bench
