// Takes bugs and reports them: as text and as JSON, each record in one write, one report at a time.
//
// Nothing here allocates, throws, or waits for a lock other than its own; buffers are static. A
// report may be made on the smallest stack. A bug or fault inside a report ends the process with
// one raw line.
#ifndef GABION_REPORT_REPORT_H_
#define GABION_REPORT_REPORT_H_

#include <cstdint>
#include <string_view>

#include "src/report/bug.h"

namespace gabion::report {

struct Settings {
  std::string_view profile = "debug";
  std::string_view log_path = "stderr";  // "stderr", "none", or a file name template (files.h)
  std::string_view log_dir = {};         // directory of JSON files; empty: none
  bool halts = true;                     // the caller ends the process after a report
  int exit_code = 86;                    // of a report that fails
};

// Once, early: copies the settings and the facts of the process, and registers with fork. Without
// it reports go to standard error.
void start(const Settings& settings);

// Writes the report and returns; what happens to the process is the caller's decision. No lock of
// the runtime may be held.
void submit(const Bug& bug);

// Bugs submitted by this process; a child starts at 0.
uint32_t count();

// At the end of the process: marks the JSON file, if there is one, as complete.
void finish();

}  // namespace gabion::report

#endif  // GABION_REPORT_REPORT_H_
