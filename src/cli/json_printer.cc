#include "src/cli/json_printer.h"

namespace gabion::cli {
namespace {

using nlohmann::json;

json location_object(const SourceLocation& at) {
  json object = json::object();
  if (!at.function.empty()) object["function"] = at.function;
  if (!at.file.empty()) {
    object["file"] = at.file;
    object["line"] = at.line;
    object["column"] = at.column;
  }
  return object;
}

// Each frame gets "locations", innermost first.
void add_locations(json& report, const char* name, const std::optional<Stack>& stack) {
  if (!stack) return;
  json& frames = report["stacks"][name]["frames"];
  for (size_t i = 0; i < stack->frames.size() && i < frames.size(); ++i) {
    json locations = json::array();
    for (const SourceLocation& at : stack->frames[i].locations) {
      if (json object = location_object(at); !object.empty()) locations.push_back(object);
    }
    if (!locations.empty() && frames[i].is_object()) frames[i]["locations"] = locations;
  }
}

}  // namespace

std::string print_json(const BugList& bugs) {
  json array = json::array();
  for (const Bug& bug : bugs.bugs()) {
    json object = bug.report.source;
    object["count"] = bug.count;
    object["pids"] = bug.pids;
    add_locations(object, "error", bug.report.error_stack);
    add_locations(object, "free", bug.report.free_stack);
    add_locations(object, "alloc", bug.report.alloc_stack);
    array.push_back(std::move(object));
  }
  // File names need not be UTF-8.
  return array.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

}  // namespace gabion::cli
