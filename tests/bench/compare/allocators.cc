#include "tests/bench/compare/allocators.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace gabion::bench {
namespace {

namespace fs = std::filesystem;

struct Known {
  const char* name;
  const char* file;
  const char* source;  // of Debian's packages; nullptr: built by this project
};

constexpr Known kKnown[] = {
    {"fast", "libgabion.so", nullptr},
    {"hardened", "libgabion-hardened.so", nullptr},
    {"debug", "libgabion-debug.so", nullptr},
    {"jemalloc", "libjemalloc.so.2", "libjemalloc2"},
    {"mimalloc", "libmimalloc.so.2.0", "libmimalloc2.0"},
    {"tcmalloc", "libtcmalloc_minimal.so.4", "libtcmalloc-minimal4"},
    {"tbbmalloc", "libtbbmalloc_proxy.so.2", "libtbbmalloc2"},
    {"scudo", "libclang_rt.scudo_standalone-x86_64.so", "libclang-rt-19-dev"},
};

constexpr const char* kSystemDirectories[] = {"/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib",
                                              "/usr/local/lib",
                                              "/usr/lib/llvm-19/lib/clang/19/lib/linux"};

const Known* find_known(const std::string& name) {
  const auto* known = std::find_if(std::begin(kKnown), std::end(kKnown),
                                   [&](const Known& candidate) { return name == candidate.name; });
  return known == std::end(kKnown) ? nullptr : known;
}

std::optional<fs::path> locate(const Known& known, const fs::path& gabion_directory) {
  if (known.source == nullptr) {
    const fs::path path = gabion_directory / known.file;
    return fs::exists(path) ? std::optional(path) : std::nullopt;
  }
  for (const fs::path directory : kSystemDirectories) {
    if (fs::exists(directory / known.file)) return directory / known.file;
  }
  return std::nullopt;
}

std::string missing_line(const Known& known, const fs::path& gabion_directory) {
  return known.source == nullptr
             ? fmt::format("skipping {}: no {} in {}", known.name, known.file,
                           gabion_directory.string())
             : fmt::format("skipping {}: {} is not installed (apt-get install {})", known.name,
                           known.file, known.source);
}

void add_path(const std::string& specification, std::size_t equals, Allocators& allocators) {
  const std::string name = specification.substr(0, equals);
  const fs::path path = specification.substr(equals + 1);
  if (fs::exists(path)) {
    allocators.found.push_back({name, fs::canonical(path)});
  } else {
    allocators.missing.push_back(
        fmt::format("skipping {}: {} does not exist", name, path.string()));
  }
}

void add_known(const std::string& name, const fs::path& gabion_directory, Allocators& allocators) {
  const Known* known = find_known(name);
  if (known == nullptr) {
    throw std::invalid_argument(
        fmt::format("unknown allocator '{}' (known: {}; or NAME=/path/lib.so)", name,
                    fmt::join(known_allocators(), ", ")));
  }
  if (const auto path = locate(*known, gabion_directory)) {
    allocators.found.push_back({name, *path});
  } else {
    allocators.missing.push_back(missing_line(*known, gabion_directory));
  }
}

}  // namespace

Allocators find_allocators(const std::vector<std::string>& specifications,
                           const fs::path& gabion_directory) {
  Allocators allocators;
  allocators.found.push_back({kBaseline, {}});
  for (const std::string& specification : specifications) {
    const std::size_t equals = specification.find('=');
    if (equals != std::string::npos) {
      add_path(specification, equals, allocators);
    } else if (specification != kBaseline) {
      add_known(specification, gabion_directory, allocators);
    }
  }
  return allocators;
}

std::vector<std::string> known_allocators() {
  std::vector<std::string> names = {kBaseline};
  for (const Known& known : kKnown) names.push_back(known.name);
  return names;
}

}  // namespace gabion::bench
