// Where reports go: names made from templates, and files to which each record is added by one
// write, so that records of many processes do not mix.
#ifndef GABION_REPORT_FILES_H_
#define GABION_REPORT_FILES_H_

#include <sys/types.h>

#include <cstdint>
#include <string_view>

#include "src/base/text.h"
#include "src/report/process_facts.h"

namespace gabion::report {

// Replaces %p by the pid, %n by the program's name, %t by the time and %% by %. A relative name is
// put under the directory that the process started in. False if it does not fit.
bool expand_file_name(base::Text& path, std::string_view name_template, const ProcessFacts& facts,
                      pid_t pid, int64_t seconds_since_1970);

// The JSON file of one process under `directory`.
bool json_file_name(base::Text& path, std::string_view directory, const ProcessFacts& facts,
                    pid_t pid);

enum class Links : uint8_t { kFollow, kRefuse };

// Opens (or creates) the file, adds `record` at its end and closes it: a descriptor that stays open
// may be closed and taken by the program, and would be inherited by its children. `path` ends in
// '\0'. The answer is 0 or an errno; ENOSPC also when only a part could be written.
int append_to_file(const char* path, std::string_view record, Links links);

}  // namespace gabion::report

#endif  // GABION_REPORT_FILES_H_
