#include "src/report/process_facts.h"

#include <fcntl.h>
#include <time.h>

#include "src/os/syscall.h"

namespace gabion::report {
namespace {

size_t read_file(const char* path, std::span<char> buffer) {
  const os::SyscallResult fd = os::system_call(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  if (!fd.ok()) return 0;
  size_t size = 0;
  while (size < buffer.size()) {
    const os::SyscallResult got =
        os::system_call(SYS_read, fd.raw, buffer.data() + size, buffer.size() - size);
    if (got.error() == EINTR) continue;
    if (!got.ok() || got.raw == 0) break;
    size += static_cast<size_t>(got.raw);
  }
  os::system_call(SYS_close, fd.raw);
  return size;
}

struct Calendar {
  int64_t year;
  unsigned month, day, hour, minute, second;
};

// The civil calendar repeats every 400 years. Counted from March, the odd day of a leap year comes
// last, and the months before it follow one formula.
Calendar calendar_of(int64_t seconds) {
  constexpr int64_t kSecondsADay = 86400, kDaysAnEra = 146097, kDaysFrom0ToEpoch = 719468;
  const int64_t days = seconds / kSecondsADay + kDaysFrom0ToEpoch;  // since 0000-03-01
  const auto of_day = static_cast<unsigned>(seconds % kSecondsADay);
  const int64_t era = days / kDaysAnEra;
  const auto of_era = static_cast<unsigned>(days % kDaysAnEra);
  const unsigned year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  const unsigned of_year = of_era - (365 * year + year / 4 - year / 100);
  const unsigned month = (5 * of_year + 2) / 153;  // 0 is March
  return {.year = year + era * 400 + (month >= 10 ? 1 : 0),
          .month = month < 10 ? month + 3 : month - 9,
          .day = of_year - (153 * month + 2) / 5 + 1,
          .hour = of_day / 3600,
          .minute = of_day / 60 % 60,
          .second = of_day % 60};
}

struct TwoDigits {
  unsigned value;
};
base::Text& operator<<(base::Text& text, TwoDigits two) {
  return text << static_cast<char>('0' + two.value / 10) << static_cast<char>('0' + two.value % 10);
}

}  // namespace

void ProcessFacts::read() {
  const os::SyscallResult link = os::system_call(SYS_readlinkat, AT_FDCWD, "/proc/self/exe",
                                                 program_buffer_, sizeof program_buffer_);
  if (link.ok()) program_ = {program_buffer_, static_cast<size_t>(link.raw)};
  constexpr std::string_view kDeleted = " (deleted)";
  if (program_.ends_with(kDeleted)) program_.remove_suffix(kDeleted.size());
  const os::SyscallResult directory =
      os::system_call(SYS_getcwd, directory_buffer_, sizeof directory_buffer_);
  // The kernel counts the end mark; "(unreachable)…" is no path.
  if (directory.ok() && directory.raw > 1 && directory_buffer_[0] == '/') {
    directory_ = {directory_buffer_, static_cast<size_t>(directory.raw) - 1};
  }
  arguments_size_ = read_file("/proc/self/cmdline", arguments_);
}

std::string_view ProcessFacts::program_name() const {
  std::string_view name = program_;
  name.remove_prefix(name.rfind('/') + 1);  // npos + 1 is 0
  return name.empty() ? "unknown" : name;
}

void append_utc_time(base::Text& text, int64_t seconds) {
  const Calendar c = calendar_of(seconds);
  text << c.year << '-' << TwoDigits{c.month} << '-' << TwoDigits{c.day} << 'T' << TwoDigits{c.hour}
       << ':' << TwoDigits{c.minute} << ':' << TwoDigits{c.second} << 'Z';
}

void append_compact_time(base::Text& text, int64_t seconds) {
  const Calendar c = calendar_of(seconds);
  text << c.year << TwoDigits{c.month} << TwoDigits{c.day} << '-' << TwoDigits{c.hour}
       << TwoDigits{c.minute} << TwoDigits{c.second};
}

int64_t seconds_since_1970() {
  timespec now{};
  clock_gettime(CLOCK_REALTIME_COARSE, &now);
  return now.tv_sec;
}

}  // namespace gabion::report
