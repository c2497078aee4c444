// `workloads NAME [--scale X]`: runs one workload on whatever allocator the process has and prints
// one line of JSON.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <string>

#include "tests/bench/support/process_stats.h"
#include "tests/bench/workload.h"

namespace gabion::bench {
namespace {

constexpr int kUsage = 2;
constexpr int kWrongLibrary = 4;

std::string base_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

void print(const Workload& workload, const Result& result) {
  const ProcessStats stats = read_process_stats();
  std::printf("{\"workload\":\"%s\",\"malloc\":\"%s\",\"seconds\":%.6f,\"operations\":%llu",
              workload.name, base_name(malloc_library()).c_str(), result.seconds,
              static_cast<unsigned long long>(result.operations));
  std::printf(",\"peak_rss_kib\":%llu,\"rss_end_kib\":%llu,\"data_kib\":%llu,\"maps\":%llu",
              static_cast<unsigned long long>(stats.peak_rss_kib),
              static_cast<unsigned long long>(stats.rss_kib),
              static_cast<unsigned long long>(stats.data_kib),
              static_cast<unsigned long long>(stats.maps));
  for (const Metric& metric : result.metrics)
    std::printf(",\"%s\":%.6g", metric.name.c_str(), metric.value);
  std::printf("}\n");
}

void list() {
  for (const Workload& workload : all_workloads())
    std::printf("%s\t%s\n", workload.name, workload.summary);
}

const Workload* find(const std::string& name) {
  for (const Workload& workload : all_workloads()) {
    if (name == workload.name) return &workload;
  }
  return nullptr;
}

int run(int argc, char** argv) {
  std::string name;
  std::string expected;
  bool only_list = false;
  Settings settings;
  CLI::App app{"Runs one allocator workload and prints its measurements as a line of JSON."};
  app.add_option("workload", name, "the workload to run (--list shows them)");
  app.add_option("--scale", settings.scale, "multiplies the work")->check(CLI::PositiveNumber);
  app.add_option("--threads", settings.threads, "instead of the workload's own number");
  app.add_option("--live", settings.live, "blocks alive, instead of the workload's own number");
  app.add_option("--seed", settings.seed, "of the random numbers");
  app.add_option("--expect-lib", expected, "fail unless this library serves malloc");
  app.add_flag("--list", only_list, "list the workloads");
  CLI11_PARSE(app, argc, argv);
  if (only_list) {
    list();
    return 0;
  }
  const Workload* workload = find(name);
  if (workload == nullptr) {
    std::fprintf(stderr, "workloads: no workload '%s' (--list shows them)\n", name.c_str());
    return kUsage;
  }
  if (!expected.empty() && base_name(expected) != base_name(malloc_library())) {
    std::fprintf(stderr, "workloads: malloc is served by %s, not by %s\n", malloc_library(),
                 expected.c_str());
    return kWrongLibrary;
  }
  print(*workload, workload->run(settings));
  return 0;
}

}  // namespace
}  // namespace gabion::bench

int main(int argc, char** argv) { return gabion::bench::run(argc, argv); }
