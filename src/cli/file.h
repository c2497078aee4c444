// Files and descriptors: the few operations the command needs, without surprises from closed
// streams, non-blocking pipes or names that turn out to be devices.
#ifndef GABION_CLI_FILE_H_
#define GABION_CLI_FILE_H_

#include <string>
#include <string_view>
#include <utility>

namespace gabion::cli {

class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int fd) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  ~FileDescriptor();

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_ = -1;
};

// Opens a regular file for reading; anything else (a pipe, a device, a dangling name) gives an
// empty descriptor and sets errno. Never waits. `follow` says whether a symbolic link will do.
FileDescriptor open_regular_file(const std::string& path, bool follow = true);

// Writes everything, also to a pipe that another process has made non-blocking. False when the
// reader is gone or the device full.
bool write_all(int fd, std::string_view text);

// Standard error, for the one-line messages that begin with "gabion: ".
void say(std::string_view line);
void warn(std::string_view text);

std::string base_name(std::string_view path);
std::string directory_name(std::string_view path);

}  // namespace gabion::cli

#endif  // GABION_CLI_FILE_H_
