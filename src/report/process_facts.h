// What reports say about the process, copied once: a program may overwrite its arguments, change
// its directory or be renamed later.
#ifndef GABION_REPORT_PROCESS_FACTS_H_
#define GABION_REPORT_PROCESS_FACTS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "src/base/text.h"

namespace gabion::report {

class ProcessFacts {
 public:
  // From /proc/self, with system calls alone. What cannot be read stays empty.
  void read();

  std::string_view program() const { return program_; }  // absolute path of the executable
  std::string_view program_name() const;                 // its last part
  std::string_view directory() const { return directory_; }
  // Arguments, each ended by '\0'; long command lines are cut.
  std::string_view arguments() const { return {arguments_, arguments_size_}; }

 private:
  char program_buffer_[1024] = {};
  char directory_buffer_[1024] = {};
  char arguments_[4096] = {};
  std::string_view program_, directory_;
  size_t arguments_size_ = 0;
};

// "2026-01-02T03:04:05Z". The C library's calendar takes a lock and reads files.
void append_utc_time(base::Text& text, int64_t seconds_since_1970);
// "20260102-030405", for file names.
void append_compact_time(base::Text& text, int64_t seconds_since_1970);

int64_t seconds_since_1970();

}  // namespace gabion::report

#endif  // GABION_REPORT_PROCESS_FACTS_H_
