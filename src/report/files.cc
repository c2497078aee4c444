#include "src/report/files.h"

#include <errno.h>
#include <fcntl.h>

#include "src/os/process.h"
#include "src/os/syscall.h"

namespace gabion::report {
namespace {

void append_directory(base::Text& path, std::string_view name, const ProcessFacts& facts) {
  if (!name.starts_with('/') && !facts.directory().empty()) path << facts.directory() << '/';
}

}  // namespace

bool expand_file_name(base::Text& path, std::string_view name_template, const ProcessFacts& facts,
                      pid_t pid, int64_t seconds) {
  append_directory(path, name_template, facts);
  for (size_t i = 0; i < name_template.size(); ++i) {
    const char c = name_template[i];
    const char next = i + 1 < name_template.size() ? name_template[i + 1] : '\0';
    if (c != '%' || next == '\0') {
      path << c;
      continue;
    }
    ++i;
    switch (next) {
      case 'p':
        path << pid;
        break;
      case 'n':
        path << facts.program_name();
        break;
      case 't':
        append_compact_time(path, seconds);
        break;
      case '%':
        path << '%';
        break;
      default:
        path << c << next;
        break;
    }
  }
  path << '\0';
  return !path.truncated();
}

bool json_file_name(base::Text& path, std::string_view directory, const ProcessFacts& facts,
                    pid_t pid) {
  append_directory(path, directory, facts);
  path << directory << "/gabion." << facts.program_name() << '.' << pid << ".jsonl" << '\0';
  return !path.truncated();
}

int append_to_file(const char* path, std::string_view record, Links links) {
  constexpr mode_t kMode = 0644;
  // O_NONBLOCK: nobody may ever read from what turns out to be a pipe.
  const int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK |
                    (links == Links::kRefuse ? O_NOFOLLOW : 0);
  os::SyscallResult fd{0};
  do {
    fd = os::system_call(SYS_openat, AT_FDCWD, path, flags, kMode);
  } while (fd.error() == EINTR);
  if (!fd.ok()) return fd.error();
  const os::SyscallResult wrote = os::write_quietly(static_cast<int>(fd.raw), record);
  os::system_call(SYS_close, fd.raw);
  if (!wrote.ok()) return wrote.error();
  return static_cast<size_t>(wrote.raw) == record.size() ? 0 : ENOSPC;
}

}  // namespace gabion::report
