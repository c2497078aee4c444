// `compare`: runs any set of allocators over our workloads, or over programs, as whole processes
// with the library preloaded, interleaved, and prints medians as ratios to glibc.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tests/bench/compare/allocators.h"
#include "tests/bench/compare/chart.h"
#include "tests/bench/compare/job.h"
#include "tests/bench/compare/machine.h"
#include "tests/bench/compare/program_job.h"
#include "tests/bench/compare/results.h"
#include "tests/bench/compare/tables.h"
#include "tests/bench/compare/workload_job.h"

namespace gabion::bench {
namespace {

namespace fs = std::filesystem;

constexpr int kSomeFailed = 1;
constexpr int kUsage = 2;

struct Options {
  std::vector<std::string> allocators = {"glibc",    "fast",     "jemalloc",
                                         "mimalloc", "tcmalloc", "tbbmalloc"};
  std::vector<std::string> names;
  std::string commands;
  unsigned repeat = 5;
  std::string scale, threads, live;
  double timeout_seconds = 300;
  bool system_calls = false;
  bool cpu = false;
  bool metrics = false;
  bool list_allocators = false;
  std::string subject = "fast";
  std::string json, svg;
  std::string workloads, gabion_directory;
};

// Everything that was built lies beside this program, whoever started it.
fs::path own_directory() { return fs::read_symlink("/proc/self/exe").parent_path(); }

// A folder that goes away at the end.
class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "gabion-compare-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder");
    path_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void say(const std::string& line) { fmt::print(stderr, "compare: {}\n", line); }

// Those that exist and take effect; a line for each of the others.
std::vector<Allocator> usable_allocators(const Options& options) {
  const Allocators allocators = find_allocators(options.allocators, options.gabion_directory);
  for (const std::string& line : allocators.missing) say(line);
  std::vector<Allocator> usable;
  for (const Allocator& allocator : allocators.found) {
    const std::string failure = preload_failure(options.workloads, allocator);
    if (failure.empty()) {
      usable.push_back(allocator);
    } else if (allocator.library.empty()) {
      throw std::runtime_error("cannot run " + options.workloads + ": " + failure);
    } else {
      say(fmt::format("skipping {}: preloading it has no effect ({})", allocator.name, failure));
    }
  }
  return usable;
}

std::vector<std::unique_ptr<Job>> make_jobs(const Options& options, const fs::path& scratch) {
  if (!options.commands.empty()) {
    std::vector<std::string> missing;
    auto jobs = program_jobs(read_programs(options.commands), options.names, scratch,
                             options.timeout_seconds, missing);
    for (const std::string& line : missing) say(line);
    return jobs;
  }
  WorkloadOptions workload = {.binary = options.workloads,
                              .timeout_seconds = options.timeout_seconds,
                              .count_system_calls = options.system_calls};
  const auto pass = [&](const char* option, const std::string& value) {
    if (!value.empty()) workload.arguments.insert(workload.arguments.end(), {option, value});
  };
  pass("--scale", options.scale);
  pass("--threads", options.threads);
  pass("--live", options.live);
  return workload_jobs(workload, options.names);
}

// Interleaved: whatever else the machine does, it does to all of them; and each is first as often
// as the others.
Results measure(const std::vector<std::unique_ptr<Job>>& jobs,
                const std::vector<Allocator>& allocators, unsigned repeat) {
  std::vector<std::string> job_names, allocator_names;
  for (const auto& job : jobs) job_names.push_back(job->name());
  for (const Allocator& allocator : allocators) allocator_names.push_back(allocator.name);
  Results results(allocator_names, job_names);
  for (unsigned round = 0; round < repeat; ++round) {
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      if (isatty(STDERR_FILENO))
        fmt::print(stderr, "\r\033[Kround {}/{}: {}", round + 1, repeat, job_names[j]);
      for (std::size_t turn = 0; turn < allocators.size(); ++turn) {
        const std::size_t a = (turn + round) % allocators.size();
        Sample sample = jobs[j]->run(allocators[a]);
        if (!sample.failure.empty()) {
          say(fmt::format("{} failed under {}: {}", job_names[j], allocator_names[a],
                          sample.failure));
        }
        results.add(j, a, std::move(sample));
      }
    }
  }
  if (isatty(STDERR_FILENO)) fmt::print(stderr, "\r\033[K");
  return results;
}

void write(const std::string& file, const std::string& text) {
  std::ofstream out(file);
  out << text;
  if (!out.flush()) throw std::runtime_error("cannot write " + file);
}

void report(const Options& options, const nlohmann::json& machine,
            const std::vector<Allocator>& allocators, const Results& results) {
  fmt::print(
      "{} repeats, interleaved; medians. The first column is absolute, the others are ratios to it "
      "(less is better). "
      "± is half of (slowest - fastest), relative to the median.\n\n",
      options.repeat);
  fmt::print("{}\n{}", ratio_table(results, Quantity::kTime, options.subject),
             ratio_table(results, Quantity::kPeakRss, options.subject));
  if (options.cpu) fmt::print("\n{}", ratio_table(results, Quantity::kCpuTime, options.subject));
  if (options.metrics) fmt::print("\n{}", metric_table(results));
  if (!options.json.empty()) {
    nlohmann::json document = results.json();
    document["machine"] = machine;
    document["repeat"] = options.repeat;
    document["scale"] = options.scale.empty() ? "1" : options.scale;
    for (const Allocator& allocator : allocators) {
      document["allocators"].push_back(
          {{"name", allocator.name}, {"library", allocator.library.string()}});
    }
    write(options.json, document.dump(1) + "\n");
  }
  if (!options.svg.empty()) write(options.svg, chart(results));
}

int compare(const Options& options) {
  const auto allocators = usable_allocators(options);
  if (options.list_allocators) {
    for (const Allocator& allocator : allocators)
      fmt::print("{}\t{}\n", allocator.name, allocator.library.string());
    return 0;
  }
  const nlohmann::json machine = describe_machine();
  const Scratch scratch;
  const auto jobs = make_jobs(options, scratch.path());
  if (jobs.empty()) throw std::runtime_error("nothing to run");
  const Results results = measure(jobs, allocators, options.repeat);
  report(options, machine, allocators, results);
  return results.any_failure() ? kSomeFailed : 0;
}

int run(int argc, char** argv) {
  // `bazel run` starts programs in a folder of its own; files are named from where the user is.
  if (const char* directory = std::getenv("BUILD_WORKING_DIRECTORY")) fs::current_path(directory);
  Options options;
  options.workloads = (own_directory() / "workloads").string();
  options.gabion_directory = (own_directory() / "../..").lexically_normal().string();
  CLI::App app{
      "Compares allocators, each preloaded into whole processes, on our workloads or on programs.\n"
      "Allocators: " +
      fmt::format("{}", fmt::join(known_allocators(), ", ")) + ", or NAME=/path/lib.so."};
  app.add_option("--allocators", options.allocators, "which, separated by commas")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--workloads", options.names,
                 "which workloads (or programs), separated by commas; default: all")
      ->delimiter(',');
  app.add_option("--commands", options.commands,
                 "run the programs of this file instead of our workloads")
      ->check(CLI::ExistingFile);
  app.add_option("--repeat", options.repeat, "runs of each")
      ->capture_default_str()
      ->check(CLI::Range(1U, 1000U));
  app.add_option("--scale", options.scale, "multiplies each workload's work")
      ->check(CLI::PositiveNumber);
  app.add_option("--threads", options.threads, "instead of each workload's own number")
      ->check(CLI::PositiveNumber);
  app.add_option("--live", options.live, "blocks alive, instead of each workload's own number")
      ->check(CLI::PositiveNumber);
  app.add_option("--timeout", options.timeout_seconds, "seconds for each run")
      ->capture_default_str();
  app.add_option("--subject", options.subject, "shown against the best that is not Gabion's")
      ->capture_default_str();
  app.add_flag(
      "--cpu", options.cpu,
      "print CPU time too: steadier where other programs run, but with start-up and waits");
  app.add_flag("--metrics", options.metrics, "print whatever else the workloads report");
  app.add_flag("--system-calls", options.system_calls,
               "count system calls in one more run of each, under strace");
  app.add_option("--json", options.json,
                 "write all samples and the machine's description to this file");
  app.add_option("--svg", options.svg, "draw a chart into this file");
  app.add_flag("--list-allocators", options.list_allocators,
               "print the usable ones and their libraries, and stop");
  app.add_option("--workloads-binary", options.workloads)->group("Files")->capture_default_str();
  app.add_option("--gabion-dir", options.gabion_directory, "where Gabion's libraries are")
      ->group("Files")
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    return compare(options);
  } catch (const std::invalid_argument& error) {
    say(error.what());
    return kUsage;
  } catch (const std::exception& error) {
    say(error.what());
    return kSomeFailed;
  }
}

}  // namespace
}  // namespace gabion::bench

int main(int argc, char** argv) { return gabion::bench::run(argc, argv); }
