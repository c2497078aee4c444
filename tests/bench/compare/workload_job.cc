#include "tests/bench/compare/workload_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <stdexcept>

#include "tests/bench/compare/process.h"

namespace gabion::bench {
namespace {

constexpr const char* kCLibrary = "libc.so.6";

std::string expected_library(const Allocator& allocator) {
  return allocator.library.empty() ? kCLibrary : allocator.library.filename().string();
}

// The number of calls in the last line of strace's summary: `100.00 0.01 1 1234 [errors] total`.
double total_calls(const std::string& summary) {
  double calls = 0;
  std::istringstream lines(summary);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string share, seconds, each, count;
    if (fields >> share >> seconds >> each >> count && line.ends_with(" total"))
      calls = std::stod(count);
  }
  return calls;
}

class WorkloadJob : public Job {
 public:
  WorkloadJob(std::string name, const WorkloadOptions& options)
      : name_(std::move(name)), options_(options) {}

  const std::string& name() const override { return name_; }

  Sample run(const Allocator& allocator) override {
    const Outcome outcome = bench::run({.arguments = arguments(allocator),
                                        .preload = allocator.library,
                                        .timeout_seconds = options_.timeout_seconds});
    if (!outcome.ok()) return {.failure = outcome.failure()};
    Sample sample = parse(outcome.output);
    sample.cpu_seconds = outcome.cpu_seconds;
    if (options_.count_system_calls && counted_.insert(allocator.name).second) {
      sample.metrics["system_calls"] = count_system_calls(allocator);
    }
    return sample;
  }

 private:
  std::vector<std::string> arguments(const Allocator& allocator) const {
    std::vector<std::string> arguments = {options_.binary, name_, "--expect-lib",
                                          expected_library(allocator)};
    arguments.insert(arguments.end(), options_.arguments.begin(), options_.arguments.end());
    return arguments;
  }

  static Sample parse(const std::string& line) {
    Sample sample;
    const auto report = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (report.is_discarded()) return {.failure = "no report"};
    for (const auto& [key, value] : report.items()) {
      if (!value.is_number()) continue;
      if (key == "seconds") {
        sample.seconds = value;
      } else if (key == "peak_rss_kib") {
        sample.peak_rss_kib = value;
      } else {
        sample.metrics[key] = value;
      }
    }
    return sample;
  }

  double count_system_calls(const Allocator& allocator) const {
    std::vector<std::string> traced = {"strace", "-f", "-c", "-o", "/dev/stdout"};
    if (!allocator.library.empty()) {
      traced.insert(traced.end(), {"-E", "LD_PRELOAD=" + allocator.library.string()});
    }
    const std::vector<std::string> own = arguments(allocator);
    traced.insert(traced.end(), own.begin(), own.end());
    return total_calls(
        bench::run({.arguments = traced, .timeout_seconds = 10 * options_.timeout_seconds}).output);
  }

  std::string name_;
  WorkloadOptions options_;
  std::set<std::string> counted_;
};

std::vector<std::string> list(const std::filesystem::path& binary) {
  const Outcome outcome = run({.arguments = {binary, "--list"}});
  if (!outcome.ok()) {
    throw std::runtime_error(fmt::format("cannot run {}: {}", binary.string(), outcome.failure()));
  }
  std::vector<std::string> names;
  std::istringstream lines(outcome.output);
  for (std::string line; std::getline(lines, line);)
    names.push_back(line.substr(0, line.find('\t')));
  return names;
}

}  // namespace

std::vector<std::unique_ptr<Job>> workload_jobs(const WorkloadOptions& options,
                                                const std::vector<std::string>& names) {
  const std::vector<std::string> all = list(options.binary);
  for (const std::string& name : names) {
    if (std::find(all.begin(), all.end(), name) == all.end()) {
      throw std::invalid_argument(
          fmt::format("no workload '{}' (there are: {})", name, fmt::join(all, ", ")));
    }
  }
  std::vector<std::unique_ptr<Job>> jobs;
  for (const std::string& name : names.empty() ? all : names) {
    jobs.push_back(std::make_unique<WorkloadJob>(name, options));
  }
  return jobs;
}

std::string preload_failure(const std::filesystem::path& workloads, const Allocator& allocator) {
  const Outcome outcome =
      run({.arguments = {workloads, "idle", "--expect-lib", expected_library(allocator)},
           .preload = allocator.library});
  return outcome.ok() ? "" : outcome.failure();
}

}  // namespace gabion::bench
