// Reads what Gabion reported: the JSON lines of a log directory, and the text that people see.

#ifndef GABION_TESTS_SUPPORT_REPORTS_H_
#define GABION_TESTS_SUPPORT_REPORTS_H_

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace gabion::testing {

// The reports (headers and end marks left out) of all processes that logged into the directory. A
// line that is not JSON throws: half a report is a failure of its own.
std::vector<nlohmann::json> read_reports(const std::string& directory);

struct TextReport {
  std::string first_line;                                  // ==PID==ERROR: Gabion: …
  std::map<std::string, std::vector<std::string>> stacks;  // "error", "free", "alloc": frame lines
};

std::vector<TextReport> parse_text_reports(std::string_view text);

}  // namespace gabion::testing

#endif  // GABION_TESTS_SUPPORT_REPORTS_H_
