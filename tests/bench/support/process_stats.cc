#include "tests/bench/support/process_stats.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "tests/bench/support/block.h"

namespace gabion::bench {
namespace {

constexpr std::size_t kStatusBytes = 8192;
constexpr std::size_t kMapsBytes = 16384;

// Calls `use(data, length)` for each piece of the file.
template <std::size_t kBytes, typename Use>
void read_file(const char* path, Use use) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  require(file >= 0, "cannot read /proc/self");
  std::array<char, kBytes> buffer;
  for (ssize_t got; (got = read(file, buffer.data(), buffer.size())) > 0;) {
    use(buffer.data(), static_cast<std::size_t>(got));
  }
  close(file);
}

std::uint64_t field(const char* status, const char* name) {
  const char* at = std::strstr(status, name);
  return at == nullptr ? 0 : std::strtoull(at + std::strlen(name), nullptr, 10);
}

}  // namespace

ProcessStats read_process_stats() {
  ProcessStats stats;
  std::array<char, kStatusBytes> status{};
  std::size_t length = 0;
  read_file<kStatusBytes>("/proc/self/status", [&](const char* data, std::size_t got) {
    got = std::min(got, status.size() - 1 - length);
    std::memcpy(status.data() + length, data, got);
    length += got;
  });
  stats.rss_kib = field(status.data(), "VmRSS:");
  stats.peak_rss_kib = field(status.data(), "VmHWM:");
  stats.data_kib = field(status.data(), "VmData:");
  read_file<kMapsBytes>("/proc/self/maps", [&](const char* data, std::size_t got) {
    stats.maps += static_cast<std::uint64_t>(std::count(data, data + got, '\n'));
  });
  return stats;
}

std::uint64_t rss_kib() { return read_process_stats().rss_kib; }

std::uint64_t rss_kib_after_idle_second() {
  std::this_thread::sleep_for(std::chrono::seconds(1));
  return rss_kib();
}

const char* malloc_library() {
  Dl_info info;
  void* symbol = dlsym(RTLD_DEFAULT, "malloc");
  if (symbol == nullptr || dladdr(symbol, &info) == 0 || info.dli_fname == nullptr) return "";
  return info.dli_fname;
}

}  // namespace gabion::bench
