#include "tests/support/reports.h"

#include <filesystem>
#include <fstream>
#include <sstream>

namespace gabion::testing {
namespace {

std::string_view without_indent(std::string_view line) {
  const size_t begin = line.find_first_not_of(' ');
  return begin == std::string_view::npos ? std::string_view() : line.substr(begin);
}

bool is_frame(std::string_view line) {
  return line.starts_with('#') && line.find(" 0x") != std::string_view::npos;
}

// Which stack follows a line that is not a frame itself.
const char* stack_after(std::string_view heading) {
  if (heading.starts_with("freed by thread")) return "free";
  if (heading.starts_with("previously allocated by thread")) return "alloc";
  if (heading.starts_with("allocated by thread")) return "alloc";
  if (heading.starts_with("Thread T")) return "thread";  // where a thread was created
  return "error";
}

}  // namespace

std::vector<nlohmann::json> read_reports(const std::string& directory) {
  std::vector<nlohmann::json> reports;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    if (entry.path().extension() != ".jsonl") continue;
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      nlohmann::json object = nlohmann::json::parse(line);
      if (object.at("type") == "report") reports.push_back(std::move(object));
    }
  }
  return reports;
}

std::vector<TextReport> parse_text_reports(std::string_view text) {
  std::vector<TextReport> reports;
  std::istringstream lines{std::string(text)};
  std::string heading;
  for (std::string line; std::getline(lines, line);) {
    const std::string_view content = without_indent(line);
    if (content.find("==ERROR: Gabion: ") != std::string_view::npos) {
      reports.push_back({.first_line = std::string(content), .stacks = {}});
      heading.clear();
    } else if (is_frame(content) && !reports.empty()) {
      reports.back().stacks[stack_after(heading)].emplace_back(content);
    } else {
      heading = content;
    }
  }
  return reports;
}

}  // namespace gabion::testing
