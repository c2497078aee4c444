#include "tests/bench/compare/machine.h"

#include <gnu/libc-version.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace gabion::bench {
namespace {

std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

std::string first_line(const char* path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

}  // namespace

nlohmann::json describe_machine() {
  utsname system = {};
  uname(&system);
  std::array<double, 1> load{};
  getloadavg(load.data(), static_cast<int>(load.size()));
  return {{"processor", processor()},
          {"cores", sysconf(_SC_NPROCESSORS_ONLN)},
          {"memory_mib", sysconf(_SC_PHYS_PAGES) / (1024 * 1024 / sysconf(_SC_PAGESIZE))},
          {"kernel", system.release},
          {"glibc", gnu_get_libc_version()},
          {"transparent_hugepage", first_line("/sys/kernel/mm/transparent_hugepage/enabled")},
          {"load_at_start", load[0]}};
}

}  // namespace gabion::bench
