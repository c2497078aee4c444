#include "src/report/region.h"

#include <fcntl.h>

#include <cstddef>
#include <string_view>

#include "src/os/loaded_code.h"
#include "src/os/syscall.h"

namespace gabion::report {
namespace {

struct Mapping {
  uintptr_t begin = 0, end = 0;
  bool is_main_stack = false, is_brk_heap = false;
};

// "begin-end perms offset device inode   path", read byte by byte: lines may be longer than any
// buffer, but only the first bytes of a path matter.
class MapsReader {
 public:
  MapsReader()
      : fd_(os::system_call(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC).raw) {}
  ~MapsReader() {
    if (fd_ >= 0) os::system_call(SYS_close, fd_);
  }
  MapsReader(const MapsReader&) = delete;
  MapsReader& operator=(const MapsReader&) = delete;

  bool next(Mapping& mapping) {
    mapping = {};
    if (!hexadecimal(mapping.begin) || !hexadecimal(mapping.end)) return false;
    skip_fields(4);
    char path[8];
    size_t n = 0;
    for (int c = get(); c != '\n' && c >= 0; c = get()) {
      if ((c != ' ' || n != 0) && n < sizeof path) path[n++] = static_cast<char>(c);
    }
    const std::string_view start(path, n);
    mapping.is_main_stack = start.starts_with("[stack]");
    mapping.is_brk_heap = start.starts_with("[heap]");
    return true;
  }

 private:
  int get() {
    if (at_ == size_) {
      os::SyscallResult got{0};
      do {
        got = os::system_call(SYS_read, fd_, buffer_, sizeof buffer_);
      } while (got.error() == EINTR);
      if (!got.ok() || got.raw == 0) return -1;
      size_ = static_cast<size_t>(got.raw);
      at_ = 0;
    }
    return static_cast<unsigned char>(buffer_[at_++]);
  }

  // A number and the character behind it.
  bool hexadecimal(uintptr_t& value) {
    value = 0;
    for (int c = get();; c = get()) {
      if (c >= '0' && c <= '9') {
        value = value << 4 | static_cast<uintptr_t>(c - '0');
      } else if (c >= 'a' && c <= 'f') {
        value = value << 4 | static_cast<uintptr_t>(c - 'a' + 10);
      } else {
        return c >= 0;
      }
    }
  }

  void skip_fields(int n) {
    while (n > 0) {
      const int c = get();
      if (c < 0) return;
      if (c == ' ') --n;
    }
  }

  long fd_;
  char buffer_[512];
  size_t at_ = 0, size_ = 0;
};

}  // namespace

Region classify(uintptr_t address) {
  os::LoadedCode object;
  if (os::find_loaded_code(address, object)) return Region::kGlobal;
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  MapsReader maps;
  Mapping mapping;
  bool any = false;
  while (maps.next(mapping)) {
    any = true;
    if (address < mapping.begin || address >= mapping.end) continue;
    if (mapping.is_main_stack || (here >= mapping.begin && here < mapping.end)) {
      return Region::kStack;
    }
    if (mapping.is_brk_heap) return Region::kForeignHeap;
    return Region::kMapping;
  }
  return any ? Region::kUnmapped : Region::kUnknown;
}

}  // namespace gabion::report
