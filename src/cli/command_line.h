// What the user asked for.
#ifndef GABION_CLI_COMMAND_LINE_H_
#define GABION_CLI_COMMAND_LINE_H_

#include <chrono>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "src/cli/library_locator.h"

namespace gabion::cli {

struct HelpRequest {
  std::string text;
};

struct RunRequest {
  Profile profile = Profile::kDebug;
  std::optional<std::string> log;
  std::optional<int> exit_code;
  std::optional<bool> halt;
  bool require = false;
  std::chrono::milliseconds patience{2000};
  std::vector<std::string> command;
};

struct ReportRequest {
  std::vector<std::string> paths;
  bool json = false;
};

using Request = std::variant<HelpRequest, RunRequest, ReportRequest>;

// `arguments` without the program's name. Throws Error (2).
Request parse_command_line(const std::vector<std::string>& arguments);

}  // namespace gabion::cli

#endif  // GABION_CLI_COMMAND_LINE_H_
