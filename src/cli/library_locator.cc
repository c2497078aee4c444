#include "src/cli/library_locator.h"

#include <elf.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "src/cli/error.h"
#include "src/cli/exit_status.h"
#include "src/cli/file.h"

namespace gabion::cli {
namespace {

namespace fs = std::filesystem;

bool is_elf(const std::string& path) {
  const FileDescriptor file = open_regular_file(path);
  char magic[SELFMAG];
  return file && read(file.get(), magic, SELFMAG) == SELFMAG &&
         std::equal(magic, magic + SELFMAG, ELFMAG);
}

void add(std::vector<std::string>& list, const fs::path& directory) {
  std::error_code ignored;
  const std::string path = fs::weakly_canonical(directory, ignored).string();
  if (!path.empty() && std::find(list.begin(), list.end(), path) == list.end()) {
    list.push_back(path);
  }
}

}  // namespace

std::string_view library_name(Profile profile) {
  switch (profile) {
    case Profile::kFast:
      return "libgabion.so";
    case Profile::kHardened:
      return "libgabion-hardened.so";
    case Profile::kDebug:
      break;
  }
  return "libgabion-debug.so";
}

std::vector<std::string> library_directories() {
  std::vector<fs::path> own;
  std::error_code error;
  if (const fs::path exe = fs::read_symlink("/proc/self/exe", error); !error) {
    own.push_back(exe.parent_path());
  }
  // Also the name it was started by: bin/gabion may be a link into another tree.
  if (const auto* name = reinterpret_cast<const char*>(getauxval(AT_EXECFN)); name != nullptr) {
    own.push_back(fs::absolute(name, error).parent_path());
  }
  std::vector<std::string> list;
  for (const fs::path& directory : own) {
    add(list, directory);
    add(list, directory / "../lib");
    add(list, directory / "../lib/gabion");
  }
  return list;
}

std::string locate_library(Profile profile, const std::vector<std::string>& directories) {
  for (const std::string& directory : directories) {
    const std::string path = fmt::format("{}/{}", directory, library_name(profile));
    std::error_code error;
    if (!fs::exists(path, error)) continue;
    if (!is_elf(path)) throw Error(kOwnFailure, fmt::format("{}: not a readable library", path));
    return path;
  }
  throw Error(kOwnFailure, fmt::format("{} is missing: looked in {}", library_name(profile),
                                       fmt::join(directories, ", ")));
}

}  // namespace gabion::cli
