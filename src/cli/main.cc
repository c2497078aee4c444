// The gabion command.
#include <signal.h>
#include <unistd.h>

#include <exception>
#include <string>
#include <vector>

#include "src/cli/command_line.h"
#include "src/cli/error.h"
#include "src/cli/exit_status.h"
#include "src/cli/file.h"
#include "src/cli/report_command.h"
#include "src/cli/run.h"
#include "src/cli/standard_streams.h"

namespace gabion::cli {
namespace {

int perform(const std::vector<std::string>& arguments, const std::vector<int>& closed_streams) {
  const Request request = parse_command_line(arguments);
  if (const auto* running = std::get_if<RunRequest>(&request)) return run(*running, closed_streams);
  if (const auto* reporting = std::get_if<ReportRequest>(&request)) return report(*reporting);
  if (!write_all(STDOUT_FILENO, std::get<HelpRequest>(request).text)) {
    throw Error(kOwnFailure, "cannot write to standard output");
  }
  return 0;
}

}  // namespace
}  // namespace gabion::cli

int main(int count, char** values) {
  using namespace gabion::cli;  // NOLINT(google-build-using-namespace)
  const std::vector<int> closed = fill_closed_standard_streams();
  const std::vector<std::string> arguments(values + (count > 0 ? 1 : 0), values + count);
  try {
    return perform(arguments, closed);
  } catch (const Error& error) {
    say(error.what());
    return error.status();
  } catch (const std::exception& error) {
    say(std::string("internal error: ") + error.what());
    return kOwnFailure;
  }
}
