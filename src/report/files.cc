#include "src/report/files.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "src/os/process.h"
#include "src/os/syscall.h"

namespace gabion::report {
namespace {

void append_directory(base::Text& path, std::string_view name, const ProcessFacts& facts) {
  if (!name.starts_with('/') && !facts.directory().empty()) path << facts.directory() << '/';
}

// Removes the part of a record for which there was room: the next one would be joined to it. Not if
// another process has appended something since.
void take_back(int fd, size_t written) {
  const long end = os::system_call(SYS_lseek, fd, 0, SEEK_CUR).raw;
  if (end < static_cast<long>(written)) return;  // or no file that has places
  if (os::system_call(SYS_lseek, fd, 0, SEEK_END).raw != end) return;
  os::system_call(SYS_ftruncate, fd, end - static_cast<long>(written));
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
  const int file = static_cast<int>(fd.raw);
  const os::SyscallResult wrote = os::write_quietly(file, record);
  const bool is_short = wrote.ok() && static_cast<size_t>(wrote.raw) != record.size();
  if (is_short) take_back(file, static_cast<size_t>(wrote.raw));
  os::system_call(SYS_close, file);
  return is_short ? ENOSPC : wrote.error();
}

}  // namespace gabion::report
