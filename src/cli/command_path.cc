#include "src/cli/command_path.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>

#include "src/cli/error.h"
#include "src/cli/exit_status.h"

namespace gabion::cli {
namespace {

// 0 or the errno that execve would give for `path`.
int why_not(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return errno;
  if (S_ISDIR(info.st_mode)) return EISDIR;
  if (!S_ISREG(info.st_mode)) return EACCES;
  return eaccess(path.c_str(), X_OK) == 0 ? 0 : errno;
}

[[noreturn]] void fail(const std::string& name, int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      throw Error(kNotFound, fmt::format("{}: command not found", name));
    case EISDIR:
      throw Error(kNotExecutable, fmt::format("{}: is a directory", name));
    case EACCES:
      throw Error(kNotExecutable, fmt::format("{}: not executable", name));
    default:
      throw Error(kNotExecutable, fmt::format("{}: {}", name, std::strerror(error)));
  }
}

}  // namespace

std::string resolve_command(const std::string& name, const std::optional<std::string>& path_list) {
  if (name.empty()) throw Error(kNotFound, "the command is an empty string");
  if (name.find('/') != std::string::npos) {
    if (const int error = why_not(name); error != 0) fail(name, error);
    return name;
  }
  const std::string directories = path_list.value_or("/bin:/usr/bin");  // glibc's default
  std::string_view rest = directories;
  int error = ENOENT;
  while (true) {
    const size_t end = std::min(rest.find(':'), rest.size());
    const std::string directory(rest.substr(0, end));
    const std::string candidate = directory.empty() ? "./" + name : directory + "/" + name;
    const int reason = why_not(candidate);
    if (reason == 0) return candidate;
    // What is there but cannot be run is the better explanation.
    if (reason == EACCES || reason == EISDIR) error = reason;
    if (end == rest.size()) break;
    rest.remove_prefix(end + 1);
  }
  fail(name, error);
}

}  // namespace gabion::cli
