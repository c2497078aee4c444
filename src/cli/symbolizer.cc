#include "src/cli/symbolizer.h"

#include <fmt/format.h>

#include "src/cli/demangle.h"
#include "src/cli/file.h"

namespace gabion::cli {

DebugInfo* Symbolizer::info_for(const Frame& frame) {
  if (!frame.module.starts_with('/')) return nullptr;
  std::unique_ptr<DebugInfo>& info = modules_[frame.module];
  if (info == nullptr) info = std::make_unique<DebugInfo>(frame.module);
  if (!info->valid()) return nullptr;
  if (!frame.build_id.empty() && !info->build_id().empty() && frame.build_id != info->build_id()) {
    if (!warned_[frame.module]) {
      warn(fmt::format("{} has changed since it ran; its lines are not known", frame.module));
      warned_[frame.module] = true;
    }
    return nullptr;
  }
  return info.get();
}

void Symbolizer::symbolize(Frame& frame) {
  frame.locations.clear();
  if (DebugInfo* info = info_for(frame); info != nullptr && frame.offset != 0) {
    // The address after a call may belong to the next line, or even to the next function.
    frame.locations = info->locate(frame.exact ? frame.offset : frame.offset - 1);
    if (!frame.exact && !frame.locations.empty()) ++frame.locations.back().function_offset;
  }
  if (frame.locations.empty()) frame.locations.emplace_back();
  SourceLocation& outermost = frame.locations.back();
  if (outermost.function.empty()) outermost.function = demangle(frame.function.c_str());
}

void Symbolizer::symbolize(BugReport& report) {
  for (Stack* stack : report.stacks()) {
    for (Frame& frame : stack->frames) symbolize(frame);
  }
}

}  // namespace gabion::cli
