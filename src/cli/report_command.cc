#include "src/cli/report_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "src/cli/dedup.h"
#include "src/cli/error.h"
#include "src/cli/exit_status.h"
#include "src/cli/file.h"
#include "src/cli/json_printer.h"
#include "src/cli/log_directory.h"
#include "src/cli/report_reader.h"
#include "src/cli/symbolizer.h"
#include "src/cli/text_printer.h"

namespace gabion::cli {
namespace {

BugList read_all(const std::vector<std::string>& paths) {
  BugList bugs;
  const ReportSink sink = [&](BugReport&& report) { bugs.add(std::move(report)); };
  for (const std::string& path : paths) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
      for (const std::string& file : list_report_files(path)) read_report_file(file, sink);
    } else {
      read_report_file(path, sink);
    }
  }
  Symbolizer symbolizer;
  for (Bug& bug : bugs.bugs()) symbolizer.symbolize(bug.report);
  return merge_again(std::move(bugs));
}

}  // namespace

int report(const ReportRequest& request) {
  const BugList bugs = read_all(request.paths);
  std::string text;
  if (request.json) {
    text = print_json(bugs);
  } else {
    for (const Bug& bug : bugs.bugs()) text += print_text(bug);
    text += print_totals(bugs) + '\n';
  }
  if (!write_all(STDOUT_FILENO, text)) {
    throw Error(kOwnFailure, "cannot write to standard output");
  }
  return 0;
}

}  // namespace gabion::cli
