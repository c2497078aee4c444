// Turns the addresses of reports into functions and lines.
#ifndef GABION_CLI_SYMBOLIZER_H_
#define GABION_CLI_SYMBOLIZER_H_

#include <map>
#include <memory>
#include <string>

#include "src/cli/bug_report.h"
#include "src/cli/debug_info.h"

namespace gabion::cli {

class Symbolizer {
 public:
  // Fills `locations` of every frame. A module that is gone, or another file than the one that ran
  // (by build id), leaves what the process itself knew: module, offset and perhaps a function.
  void symbolize(BugReport& report);
  void symbolize(Frame& frame);

 private:
  DebugInfo* info_for(const Frame& frame);

  std::map<std::string, std::unique_ptr<DebugInfo>> modules_;
  std::map<std::string, bool> warned_;
};

}  // namespace gabion::cli

#endif  // GABION_CLI_SYMBOLIZER_H_
