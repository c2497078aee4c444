// Reads JSON lines files: one object a line, of type header, report or end.
#ifndef GABION_CLI_REPORT_READER_H_
#define GABION_CLI_REPORT_READER_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "src/cli/bug_report.h"

namespace gabion::cli {

inline constexpr int kFormatVersion = 1;

struct ReadSummary {
  uint64_t reports = 0;
  uint64_t unreadable_lines = 0;
  uint64_t damaged_reports = 0;  // unreadable lines that began as a report: a bug was found
  bool newer_format = false;
};

// Reports one at a time: a program that goes on after errors may write very many.
using ReportSink = std::function<void(BugReport&&)>;

BugReport parse_report(nlohmann::json object);

// Puts the next line, without its end, into its argument; false after the last one.
using LineSource = std::function<bool(std::string&)>;

ReadSummary read_reports(const LineSource& next_line, const ReportSink& sink);

// Reads a file and warns, in one line, about what could not be understood. Throws Error (125) when
// it cannot be opened.
ReadSummary read_report_file(const std::string& path, const ReportSink& sink);

}  // namespace gabion::cli

#endif  // GABION_CLI_REPORT_READER_H_
